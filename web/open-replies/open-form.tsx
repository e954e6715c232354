import { useState } from "react";
import { LONGEST_OPEN, type PrivatePair } from "#contract/knowledge/open-replies.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";

interface OpenFormProps {
  pair: PrivatePair;
  busy: boolean;
  onOpen: (question: string, reply: string) => void;
  onCancel: () => void;
}

/** The question and the reply as everybody may read them: the owner takes out what is one person's. */
export function OpenForm({ pair, busy, onOpen, onCancel }: OpenFormProps) {
  const [question, setQuestion] = useState(pair.incoming.slice(0, LONGEST_OPEN.question));
  const [reply, setReply] = useState(pair.reply.slice(0, LONGEST_OPEN.reply));
  const whole = question.trim() !== "" && reply.trim() !== "";
  const open = () => {
    if (whole && !busy) onOpen(question.trim(), reply.trim());
  };
  return (
    <form
      className="mt-3 flex max-w-measure flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) open();
        else if (event.key === "Escape") onCancel();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Field label="Когда спросят так" hint="Уберите имена и все, что касается одного человека">
        <Textarea
          autoFocus
          rows={2}
          maxLength={LONGEST_OPEN.question}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
      </Field>
      <Field label="Двойник ответит всем" hint="Ctrl+Enter откроет, Esc вернёт назад">
        <Textarea
          rows={3}
          maxLength={LONGEST_OPEN.reply}
          value={reply}
          onChange={(event) => setReply(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy} disabled={!whole || busy}>
          Открыть всем
        </Button>
        <Button disabled={busy} onClick={onCancel}>
          Отмена
        </Button>
      </div>
    </form>
  );
}
