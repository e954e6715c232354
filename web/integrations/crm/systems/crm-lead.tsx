import { useId } from "react";
import { CRM_NAMES, type CrmOverview, type CrmSystem, crmApi } from "#contract/integrations/crm.ts";
import { plural } from "#web/i18n/plural.ts";
import { useReadOnly, useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";

const SYSTEMS = Object.keys(CRM_NAMES) as CrmSystem[];

interface CrmLeadProps {
  overview: CrmOverview;
  onSignIn: (system: CrmSystem) => void;
}

/** What really happens with a CRM here, before any figure: the offer to sign in, then whether deals come. */
export function CrmLead({ overview: { connections, choices }, onSignIn }: CrmLeadProps) {
  const id = useId();
  const readOnly = useReadOnly();
  const mayNot = useWhyNot(crmApi.signIn);
  const sending = choices.filter((choice) => connections.some((one) => one.id === choice.connectionId)).length;
  const none = connections.length === 0;
  const [title, about] = none
    ? [
        "Сделки появятся в вашей CRM сами",
        "Войдите в amoCRM или Битрикс24. После первого ответа двойника там появятся контакт и сделка со ссылкой на диалог.",
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
    <section aria-labelledby={id} className="flex flex-wrap items-center justify-between gap-x-10 gap-y-4">
      <div className="min-w-0 flex-1 basis-80">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <p className="mt-1 max-w-prose text-md text-muted">{about}</p>
      </div>
      {none && (
        <div className="flex flex-wrap gap-3">
          {SYSTEMS.map((system, place) => (
            <Button
              key={system}
              variant={place === 0 ? "primary" : "outline"}
              whyNot={readOnly ?? mayNot}
              onClick={() => onSignIn(system)}
            >
              Войти в {CRM_NAMES[system]}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}
