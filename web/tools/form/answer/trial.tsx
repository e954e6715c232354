import { type ReactNode, useState } from "react";
import type { Named } from "#contract/actions/tool-call.ts";
import type { ToolTrial, TrialInput } from "#contract/actions/tools.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { outcomeName } from "#web/parts/acts/act-words.ts";
import { NamedList } from "#web/parts/acts/named-list.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";

export interface SampleField {
  name: string;
  label: string;
  placeholder?: string;
  /** Whether no call is made without it. */
  required?: boolean;
}

interface TrialProps {
  fields: readonly SampleField[];
  changes: boolean;
  busy: boolean;
  error: unknown;
  result: ToolTrial | undefined;
  onTry: (sample: TrialInput) => void;
  /** What the asker would learn by what is chosen now; null: what the trial found. */
  shown: readonly Named[] | null;
  /** How the answer of a system is shown, so that its places can be chosen. */
  children?: ReactNode;
}

/** «Проверить»: the tool is called with a sample, and shows what was sent, what came, and what the asker would learn. */
export function Trial({ fields, changes, busy, error, result, onTry, shown, children }: TrialProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [really, setReally] = useState(false);
  const calls = changes && really;

  function tryOut() {
    if (busy) return;
    const sample = fields.map(({ name }) => ({ name, value: (values[name] ?? "").trim() }));
    onTry({ arguments: sample.filter(({ value }) => value !== ""), ...(calls ? { really: true } : {}) });
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-2">
        {fields.map(({ name, label, placeholder }) => (
          <Field key={name} label={label}>
            <Input
              autoComplete="off"
              placeholder={placeholder}
              maxLength={500}
              value={values[name] ?? ""}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                tryOut();
              }}
            />
          </Field>
        ))}
      </div>
      {changes && (
        <div className="flex flex-col gap-2">
          <Checkbox checked={really} onChange={({ target }) => setReally(target.checked)}>
            Действительно вызвать
            <span className="block text-sm text-subtle">Без этого мы только покажем, что ушло бы в&nbsp;систему</span>
          </Checkbox>
          {really && (
            <p role="status" className="rounded-md bg-warning-soft px-4 py-2 text-md text-warning-text">
              Запрос уйдёт по-настоящему и&nbsp;что-то изменит в&nbsp;вашей системе. Возьмите пробные данные.
            </p>
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button variant={calls ? "danger" : "outline"} busy={busy} disabled={busy} onClick={tryOut}>
          {busy ? "Проверяем..." : calls ? "Вызвать по-настоящему" : "Проверить"}
        </Button>
      </div>
      <FormError error={error} />
      {result && (
        <Result result={result} shown={shown}>
          {children}
        </Result>
      )}
    </div>
  );
}

function Result({ result, shown, children }: Pick<TrialProps, "shown" | "children"> & { result: ToolTrial }) {
  const { call, request, status, answer, durationMs } = result;
  const told = call.outcome === "done";
  const lines = shown ?? call.result;
  const found = lines.length > 0;
  const failed = call.outcome === "failed" || call.outcome === "unknown" || (call.outcome === "unproven" && !found);
  return (
    <section aria-label="Что вышло" className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
      {request !== null && (
        <Part title={call.outcome === "dry" ? "Ушло бы" : "Отправили"}>
          <pre className="whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">
            {[`${request.method} ${request.url}`, request.body].filter(Boolean).join("\n\n")}
          </pre>
        </Part>
      )}
      {(status !== null || answer !== "") && (
        <Part title="Пришло">
          <p className="text-muted text-sm tabular-nums">
            {[status !== null && `Код ${status}`, `${formatNumber(durationMs)} мс`].filter(Boolean).join(", ")}
          </p>
          {answer !== "" && children}
        </Part>
      )}
      <Part
        title={
          told
            ? "Собеседник узнал бы"
            : found
              ? "Нашлось, но собеседник этого не узнал бы"
              : failed
                ? "Не получилось"
                : "Итог"
        }
      >
        <div role={failed ? "alert" : "status"} className="flex flex-col gap-2">
          {found && <NamedList label="Что нашлось" named={lines} />}
          {(call.note !== null || !found) && (
            <p className={failed ? "text-danger-text text-md" : "text-md"}>
              {call.note ?? `Вызов: ${outcomeName(call.outcome)}`}
            </p>
          )}
        </div>
      </Part>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <h3 className="font-medium text-md">{title}</h3>
      {children}
    </div>
  );
}
