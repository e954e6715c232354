import { conversationResponseTime } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import type { Dialogue } from "../dialogue.ts";
import { useDialogueTotals } from "../queries.ts";

interface DialogueFiguresProps {
  /** All dialogues without any filter; undefined while they are loading. */
  dialogues: readonly Dialogue[] | undefined;
  /** Whether all dialogues are loaded; otherwise the server counts them. */
  complete: boolean;
  isSample: boolean;
  className?: string;
}

export function DialogueFigures({ dialogues, complete, isSample, className }: DialogueFiguresProps) {
  const totals = useDialogueTotals(dialogues !== undefined && !complete).data;
  const counted = dialogues && {
    conversations: dialogues.length,
    active: dialogues.filter(({ isActive }) => isActive).length,
    messages: dialogues.reduce((sum, { messageCount }) => sum + messageCount, 0),
  };
  const figures = complete ? counted : totals;
  const note = isSample ? { note: <SampleBadge /> } : {};
  const card = (label: string, value: number | undefined) => (
    <StatCard
      label={label}
      value={value !== undefined && formatNumber(value)}
      loading={value === undefined}
      {...note}
    />
  );
  return (
    <div className={className}>
      <div className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
        {card("Всего диалогов", figures?.conversations)}
        {card("Активные чаты", figures?.active)}
        {card("Всего сообщений", figures?.messages)}
        <StatCard label="Время ответа" value={conversationResponseTime} isExample />
      </div>
    </div>
  );
}
