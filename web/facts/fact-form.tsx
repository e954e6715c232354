import { useState } from "react";
import { LONGEST_FACT, maskIn } from "#contract/knowledge/chat-facts.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

interface FactFormProps {
  question: string;
  text: string;
  busy: boolean;
  onConfirm: (question: string, text: string) => void;
  onCancel: () => void;
}

/** The fact as everybody may read it: the owner takes out what is one person's. */
export function FactForm({ question, text, busy, onConfirm, onCancel }: FactFormProps) {
  const [asked, setAsked] = useState(question);
  const [told, setTold] = useState(text);
  const mask = (value: string) => {
    const found = maskIn(value);
    return found === null ? undefined : `Замените «${found}» своими словами или уберите`;
  };
  const [inQuestion, inText] = [mask(asked), mask(told)];
  const whole = asked.trim() !== "" && told.trim() !== "" && !inQuestion && !inText;
  const confirm = () => {
    if (whole && !busy) onConfirm(asked.trim(), told.trim());
  };
  return (
    <form
      className="mt-3 flex max-w-measure flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) confirm();
        else if (event.key === "Escape") onCancel();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Field label="Когда спросят так" error={inQuestion}>
        <Textarea
          autoFocus={inQuestion !== undefined}
          rows={2}
          maxLength={LONGEST_FACT.question}
          value={asked}
          onChange={(event) => setAsked(event.target.value)}
        />
      </Field>
      <Field label="Двойник ответит всем" hint="Ctrl+Enter подтвердит, Esc вернёт назад" error={inText}>
        <Textarea
          autoFocus={inQuestion === undefined}
          rows={3}
          maxLength={LONGEST_FACT.text}
          value={told}
          onChange={(event) => setTold(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy} disabled={!whole || busy}>
          Подтвердить
        </Button>
        <Button disabled={busy} onClick={onCancel}>
          Отмена
        </Button>
      </div>
    </form>
  );
}
