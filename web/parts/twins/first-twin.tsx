import { MessagesSquare } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
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

interface FirstTwinProps {
  title: string;
  description: string;
  also?: ReactNode;
  className?: string;
}

/** Shown wherever an account without a twin expects one: how to create it, and what follows. */
export default function FirstTwin({ title, description, also, className }: FirstTwinProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className={className}>
      <CardHeader
        lead
        id={id}
        title={title}
        description={description}
        action={
          <EditorButton asChild variant="primary" className="max-sm:w-full">
            <Link href={paths.onboarding}>
              <MessagesSquare aria-hidden className="icon" />
              Создать по шагам из&nbsp;переписки
            </Link>
          </EditorButton>
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
      {also && <div className="border-t px-4 py-3 text-md text-muted md:px-5">{also}</div>}
    </Card>
  );
}
