import { useId } from "react";
import type { CrmOverview } from "#contract/integrations/crm.ts";
import { plural } from "#web/i18n/plural.ts";

/** What really happens with a CRM here, before any figure: what it would bring, then whether deals come. */
export function CrmLead({ overview: { connections, choices } }: { overview: CrmOverview }) {
  const id = useId();
  const sending = choices.filter((choice) => connections.some((one) => one.id === choice.connectionId)).length;
  const [title, about] =
    connections.length === 0
      ? [
          "Сделки появятся в вашей CRM сами",
          "Подключите amoCRM или Битрикс24: после первого ответа двойника там появятся контакт и сделка со ссылкой на диалог.",
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
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div>
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <p className="mt-1 max-w-prose text-md text-muted">{about}</p>
      </div>
      {connections.length === 0 && <Example />}
    </section>
  );
}

/** What one talk becomes in a CRM. */
const EXAMPLE = [
  ["Контакт", "Алина Жукова, чат на\u00a0сайте"],
  ["Сделка", "Доставка на Дальний Восток"],
  ["Ссылка", "на\u00a0этот диалог в\u00a0«Диалогах»"],
] as const;

function Example() {
  return (
    <figure className="rounded-lg border bg-surface p-4">
      <figcaption className="text-muted text-sm">Таким один диалог станет в&nbsp;вашей CRM</figcaption>
      <dl className="mt-2 flex flex-col gap-1 text-md">
        {EXAMPLE.map(([name, value]) => (
          <div key={name} className="flex gap-3">
            <dt className="w-16 shrink-0 text-muted">{name}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
