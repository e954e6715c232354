import { Bot, type LucideIcon, Plug, ShieldCheck } from "lucide-react";

const features: readonly (readonly [LucideIcon, string, string])[] = [
  [ShieldCheck, "Безопасность", "Вход через Telegram, данные отделены от чужих"],
  [Bot, "ИИ-двойники", "Личные помощники, которые отвечают в вашем стиле"],
  [Plug, "Интеграции", "Telegram, WhatsApp и email: там, где вам пишут"],
];

/** Under the name at a desk and below the sign-in on a phone: who comes here has decided. */
export function FeatureCards() {
  return (
    <ul className="relative mx-auto grid w-full max-w-80 grid-cols-1 gap-2 text-fg max-lg:order-last max-lg:max-w-md">
      {features.map(([Icon, title, text]) => (
        <li key={title} className="flex gap-3 rounded-lg border bg-surface px-4 py-2.5">
          <Icon aria-hidden className="icon mt-0.5 shrink-0 text-primary-text" />
          <div>
            <h2 className="font-medium text-md">{title}</h2>
            <p className="text-muted text-sm">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
