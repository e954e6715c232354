import { Link } from "wouter";
import { DEAL_COLUMNS } from "#contract/actions/crm-settings.ts";
import { CRM_NAMES } from "#contract/integrations/crm.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useTwinCrm } from "../../queries.ts";
import { ChoiceRows } from "../choice-rows.tsx";
import { ChoiceError, errorAt, type ToolFormState } from "../form-parts.tsx";
import type { ToolValues } from "../form-values.ts";
import { crmWords } from "./kind-words.ts";

const DOES = [
  {
    value: "deal",
    name: "Сообщать о сделке",
    about: "Двойник находит сделку и говорит клиенту этой сделки, на каком она этапе.",
  },
  {
    value: "note",
    name: "Оставлять заметку",
    about: "Собеседник подтверждает, и с вашего согласия в сделке его диалога появляется заметка.",
  },
] as const;
const KEYS = [
  {
    value: "deal",
    name: "По номеру сделки",
    about: "Собеседник называет номер, телефон или другое подтверждает, что сделка его.",
  },
  {
    value: "phone",
    name: "По телефону",
    about: "Последняя сделка с этим телефоном. Сам названный телефон ничего не подтверждает.",
  },
] as const;

const COLUMNS = { title: "Название сделки", stage: "Этап", amount: "Сумма" };

/** What is read from the twin's CRM, or written into it; nothing is asked before there is one. */
export function CrmSource({ form, twinId }: { form: ToolFormState; twinId: string }) {
  const { query, chosen } = useTwinCrm(twinId, true);
  const crm = form.watch("crm");
  const set = (next: Partial<ToolValues["crm"]>) => {
    form.setValue("crm", { ...form.getValues("crm"), ...next }, { shouldDirty: true });
  };
  const choose = (does: ToolValues["crm"]["does"]) => {
    const before = form.getValues();
    set({ does });
    form.setValue("changes", does === "note");
    form.setValue("degree", does === "note" ? "asks" : "itself", { shouldDirty: true });
    const [was, will] = [crmWords[before.crm.does], crmWords[does]];
    if (before.title === was.title) form.setValue("title", will.title);
    if (before.description === was.description) form.setValue("description", will.description);
    if (before.examples.join("\n") === was.examples.join("\n")) form.setValue("examples", [...will.examples]);
  };
  if (query.data === undefined)
    return query.error ? (
      <ErrorCard
        title="Не удалось узнать, подключена ли CRM"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <LoadingStatus className="min-h-40">Узнаём, подключена ли CRM...</LoadingStatus>
    );
  const { connections } = query.data;
  if (chosen === undefined)
    return (
      <div className="flex flex-col items-start gap-3">
        <p className="max-w-measure text-md">
          {connections.length === 0
            ? "CRM не\u00a0подключена. Двойнику пока негде смотреть сделки и\u00a0некуда писать заметки."
            : "CRM подключена, но\u00a0для этого двойника не\u00a0выбрана."}
        </p>
        <Button asChild variant="primary">
          <Link href={paths.crm}>{connections.length === 0 ? "Подключить CRM" : "Выбрать CRM"}</Link>
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-5">
      <p className="max-w-measure text-md [overflow-wrap:anywhere]">
        Подключена {CRM_NAMES[chosen.system]}: {chosen.host}.{" "}
        {chosen.state === "broken" && <span className="text-warning-text">{chosen.reason} </span>}
        <Link href={paths.crm} className="underline">
          Сменить
        </Link>
      </p>
      <ChoiceRows legend="Что делать" name="crm-does" choices={DOES} value={crm.does} onChange={choose} />
      {crm.does === "deal" && (
        <>
          <ChoiceRows
            legend="По чему искать"
            name="crm-key"
            choices={KEYS}
            value={crm.key}
            onChange={(key) => set({ key })}
          />
          <fieldset className="flex min-w-0 flex-col gap-2">
            <legend className="mb-1.5 font-medium text-md">Что сообщать собеседнику</legend>
            <div className="flex flex-wrap gap-x-4 gap-y-2">
              {DEAL_COLUMNS.map((column) => (
                <Checkbox
                  key={column}
                  checked={crm.shown.includes(column)}
                  onChange={({ target }) =>
                    set({
                      shown: DEAL_COLUMNS.filter((one) => (one === column ? target.checked : crm.shown.includes(one))),
                    })
                  }
                >
                  {COLUMNS[column]}
                </Checkbox>
              ))}
            </div>
            <ChoiceError message={errorAt(form, "crm.shown")} />
          </fieldset>
        </>
      )}
    </div>
  );
}
