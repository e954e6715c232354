import { LONGEST_FACT, maskIn } from "#contract/knowledge/chat-facts.ts";
import { PublicReplyForm } from "#web/parts/public-replies/public-reply-form.tsx";

interface FactFormProps {
  question: string;
  text: string;
  busy: boolean;
  onConfirm: (question: string, text: string) => void;
  onCancel: () => void;
}

export function FactForm({ question, text, busy, onConfirm, onCancel }: FactFormProps) {
  return (
    <PublicReplyForm
      question={question}
      reply={text}
      limits={{ question: LONGEST_FACT.question, reply: LONGEST_FACT.text }}
      objection={maskObjection}
      action={{ label: "Подтвердить", keyHint: "Ctrl+Enter подтвердит, Esc вернёт назад" }}
      busy={busy}
      onSubmit={onConfirm}
      onCancel={onCancel}
    />
  );
}

function maskObjection(text: string): string | undefined {
  const mask = maskIn(text);
  return mask === null ? undefined : `Замените «${mask}» своими словами или уберите`;
}
