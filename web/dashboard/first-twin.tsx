import { MessagesSquare } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";

const STEPS = [
  {
    title: "Дайте свою переписку",
    text: "Выгрузка Telegram, WhatsApp или почты: по ней двойник увидит, как вы пишете.",
  },
  {
    title: "Сравните ответы",
    text: "Его ответ встанет рядом с вашим настоящим. Чего он не знает, тому вы его научите.",
  },
  {
    title: "Подключите Telegram",
    text: "Сначала двойник готовит только черновики: без вас ничего не уйдёт.",
  },
] as const;

/** In the place of what waits, for whoever has no twin: the one way in, and what will come of it. */
export default function FirstTwin() {
  return (
    <Card aria-labelledby="dashboard-first">
      <CardHeader
        lead
        id="dashboard-first"
        title="Ваш первый двойник"
        description="Через несколько минут он ответит сам, и здесь появится то, что ждёт вас."
        action={
          <Button asChild variant="primary" className="max-sm:w-full">
            <Link href={paths.onboarding}>
              <MessagesSquare aria-hidden className="icon" />
              Создать по шагам из&nbsp;переписки
            </Link>
          </Button>
        }
      />
      <ol className="grid grid-cols-1 gap-x-10 gap-y-4 px-4 pt-3 pb-5 md:grid-cols-3 md:px-5">
        {STEPS.map(({ title, text }, place) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden
              className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-primary-soft font-medium text-primary-text"
            >
              {place + 1}
            </span>
            <div>
              <h3 className="font-medium text-md">{title}</h3>
              <p className="text-md text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
