import { LONGEST_FACT } from "#contract/knowledge/chat-facts.ts";
import { maskObjection } from "#web/parts/public-replies/mask-objection.ts";
import { PublicReplyForm } from "#web/parts/public-replies/public-reply-form.tsx";

const CONFIRM = { label: "Подтвердить", keyHint: "Ctrl+Enter подтвердит, Esc вернёт назад" };
const SAVE = { label: "Сохранить", keyHint: "Ctrl+Enter сохранит, Esc вернёт назад" };

interface FactFormProps {
  question: string;
  text: string;
  confirmed?: boolean;
  busy: boolean;
  onConfirm: (question: string, text: string) => void;
  onCancel: () => void;
}

export function FactForm({ question, text, confirmed = false, busy, onConfirm, onCancel }: FactFormProps) {
  return (
    <PublicReplyForm
      question={question}
      reply={text}
      limits={{ question: LONGEST_FACT.question, reply: LONGEST_FACT.text }}
      objection={maskObjection}
      action={confirmed ? SAVE : CONFIRM}
      busy={busy}
      onSubmit={onConfirm}
      onCancel={onCancel}
    />
  );
}
