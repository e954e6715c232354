/** Cells of a conversation's row beside the avatar, in each of the row's layouts. */
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { formatRecent } from "#web/i18n/format.ts";
import { plural, pluralForm } from "#web/i18n/plural.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { type WaitingKind, waitingNames } from "#web/parts/waiting/waiting-of.ts";
import { Badge } from "#web/ui/badge.tsx";
import { fromFirstMark } from "#web/ui/found-pieces.ts";
import { FoundText } from "#web/ui/found-text.tsx";
import { ConversationBadge } from "../conversation-badge.tsx";
import { hasReturned, isSnoozed, type ShownConversation } from "../shown-conversation.ts";
import { LabelChips } from "../triage/label-chip.tsx";

/** Short forms of `waitingNames` for the narrow list beside an open conversation. */
const waitingMarks: Record<WaitingKind, string> = { draft: "Черновик", question: "Ваш ответ" };

export interface CellsProps {
  conversation: ShownConversation;
  search: string;
  /** What the conversation waits for: the owner's decision on a draft, or his own words. */
  waits: WaitingKind | undefined;
  waited: string | undefined;
  open: ReactNode;
}

/** Desktop layout without an open conversation: contact and last message, then state above count, then the button. */
export function LineCells({ conversation, search, waits, waited, open }: CellsProps) {
  const { twinName, messageCount, isActive } = conversation;
  return (
    <>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <Name conversation={conversation} search={search} />
          <Unread count={conversation.unread} />
          <p className="min-w-0 truncate text-muted text-sm">{twinName}</p>
        </div>
        <Said conversation={conversation} search={search} className="truncate text-md" />
      </div>
      <Marks conversation={conversation} waits={waits} />
      <When conversation={conversation} waited={waited} className="w-24 text-end" />
      <div className="flex w-28 shrink-0 flex-col items-start">
        <ConversationBadge isActive={isActive} />
        <Count messages={messageCount} />
      </div>
      {open}
    </>
  );
}

/** Layout beside an open conversation: contact and time above the last message, then the state and the button. */
export function BesideCells({ conversation, search, waits, open }: CellsProps) {
  return (
    <div className="min-w-0 flex-1">
      <div className="flex items-center gap-2">
        <Name conversation={conversation} search={search} />
        <When conversation={conversation} className="ms-auto" />
      </div>
      <div className="flex items-center gap-2">
        <Said conversation={conversation} search={search} className="flex-1 truncate text-sm leading-4" />
        {waits && (
          <Badge tone="warning" className="px-1.5! leading-4">
            {waitingMarks[waits]}
          </Badge>
        )}
        {hasReturned(conversation) && <Returned />}
        <Unread count={conversation.unread} />
      </div>
      <div className="mt-1 flex items-center gap-2">
        <ConversationBadge isActive={conversation.isActive} />
        <Count messages={conversation.messageCount} />
      </div>
      <div className="mt-1 flex items-center gap-2">
        <p className="min-w-0 flex-1 truncate text-muted text-sm">{conversation.twinName}</p>
        {open}
      </div>
    </div>
  );
}

/** Phone layout: cells below each other, of which only the last message is truncated. */
export function PhoneCells({ conversation, search, waits, waited, open }: CellsProps) {
  const { twinName, messageCount, isActive } = conversation;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <div className="flex items-start gap-2">
        <Name conversation={conversation} search={search} whole />
        <Unread count={conversation.unread} />
        <When conversation={conversation} waited={waited} className="ms-auto" />
      </div>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">{twinName}</p>
      <Said conversation={conversation} search={search} className="line-clamp-2 text-md leading-snug" />
      <Marks conversation={conversation} waits={waits} className="flex-wrap gap-y-1" />
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <ConversationBadge isActive={isActive} />
        <Count messages={messageCount} />
        <span className="ms-auto">{open}</span>
      </div>
    </div>
  );
}

type Found = Pick<CellsProps, "conversation" | "search">;

/** The contact's name, bold only when there are unread messages. */
function Name({
  conversation: { participantName, platform, unread },
  search,
  whole = false,
}: Found & { whole?: boolean }) {
  return (
    <h3
      className={clsx(
        "min-w-0 text-md leading-4.5",
        whole ? "[overflow-wrap:anywhere]" : "truncate",
        unread === 0 && "font-normal",
        platform === "test" && "text-muted",
      )}
    >
      <FoundText text={participantName} search={search} within />
    </h3>
  );
}

const Count = ({ messages }: { messages: number }) => (
  <span className="text-muted text-sm tabular-nums">{plural(messages, ["сообщение", "сообщения", "сообщений"])}</span>
);

function Unread({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="shrink-0 rounded-full bg-primary px-1.5 font-medium text-on-primary text-sm tabular-nums leading-4">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {pluralForm(count, ["новое", "новых", "новых"])}</span>
    </span>
  );
}

function Said({ conversation, search, className }: Found & { className: string }) {
  const { match, lastMessage, unread } = conversation;
  const text = match || (lastMessage ?? "Сообщений пока нет");
  return (
    <p className={clsx("min-w-0", unread > 0 ? "font-medium" : "text-muted", className)}>
      <FoundText text={fromFirstMark(text, search)} search={search} within />
    </p>
  );
}

type MarksProps = Pick<CellsProps, "conversation" | "waits"> & { className?: string };

function Marks({ conversation, waits, className }: MarksProps) {
  const { labels, assignee, snoozedUntil } = conversation;
  return (
    <div className={clsx("flex shrink-0 items-center gap-x-3 empty:hidden", className)}>
      {waits && (
        <Badge tone="warning" className="leading-4">
          {waitingNames[waits]}
        </Badge>
      )}
      {!waits && <Leads conversation={conversation} />}
      {hasReturned(conversation) && <Returned />}
      {isSnoozed(conversation) && <Badge tone="info">до {formatRecent(snoozedUntil!)}</Badge>}
      <LabelChips labels={labels} />
      {assignee && <span className="max-w-32 truncate text-muted text-sm">{assignee.name}</span>}
    </div>
  );
}

/** Who is to answer the unread messages; renders nothing without any. */
function Leads({ conversation: { unread, lead } }: Pick<CellsProps, "conversation">) {
  if (unread === 0 || lead === undefined) return null;
  return lead === "me" ? (
    <Badge tone="warning" className="leading-4">
      Ведёте вы
    </Badge>
  ) : (
    <span className="text-muted text-sm">Ведёт двойник</span>
  );
}

const Returned = () => (
  <Badge tone="info" className="px-1.5! leading-4">
    Вернулся
  </Badge>
);

type WhenProps = Pick<CellsProps, "conversation"> & Partial<Pick<CellsProps, "waited">> & { className: string };

function When({ conversation: { lastMessageTime }, waited, className }: WhenProps) {
  if (!lastMessageTime) return null;
  const when = formatWhen(lastMessageTime);
  return (
    <time
      dateTime={lastMessageTime}
      title={waited && when}
      className={clsx("shrink-0 text-sm tabular-nums", waited ? "text-warning-text" : "text-muted", className)}
    >
      {waited ?? when}
    </time>
  );
}
