import { ArrowRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { CrmOverview } from "#contract/integrations/crm.ts";
import { plural } from "#web/i18n/plural.ts";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { useExample } from "#web/ui/figures/examples.tsx";

/** States first what the CRM connection does: what it would bring, or whether deals arrive. */
export function CrmLead({ overview: { connections, choices } }: { overview: CrmOverview }) {
  const id = useId();
  const sending = choices.filter((choice) => connections.some((one) => one.id === choice.connectionId)).length;
  const [title, about] =
    connections.length === 0
      ? [
          "Сделки появятся в вашей CRM сами",
          "Двойник ответил — и в CRM уже есть контакт и сделка со ссылкой на диалог. Заносить ничего не нужно.",
        ]
      : connections.every(({ state }) => state === "broken")
        ? ["Сделки сейчас не создаются", "CRM больше не принимает доступ. Подключите её заново."]
        : sending === 0
          ? [
              "Сделок пока не будет",
              "Ни один двойник не передаёт диалоги. Выберите CRM хотя бы у одного двойника, ниже в «Передача в CRM».",
            ]
          : [
              `Передают сделки в CRM: ${plural(sending, ["двойник", "двойника", "двойников"])}`,
              "После первого ответа двойника в CRM появляются контакт и сделка со ссылкой на диалог.",
            ];
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      <p className="mt-1 max-w-prose text-md text-muted">{about}</p>
      {connections.length === 0 && <Example />}
    </section>
  );
}

const CARD = [
  ["Контакт", "Алина Жукова, чат на\u00a0сайте"],
  ["Сделка", "Доставка на Дальний Восток"],
  ["Ссылка", "на\u00a0этот диалог в\u00a0«Диалогах»"],
] as const;

/** A conversation and the CRM card made from it, as two halves of one picture; on a phone stacked. */
function Example() {
  useExample("диалог Алины Жуковой");
  return (
    <figure
      aria-label="Пример: один диалог и его карточка в CRM"
      className="mt-5 grid grid-cols-1 gap-x-10 gap-y-3 lg:grid-cols-2"
    >
      <Half title="Диалог с двойником">
        <ol className="flex flex-col gap-2">
          <ChatBubble author="contact" authorLabel="Алина Жукова">
            Отправите чайник на&nbsp;Дальний Восток?
          </ChatBubble>
          <ChatBubble author="twin" authorLabel="Двойник" atEnd>
            Да, посылка идёт <span className="whitespace-nowrap">7–12&nbsp;дней</span>.
          </ChatBubble>
        </ol>
      </Half>
      <Half title="Станет карточкой в вашей CRM" follows>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-2">
          {CARD.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-md text-muted">{name}</dt>
              <dd className="font-medium text-md">{value}</dd>
            </div>
          ))}
        </dl>
      </Half>
    </figure>
  );
}

interface HalfProps {
  title: string;
  follows?: boolean;
  children: ReactNode;
}

function Half({ title, follows = false, children }: HalfProps) {
  return (
    <div className="rounded-lg border bg-surface p-4 md:p-5">
      <p className="mb-3 flex items-center gap-2 text-muted text-sm">
        {follows && <ArrowRight aria-hidden className="icon" />}
        {title}
      </p>
      {children}
    </div>
  );
}
