import { conversationResponseTime } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { useConversationTotals } from "../queries.ts";
import type { ShownConversation } from "../shown-conversation.ts";

interface ConversationFiguresProps {
  /** All conversations without any filter; undefined while they are loading. */
  conversations: readonly ShownConversation[] | undefined;
  /** Whether all conversations are loaded; otherwise the server counts them. */
  complete: boolean;
  isSample: boolean;
  className?: string;
}

/** A strip, not cards: the room is the conversations'. */
const CELL = "rounded-none! border-0! px-4! py-2.5!";

export function ConversationFigures({ conversations, complete, isSample, className }: ConversationFiguresProps) {
  const totals = useConversationTotals(conversations !== undefined && !complete).data;
  const counted = conversations && {
    conversations: conversations.length,
    active: conversations.filter(({ isActive }) => isActive).length,
    messages: conversations.reduce((sum, { messageCount }) => sum + messageCount, 0),
  };
  const figures = complete ? counted : totals;
  const note = isSample ? { note: <SampleBadge /> } : {};
  const card = (label: string, value: number | undefined) => (
    <StatCard
      label={label}
      value={value !== undefined && formatNumber(value)}
      loading={value === undefined}
      {...note}
      className={CELL}
    />
  );
  return (
    <div className={className}>
      <div className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border lg:grid-cols-4">
        {card("Всего диалогов", figures?.conversations)}
        {card("Активные чаты", figures?.active)}
        {card("Всего сообщений", figures?.messages)}
        <StatCard label="Время ответа" value={conversationResponseTime} isExample className={CELL} />
      </div>
    </div>
  );
}
