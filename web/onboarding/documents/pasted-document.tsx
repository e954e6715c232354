import { useState } from "react";
import { DocumentInput } from "#contract/knowledge/knowledge.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { fileOfText } from "./file-of-text.ts";

interface PastedDocumentProps {
  onAdd: (file: File) => void;
  onCancel: () => void;
}

/** A document as pasted text, which keeps the rule of the form that uploads documents. */
export default function PastedDocument({ onAdd, onCancel }: PastedDocumentProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();

  function add() {
    const checked = DocumentInput.shape.content.safeParse(text);
    if (checked.success) onAdd(fileOfText(text));
    else setError(checked.error.issues[0]?.message);
  }

  return (
    <div className="flex flex-col gap-3">
      <Field label="Текст документа" hint="Минимум 50 символов; название возьмётся из первой строки" error={error}>
        <Textarea rows={6} autoFocus value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button onClick={add}>Добавить текст</Button>
        <Button variant="ghost" onClick={onCancel}>
          Отменить
        </Button>
      </div>
    </div>
  );
}
