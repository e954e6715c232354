import { useId, useState } from "react";
import {
  type CorrectionInput,
  type CorrectionKind,
  type CorrectionScope,
  ruleInWords,
  type StyleRule,
} from "#contract/corrections.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { CorrectionPreview } from "./correction-preview.tsx";
import { KINDS } from "./correction-words.ts";

export type CorrectionValues = Omit<CorrectionInput, "from">;

interface CorrectionFormProps {
  twinId: string;
  initial: CorrectionValues;
  /** The default audience of each kind of correction. */
  scopes: Record<CorrectionKind, CorrectionScope>;
  contactName: string | null;
  /** Why the correction may only be used for that contact; null when it may be used for everybody. */
  personal: string | null;
  busy: boolean;
  error: unknown;
  /** Further buttons, left of the main one. */
  actions: React.ReactNode;
  onSubmit: (values: CorrectionValues) => void;
}

/** The form of a correction: kind, text and audience. */
export function CorrectionForm(props: CorrectionFormProps) {
  const { twinId, initial, scopes, contactName, personal, busy, error, actions, onSubmit } = props;
  const [kind, setKind] = useState(initial.kind);
  const [question, setQuestion] = useState(initial.question);
  const [text, setText] = useState(initial.text);
  const [rewordings, setRewordings] = useState<readonly string[]>(initial.rewordings ?? []);
  const [rules, setRules] = useState<readonly StyleRule[]>(initial.rules);
  const [ownScope, setOwnScope] = useState<CorrectionScope | null>(null);
  const scope = ownScope ?? (kind === initial.kind ? initial.scope : scopes[kind]);
  const kinds = (["fact", "style", "example"] as const).filter((one) => one !== "style" || initial.rules.length > 0);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({
          kind,
          question: question.trim(),
          rewordings: [...rewordings],
          text: text.trim(),
          rules: [...rules],
          scope,
        });
      }}
    >
      <KindChoice kinds={kinds} value={kind} onChange={setKind} />
      {kind === "style" ? (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-md">Чем ваш ответ отличается</legend>
          {initial.rules.map((rule) => (
            <Checkbox
              key={ruleInWords(rule)}
              checked={rules.includes(rule)}
              onChange={({ target }) =>
                setRules(initial.rules.filter((one) => (one === rule ? target.checked : rules.includes(one))))
              }
            >
              {ruleInWords(rule)}
            </Checkbox>
          ))}
        </fieldset>
      ) : (
        <>
          <Field label="Когда спросят">
            <Textarea rows={2} maxLength={4000} value={question} onChange={({ target }) => setQuestion(target.value)} />
          </Field>
          <Field label={kind === "fact" ? "Двойник будет знать" : "Двойник ответит"}>
            <Textarea rows={3} maxLength={4000} value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
          {scope === "everybody" && (
            <CorrectionPreview twinId={twinId} question={question} rewordings={rewordings} onChange={setRewordings} />
          )}
        </>
      )}
      {contactName !== null && (
        <Field
          label="Для кого"
          hint={personal && kind !== "style" ? `${personal} Другим двойник такого не скажет.` : undefined}
        >
          <Select value={scope} onChange={({ target }) => setOwnScope(target.value as CorrectionScope)}>
            <option value="everybody">Для всех собеседников</option>
            <option value="contact">Только для собеседника {contactName}</option>
          </Select>
        </Field>
      )}
      <FormError error={error} />
      <DialogFooter className="mt-2!">
        {actions}
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={kind === "style" ? rules.length === 0 : question.trim() === "" || text.trim() === ""}
        >
          Запомнить
        </Button>
      </DialogFooter>
    </form>
  );
}

interface KindChoiceProps {
  kinds: readonly CorrectionKind[];
  value: CorrectionKind;
  onChange: (kind: CorrectionKind) => void;
}

function KindChoice({ kinds, value, onChange }: KindChoiceProps) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-md">Чему научить двойника</legend>
      {kinds.map((kind) => (
        <label
          key={kind}
          className="flex cursor-pointer items-start gap-3 rounded-md border p-3 has-checked:border-primary has-checked:bg-primary-soft"
        >
          <span className="flex h-[1.5em] shrink-0 items-center">
            <input
              type="radio"
              name={name}
              className="size-4.5 cursor-[inherit] accent-primary"
              checked={value === kind}
              onChange={() => onChange(kind)}
            />
          </span>
          <span className="min-w-0 text-md">
            {KINDS[kind].name}
            <span className="block text-muted text-sm">{KINDS[kind].about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
