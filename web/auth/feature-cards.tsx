import { MessagesSquare, ShieldCheck, Users } from "lucide-react";

const features = [
  {
    icon: ShieldCheck,
    title: "Безопасность",
    text: "Вход через Telegram и\u00a0полная изоляция данных каждого пользователя",
  },
  {
    icon: Users,
    title: "ИИ-двойники",
    text: "Персональные помощники, которые отвечают в\u00a0вашем стиле",
  },
  {
    icon: MessagesSquare,
    title: "Интеграции",
    text: "Telegram, WhatsApp и email: двойник отвечает там, где вам пишут",
  },
];

/** Quiet, beside the sign-in at a desk and below it on a phone: who comes here has decided. */
export function FeatureCards() {
  return (
    <ul className="grid max-w-md grid-cols-1 gap-6 max-lg:mx-auto">
      {features.map(({ icon: Icon, title, text }) => (
        <li key={title} className="flex gap-3 text-muted">
          <Icon aria-hidden className="icon mt-0.5 shrink-0" />
          <div>
            <h2 className="text-md">{title}</h2>
            <p className="mt-0.5 text-sm">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
