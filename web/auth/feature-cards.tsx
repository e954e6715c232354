const features = [
  ["Безопасность", "Вход через Telegram, данные отделены от чужих"],
  ["ИИ-двойники", "Личные помощники в вашем стиле"],
  ["Интеграции", "Telegram, WhatsApp и email: там, где вам пишут"],
] as const;

/** Below the name at desktop width and below the sign-in on a phone, because visitors of this page have already decided. */
export function FeatureCards() {
  return (
    <ul className="relative mx-auto grid w-full max-w-80 grid-cols-1 gap-2 text-fg max-lg:order-last max-lg:max-w-md">
      {features.map(([title, text]) => (
        <li key={title} className="rounded-lg border bg-surface px-4 py-2.5">
          <h2 className="font-medium text-md">{title}</h2>
          <p className="text-muted text-sm">{text}</p>
        </li>
      ))}
    </ul>
  );
}
