import { useId } from "react";
import { CRM_NAMES, type CrmOverview, crmApi } from "#contract/integrations/crm.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { useChooseCrm } from "./crm-queries.ts";

type Twin = NonNullable<ReturnType<typeof useTwins>["data"]>[number];

export default function TwinChoices({ overview }: { overview: CrmOverview }) {
  const id = useId();
  const twins = useTwins().data ?? [];
  if (twins.length === 0) return null;
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title="Передача в CRM"
        description="После первого ответа двойника в CRM появятся имя собеседника, его номер или почта, если они известны, и ссылка на диалог"
      />
      <CardBody>
        <ul className="flex flex-col gap-4">
          {twins.map((twin) => (
            <TwinChoice key={twin.id} twin={twin} overview={overview} />
          ))}
        </ul>
      </CardBody>
    </Card>
  );
}

function TwinChoice({ twin, overview }: { twin: Twin; overview: CrmOverview }) {
  const mayNot = useWhyNot(crmApi.choose, twin);
  const choose = useChooseCrm();
  const chosen = overview.choices.find(({ twinId }) => twinId === twin.id);
  const [connectionId, includeTexts] = choose.isPending
    ? [choose.variables.connectionId ?? null, choose.variables.includeTexts]
    : [chosen?.connectionId ?? null, chosen?.includeTexts ?? false];
  const disabled = mayNot !== null || choose.isPending;
  return (
    <li className="flex flex-wrap items-end gap-x-5 gap-y-2">
      <Field label={twin.name} hint={mayNot ?? undefined} className="flex-1 basis-56 sm:max-w-80">
        <Select
          disabled={disabled}
          value={connectionId ?? ""}
          onChange={({ target: { value } }) =>
            choose.mutate({ twinId: twin.id, ...(value && { connectionId: value }), includeTexts: false })
          }
        >
          <option value="">Не передавать</option>
          {overview.connections.map((connection) => (
            <option key={connection.id} value={connection.id}>
              {CRM_NAMES[connection.system]}
            </option>
          ))}
        </Select>
      </Field>
      {connectionId !== null && (
        <Checkbox
          className="min-h-control items-center!"
          disabled={disabled}
          checked={includeTexts}
          onChange={({ target: { checked } }) =>
            choose.mutate({ twinId: twin.id, connectionId, includeTexts: checked })
          }
        >
          С текстом диалога
        </Checkbox>
      )}
    </li>
  );
}
