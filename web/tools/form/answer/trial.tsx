import { useState } from "react";
import type { TrialInput } from "#contract/actions/tools.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { type SampleField, SampleInput } from "./sample-field.tsx";

interface TrialProps {
  fields: readonly SampleField[];
  changes: boolean;
  busy: boolean;
  error: unknown;
  /** Whether the former result is not shown any more, because the call is another now. */
  isStale: boolean;
  onTry: (sample: TrialInput) => void;
}

/** «Проверить»: the values of an example, and the button that calls the tool with them. */
export function Trial({ fields, changes, busy, error, isStale, onTry }: TrialProps) {
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
        {fields.map((field) => (
          <SampleInput
            key={`${field.name} ${field.type}`}
            field={field}
            value={values[field.name] ?? ""}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
            onEnter={tryOut}
          />
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
        {isStale && !busy && (
          <p role="status" className="text-muted text-sm">
            Настройки изменились: проверьте ещё раз
          </p>
        )}
      </div>
      <FormError error={error} />
    </div>
  );
}
