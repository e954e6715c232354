const features = [
  {
    title: "Безопасность",
    text: "Вход по\u00a0email или через Telegram, где он\u00a0включён; ваши данные отделены от\u00a0чужих",
  },
  {
    title: "ИИ-двойники",
    text: "Персональные помощники, которые отвечают в\u00a0вашем стиле",
  },
  {
    title: "Интеграции",
    text: "Telegram, WhatsApp и email: двойник отвечает там, где вам пишут",
  },
];

/** Quiet, under the name at a desk and below the sign-in on a phone: who comes here has decided. */
export function FeatureCards() {
  return (
    <ul className="relative mx-auto grid max-w-80 grid-cols-1 gap-5 text-center max-lg:order-last">
      {features.map(({ title, text }) => (
        <li key={title}>
          <h2 className="text-md">{title}</h2>
          <p className="mt-0.5 text-sm max-lg:text-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}
