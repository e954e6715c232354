import { clsx } from "clsx";
import { conversationResponseTime } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { ExamplesLine, useExample } from "#web/ui/figures/examples.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useConversationTotals } from "../queries.ts";
import type { ShownConversation } from "../shown-conversation.ts";

interface ConversationFiguresProps {
  /** All conversations without any filter; undefined while they are loading. */
  conversations: readonly ShownConversation[] | undefined;
  /** Whether all conversations are loaded; otherwise the server counts them. */
  complete: boolean;
  isSample: boolean;
  /** Whether the line about fixed figures stands here, where the screen has no foot for it. */
  examplesLine: boolean;
  className?: string;
}

/** One line, not cards: the room is the conversations'. */
export function ConversationFigures({
  conversations,
  complete,
  isSample,
  examplesLine,
  className,
}: ConversationFiguresProps) {
  useExample("время ответа");
  const totals = useConversationTotals(conversations !== undefined && !complete).data;
  const counted = conversations && {
    conversations: conversations.length,
    active: conversations.filter(({ isActive }) => isActive).length,
    messages: conversations.reduce((sum, { messageCount }) => sum + messageCount, 0),
  };
  const figures = complete ? counted : totals;
  return (
    <div className={clsx("flex min-w-0 flex-wrap items-baseline gap-x-4", className)}>
      <Figure label="Всего диалогов" value={figures?.conversations} />
      <Figure label="Активные чаты" value={figures?.active} />
      <Figure label="Всего сообщений" value={figures?.messages} />
      {isSample && <SampleBadge />}
      <dl className={FIGURE}>
        <dt className="text-muted">Время ответа</dt>
        <dd className="font-semibold">{conversationResponseTime}</dd>
      </dl>
      {examplesLine && <ExamplesLine className="w-full sm:col-span-2" />}
    </div>
  );
}

const FIGURE = "flex items-baseline gap-x-2 whitespace-nowrap text-sm leading-5 tabular-nums";

function Figure({ label, value }: { label: string; value: number | undefined }) {
  return (
    <dl className={FIGURE}>
      <dt className="text-muted">{label}</dt>
      <dd className="font-semibold">
        {value === undefined ? <Skeleton className="inline-block h-3.5 w-6" /> : formatNumber(value)}
      </dd>
    </dl>
  );
}
