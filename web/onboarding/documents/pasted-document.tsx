import { type RefObject, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { fileOfText, textRefusal } from "./file-of-text.ts";

interface PastedDocumentProps {
  /** Holds typed text that is not added yet, for a form that is submitted meanwhile. */
  typed?: RefObject<string> | undefined;
  onAdd: (file: File) => void;
  onCancel: () => void;
}

export default function PastedDocument({ typed, onAdd, onCancel }: PastedDocumentProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();

  function change(value: string) {
    setText(value);
    if (typed) typed.current = value;
  }

  function add() {
    const refusal = textRefusal(text);
    if (refusal !== undefined) return setError(refusal);
    change("");
    onAdd(fileOfText(text));
  }

  function cancel() {
    change("");
    onCancel();
  }

  return (
    <div className="flex flex-col gap-3">
      <Field label="Текст документа" hint="Минимум 50 символов; название возьмётся из первой строки" error={error}>
        <Textarea rows={6} autoFocus value={text} onChange={(event) => change(event.target.value)} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button onClick={add}>Добавить текст</Button>
        <Button variant="ghost" onClick={cancel}>
          Отменить
        </Button>
      </div>
    </div>
  );
}
