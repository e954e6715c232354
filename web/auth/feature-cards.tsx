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

export function FeatureCards() {
  return (
    <ul className="flex flex-col gap-3">
      {features.map(({ icon: Icon, title, text }) => (
        <li key={title} className="flex gap-4 rounded-lg border bg-surface p-4 md:p-5">
          <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-md bg-primary-soft text-primary-text">
            <Icon aria-hidden className="icon" />
          </span>
          <div>
            <h2 className="text-base">{title}</h2>
            <p className="mt-0.5 text-md text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
