import { useEffect, useRef, useState } from "react";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import type { CorrectionInput, Proposal } from "#contract/corrections.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

interface TeachFormProps {
  /** Id of the form, whose submit buttons are rendered elsewhere; the one with the value `everybody` publishes the answer. */
  id: string;
  proposal: Pick<Proposal, "question" | "suggested" | "text" | "personal">;
  error: unknown;
  onTeach: (correction: Omit<CorrectionInput, "from">) => void;
}

export function TeachForm({ id, proposal, error, onTeach }: TeachFormProps) {
  const { question, suggested, personal } = proposal;
  const [text, setText] = useState(proposal.text);
  const words = useRef<HTMLTextAreaElement>(null);
  // After an undo the answer is to be reworded, and the clicked button is gone, so the field takes the focus.
  useEffect(() => {
    if (document.activeElement === document.body) words.current?.focus({ preventScroll: true });
  }, []);
  // A writing habit is no answer, so the text is taught as an example.
  const kind = suggested === "style" ? "example" : suggested;
  return (
    <form
      id={id}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        const scope: CorrectionScope =
          submitter instanceof HTMLButtonElement && submitter.value === "everybody" ? "everybody" : "contact";
        if (text.trim() !== "") onTeach({ kind, question, text: text.trim(), rules: [], scope });
      }}
    >
      <Field
        label="Двойник ответит"
        hint={personal === null ? undefined : `${personal} Другим двойник такого не скажет.`}
      >
        <Textarea ref={words} rows={3} maxLength={4000} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <FormError error={error} />
    </form>
  );
}
