import { LONGEST_OPEN, type PrivatePair } from "#contract/knowledge/open-replies.ts";
import { PublicReplyForm } from "#web/parts/public-replies/public-reply-form.tsx";

interface OpenFormProps {
  pair: PrivatePair;
  busy: boolean;
  onOpen: (question: string, reply: string) => void;
  onCancel: () => void;
}

export function OpenForm({ pair, busy, onOpen, onCancel }: OpenFormProps) {
  return (
    <PublicReplyForm
      question={pair.incoming.slice(0, LONGEST_OPEN.question)}
      reply={pair.reply.slice(0, LONGEST_OPEN.reply)}
      limits={LONGEST_OPEN}
      questionHint="Уберите имена и все, что касается одного человека"
      action={{ label: "Открыть всем", keyHint: "Ctrl+Enter откроет, Esc вернёт назад" }}
      busy={busy}
      onSubmit={onOpen}
      onCancel={onCancel}
    />
  );
}
