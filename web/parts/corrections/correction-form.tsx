import { useId, useState } from "react";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { type CorrectionInput, type CorrectionKind, ruleInWords, type StyleRule } from "#contract/corrections.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { KINDS, sharedWithEveryoneText } from "./correction-words.ts";
import { EarlierQuestionsField } from "./earlier-questions-field.tsx";

type CorrectionValues = Omit<CorrectionInput, "from" | "scope"> & { scope: CorrectionScope };

interface CorrectionFormProps {
  twinId: string;
  initial: Omit<CorrectionValues, "scope">;
  /** Audience of the main button, by kind of correction; another button offers the other audience. */
  scopes: Record<CorrectionKind, CorrectionScope>;
  /** Labels of both buttons; `only` is the contact's label when it is not the main button. */
  acts: { contact: string; only: string; everybody: string };
  /** null when there is no contact, so that the correction can only be published. */
  contactName: string | null;
  people?: number;
  /** Why the correction cannot be published; null when there is no known obstacle. */
  personal: string | null;
  busy: boolean;
  error: unknown;
  actions: React.ReactNode;
  onSubmit: (values: CorrectionValues) => void;
}

export function CorrectionForm(props: CorrectionFormProps) {
  const { twinId, initial, scopes, acts, contactName, people, personal, busy, error, actions, onSubmit } = props;
  const [kind, setKind] = useState(initial.kind);
  const [question, setQuestion] = useState(initial.question);
  const [text, setText] = useState(initial.text);
  const [rewordings, setRewordings] = useState<readonly string[]>(initial.rewordings ?? []);
  const [rules, setRules] = useState<readonly StyleRule[]>(initial.rules);
  const note = useId();
  const main = contactName === null ? "everybody" : scopes[kind];
  const complete = kind === "style" ? rules.length > 0 : question.trim() !== "" && text.trim() !== "";
  const submit = (scope: CorrectionScope) =>
    onSubmit({
      ...{ kind, question: question.trim(), rewordings: [...rewordings], text: text.trim(), rules: [...rules], scope },
    });
  const kinds = (["fact", "style", "example"] as const).filter((one) => one !== "style" || initial.rules.length > 0);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit(main);
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
          <EarlierQuestionsField
            twinId={twinId}
            conditional={contactName !== null}
            question={question}
            rewordings={rewordings}
            onChange={setRewordings}
          />
        </>
      )}
      <p id={note} className="text-muted text-sm">
        {contactName !== null &&
          `${main === "contact" ? acts.contact : acts.only}: так двойник ответит только собеседнику ${contactName}. `}
        {sharedWithEveryoneText(acts.everybody, people)}
        {personal && kind !== "style" && ` ${personal} Другим двойник такого не скажет.`}
      </p>
      <FormError error={error} />
      <DialogFooter className="mt-2!">
        {actions}
        {contactName !== null && (
          <Button
            aria-describedby={note}
            disabled={busy || !complete}
            onClick={() => submit(main === "contact" ? "everybody" : "contact")}
          >
            {main === "contact" ? acts.everybody : acts.only}
          </Button>
        )}
        <Button type="submit" variant="primary" aria-describedby={note} busy={busy} disabled={!complete}>
          {acts[main]}
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
