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
    <section aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      <p className="mt-1 max-w-prose text-md text-muted">{about}</p>
    </section>
  );
}
