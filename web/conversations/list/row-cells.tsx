/** What a row of the list says beside the contact's face, in each of its forms. */
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { formatRecent } from "#web/i18n/format.ts";
import { plural, pluralForm } from "#web/i18n/plural.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { type WaitingKind, waitingNames } from "#web/parts/waiting/waiting-of.ts";
import { Badge } from "#web/ui/badge.tsx";
import { fromFirstMark } from "#web/ui/found-pieces.ts";
import { FoundText } from "#web/ui/found-text.tsx";
import { ConversationBadge } from "../conversation-badge.tsx";
import { hasReturned, isPutOff, type ShownConversation } from "../shown-conversation.ts";
import { LabelChips } from "../triage/label-chip.tsx";

/** As `waitingNames`, in the little room beside an open conversation. */
const waitingMarks: Record<WaitingKind, string> = { draft: "Черновик", question: "Ваш ответ" };

export interface CellsProps {
  conversation: ShownConversation;
  /** The words that were searched for. */
  search: string;
  /** What waits there for the owner: his decision on a draft, or his own words. */
  waits: WaitingKind | undefined;
  /** How long the contact has waited for him, in words. */
  waited: string | undefined;
  /** Which of its columns tell one row of the list from another. */
  varies: { twin: boolean; state: boolean };
}

/** At a desk with nothing open: one line, in columns. */
export function LineCells({ conversation, search, waits, waited, varies }: CellsProps) {
  const { twinName, messageCount } = conversation;
  return (
    <>
      <div className="flex w-56 shrink-0 items-center gap-2">
        <Name conversation={conversation} search={search} />
        <Unread count={conversation.unread} />
      </div>
      {varies.twin && <p className="w-56 shrink-0 truncate text-muted text-sm max-xl:hidden">{twinName}</p>}
      <Said conversation={conversation} search={search} className="flex-1 text-md" />
      <Marks conversation={conversation} waits={waits} varies={varies} />
      <Count messages={messageCount} className="shrink-0 text-muted text-sm tabular-nums max-2xl:sr-only" />
      <When conversation={conversation} waited={waited} className="w-24 text-end" />
    </>
  );
}

/** Beside an open conversation, which says the rest itself: who and when over what was said last. */
export function BesideCells({ conversation, search, waits }: CellsProps) {
  return (
    <div className="min-w-0 flex-1">
      <div className="flex items-center gap-2">
        <Name conversation={conversation} search={search} />
        <When conversation={conversation} className="ms-auto" />
      </div>
      <div className="flex items-center gap-2">
        <Said conversation={conversation} search={search} className="flex-1 text-sm leading-4" />
        {waits && (
          <Badge tone="warning" className="px-1.5! leading-4">
            {waitingMarks[waits]}
          </Badge>
        )}
        {hasReturned(conversation) && <Returned />}
        <Unread count={conversation.unread} />
      </div>
    </div>
  );
}

/** On a phone: who and when, what was said last, and where. */
export function PhoneCells({ conversation, search, waits, waited, varies }: CellsProps) {
  const { twinName, messageCount } = conversation;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-0.5">
      <div className="flex items-center gap-2">
        <Name conversation={conversation} search={search} />
        <Unread count={conversation.unread} />
        <When conversation={conversation} waited={waited} className="ms-auto" />
      </div>
      <Said conversation={conversation} search={search} className="text-sm leading-4" />
      <div className="flex items-center gap-x-3">
        <p className="min-w-0 flex-1 truncate text-muted text-sm">{twinName}</p>
        <Marks conversation={conversation} waits={waits} varies={varies} className="max-w-[60%]" />
        <Count messages={messageCount} className="sr-only" />
        <ChevronRight aria-hidden className="icon -ms-1 text-subtle" />
      </div>
    </div>
  );
}

type Found = Pick<CellsProps, "conversation" | "search">;

/** Bold only where something new stands. */
function Name({ conversation: { participantName, platform, unread }, search }: Found) {
  return (
    <h3
      className={clsx(
        "min-w-0 truncate text-md leading-4.5",
        unread === 0 && "font-normal",
        platform === "test" && "text-muted",
      )}
    >
      <FoundText text={participantName} search={search} within />
    </h3>
  );
}

const Count = ({ messages, className }: { messages: number; className: string }) => (
  <span className={className}>{plural(messages, ["сообщение", "сообщения", "сообщений"])}</span>
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
    <p className={clsx("min-w-0 truncate", unread > 0 ? "font-medium" : "text-muted", className)}>
      <FoundText text={fromFirstMark(text, search)} search={search} within />
    </p>
  );
}

type MarksProps = Pick<CellsProps, "conversation" | "waits" | "varies"> & { className?: string };

/** What is to be done there, and what has been said of it. */
function Marks({ conversation, waits, varies, className }: MarksProps) {
  const { labels, assignee, snoozedUntil, isActive } = conversation;
  return (
    <div className={clsx("flex shrink-0 items-center gap-x-3", className)}>
      {waits && (
        <Badge tone="warning" className="leading-4">
          {waitingNames[waits]}
        </Badge>
      )}
      {!waits && <Leads conversation={conversation} />}
      {hasReturned(conversation) && <Returned />}
      {isPutOff(conversation) && <Badge tone="info">до {formatRecent(snoozedUntil!)}</Badge>}
      <LabelChips labels={labels} />
      {assignee && <span className="max-w-32 truncate text-muted text-sm">{assignee.name}</span>}
      <span className={clsx(!varies.state && "sr-only")}>
        <ConversationBadge isActive={isActive} />
      </span>
    </div>
  );
}

/** Who is to answer what is new there; nothing where nothing is. */
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
