import { clsx } from "clsx";
import { conversationResponseTime } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { useExample } from "#web/ui/figures/examples.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { useConversationTotals } from "../queries.ts";
import type { ShownConversation } from "../shown-conversation.ts";

interface ConversationFiguresProps {
  /** All conversations without any filter; undefined while they are loading. */
  conversations: readonly ShownConversation[] | undefined;
  /** Whether all conversations are loaded; otherwise the server counts them. */
  complete: boolean;
  /** Whether an open conversation needs the space, so that label and figure share a line. */
  compact: boolean;
  className?: string;
}

export function ConversationFigures({ conversations, complete, compact, className }: ConversationFiguresProps) {
  useExample("время ответа");
  const totals = useConversationTotals(conversations !== undefined && !complete).data;
  const counted = conversations && {
    conversations: conversations.length,
    active: conversations.filter(({ isActive }) => isActive).length,
    messages: conversations.reduce((sum, { messageCount }) => sum + messageCount, 0),
  };
  const figures = complete ? counted : totals;
  const loading = figures === undefined;
  const look = compact ? "flex! items-baseline py-0.5!" : "py-1.5!";
  const figure = (value: number | undefined) => formatNumber(value ?? 0);
  return (
    <section
      aria-label="Диалоги в цифрах"
      className={clsx("grid shrink-0 grid-cols-2 gap-2 lg:grid-cols-4 lg:gap-3", className)}
    >
      <StatCard className={look} label="Всего диалогов" value={figure(figures?.conversations)} loading={loading} />
      <StatCard className={look} label="Активные чаты" value={figure(figures?.active)} loading={loading} />
      <StatCard className={look} label="Всего сообщений" value={figure(figures?.messages)} loading={loading} />
      <StatCard className={look} label="Время ответа" value={conversationResponseTime} />
    </section>
  );
}
