import { useEffect, useRef, useState } from "react";
import type { CorrectionInput, CorrectionScope, Proposal } from "#contract/corrections.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

interface TeachFormProps {
  /** Id of the form, whose submit button is rendered elsewhere. */
  id: string;
  proposal: Proposal;
  error: unknown;
  onTeach: (correction: Omit<CorrectionInput, "from">) => void;
}

/** The owner's real answer as a correction, filled in: for everybody unless it is one contact's own. */
export function TeachForm({ id, proposal, error, onTeach }: TeachFormProps) {
  const { question, suggested, personal, contactName } = proposal;
  const [text, setText] = useState(proposal.text);
  const mayBeOnes = contactName !== null;
  const [scope, setScope] = useState<CorrectionScope>(personal !== null && mayBeOnes ? "contact" : "everybody");
  const words = useRef<HTMLTextAreaElement>(null);
  // What was taken back is to be put otherwise: the button that was pressed is gone.
  useEffect(() => {
    if (document.activeElement === document.body) words.current?.focus({ preventScroll: true });
  }, []);
  // A habit of writing is no answer.
  const kind = suggested === "style" ? "example" : suggested;
  return (
    <form
      id={id}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onTeach({ kind, question, text: text.trim(), rules: [], scope });
      }}
    >
      <Field label="Двойник ответит">
        <Textarea ref={words} rows={3} maxLength={4000} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      {mayBeOnes && (
        <Field label="Для кого" hint={personal === null ? undefined : `${personal} Другим двойник такого не скажет.`}>
          <Select value={scope} onChange={({ target }) => setScope(target.value as CorrectionScope)}>
            <option value="everybody">Для всех собеседников</option>
            <option value="contact">Только для собеседника {contactName}</option>
          </Select>
        </Field>
      )}
      <FormError error={error} />
    </form>
  );
}
