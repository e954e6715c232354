/** The first one promises no way to sign in: which there are, the card beside it shows. */
const features = [
  ["Безопасность", "Вход только с вашим аккаунтом, данные отделены от чужих"],
  ["ИИ-двойники", "Отвечают в вашем стиле, как личные помощники"],
  ["Интеграции", "Telegram, WhatsApp и email: там, где вам пишут"],
] as const;

/** Quiet, under the name at a desk and below the sign-in on a phone: who comes here has decided. */
export function FeatureCards() {
  return (
    <ul className="relative mx-auto grid max-w-80 grid-cols-1 gap-5 text-balance text-center text-md max-lg:order-last">
      {features.map(([title, text]) => (
        <li key={title}>
          <h2 className="text-md">{title}</h2>
          <p className="max-lg:text-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}
