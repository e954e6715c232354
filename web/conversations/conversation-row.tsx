import { clsx } from "clsx";
import { ChevronRight, FlaskConical } from "lucide-react";
import { memo } from "react";
import { formatRecent } from "#web/i18n/format.ts";
import { plural, pluralForm } from "#web/i18n/plural.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { fromFirstMark } from "#web/ui/found-pieces.ts";
import { FoundText } from "#web/ui/found-text.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import type { WaitingKind } from "./approval/open-question.ts";
import { ConversationBadge } from "./conversation-badge.tsx";
import { PlatformLabel } from "./platform-label.tsx";
import { hasReturned, isPutOff, type ShownConversation } from "./shown-conversation.ts";
import { LabelChips } from "./triage/label-chip.tsx";

/**
 * The room that the list has decides a row's form (`@container` around the list): one line where nothing is open, two beside an open
 * conversation, which says the rest itself; both are 44 px high, the two without rules that they would touch. On a phone it has three lines: who and when, what was said last, and where.
 */
const frame =
  "relative flex items-center gap-3 border-b px-3 last:border-b-0 max-lg:py-1.5 md:px-4 lg:h-11 lg:@max-xl:border-transparent";
/** Heard, but not seen, beside an open conversation. */
const roomy = "lg:@max-xl:sr-only";

const waitingNames: Record<WaitingKind, string> = { draft: "Черновик ждёт", question: "Нужен ваш ответ" };
/** The same in the little room beside an open conversation. */
const waitingMarks: Record<WaitingKind, string> = { draft: "Черновик", question: "Ваш ответ" };

interface ConversationRowProps {
  conversation: ShownConversation;
  /** Which of how many it is, from 1; -1: nobody knows how many. */
  place: number;
  of: number;
  selected: boolean;
  /** The words that were searched for. */
  search: string;
  /** What waits there for the owner: his decision on a draft, or his own words. */
  waits: WaitingKind | undefined;
  /** Which of its columns tell one row of the list from another; the rest is only heard. */
  varies: { twin: boolean; state: boolean };
  onOpen: (id: string) => void;
  /** Whether it is among those for an act on several. */
  chosen?: boolean;
  /** Whether any row is: then all show their boxes. */
  choosing?: boolean;
  /** Absent where nothing can be chosen. `range`: with all up to the one that was chosen before. */
  onChoose?: (id: string, range: boolean) => void;
}

/** A row of the list; all of it can be clicked. */
export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const {
    conversation,
    place,
    of,
    selected,
    search,
    waits,
    varies,
    onOpen,
    chosen = false,
    choosing = false,
    onChoose,
  } = props;
  const { participantName, twinName, platform, lastMessage, lastMessageTime, messageCount, isActive } = conversation;
  const isTest = platform === "test";
  const { unread, assignee, match, labels, snoozedUntil } = conversation;
  return (
    <li
      aria-posinset={place}
      aria-setsize={of}
      className={clsx(
        "group/row transition-colors hover:bg-hover",
        frame,
        selected && "bg-hover",
        chosen && "bg-primary-soft!",
      )}
    >
      {onChoose ? (
        <Choice
          name={participantName}
          isTest={isTest}
          chosen={chosen}
          choosing={choosing}
          onChoose={(range) => onChoose(conversation.id, range)}
        />
      ) : (
        <Face name={participantName} isTest={isTest} />
      )}
      <div className="flex min-w-0 flex-1 items-center gap-x-4 max-lg:flex-wrap">
        <div
          className={clsx(
            "grid min-w-0 flex-1 gap-x-4 max-lg:contents @4xl:items-center",
            varies.twin ? "@4xl:grid-cols-[11rem_13rem_minmax(0,1fr)]" : "@4xl:grid-cols-[13rem_minmax(0,1fr)]",
          )}
        >
          <div className="flex min-w-0 items-center gap-2 max-lg:basis-full">
            <h3 className={clsx("min-w-0 truncate text-md leading-4.5", isTest && "font-normal text-muted")}>
              <FoundText text={participantName} search={search} within />
            </h3>
            {unread > 0 && (
              <span className="shrink-0 rounded-full bg-primary px-1.5 font-medium text-on-primary text-sm tabular-nums leading-4">
                {unread > 99 ? "99+" : unread}
                <span className="sr-only"> {pluralForm(unread, ["новое", "новых", "новых"])}</span>
              </span>
            )}
            {waits && (
              <Badge tone="warning" className="shrink-0 px-1.5! leading-4 max-lg:hidden lg:@xl:hidden">
                {waitingMarks[waits]}
              </Badge>
            )}
            {hasReturned(conversation) && (
              <Badge tone="info" className="px-1.5! leading-4">
                Вернулся
              </Badge>
            )}
            {lastMessageTime && (
              <time
                dateTime={lastMessageTime}
                className="ms-auto shrink-0 text-muted text-sm tabular-nums lg:@xl:hidden"
              >
                {formatWhen(lastMessageTime)}
              </time>
            )}
          </div>
          <p
            className={clsx(
              "flex min-w-0 items-center gap-1.5 text-muted text-sm max-lg:order-1 max-lg:flex-1",
              varies.twin ? "lg:@max-4xl:sr-only" : "lg:sr-only",
            )}
          >
            {!isTest && <PlatformLabel platform={platform} narrow />}
            <span className="truncate">{twinName}</span>
          </p>
          <p
            className={clsx(
              "truncate text-sm leading-4 max-lg:basis-full @4xl:text-md @4xl:leading-5",
              unread > 0 ? "font-medium" : "text-muted",
            )}
          >
            {match ? (
              <FoundText text={fromFirstMark(match, search)} search={search} within />
            ) : (
              <FoundText text={fromFirstMark(lastMessage ?? "Сообщений пока нет", search)} search={search} within />
            )}
          </p>
        </div>
        <div className={clsx("flex items-center gap-x-3 max-lg:order-2 max-lg:max-w-[60%]", roomy)}>
          {waits && (
            <Badge tone="warning" className="leading-4">
              {waitingNames[waits]}
            </Badge>
          )}
          {isPutOff(conversation) && <Badge tone="info">до {formatRecent(snoozedUntil!)}</Badge>}
          <LabelChips labels={labels} />
          {assignee && <span className="max-w-32 truncate text-muted text-sm">{assignee.name}</span>}
          <span className={clsx(!varies.state && "sr-only")}>
            <ConversationBadge isActive={isActive} />
          </span>
          <span className="text-muted text-sm tabular-nums max-lg:sr-only lg:w-26 lg:@max-4xl:sr-only">
            {plural(messageCount, ["сообщение", "сообщения", "сообщений"])}
          </span>
          {lastMessageTime && (
            <time dateTime={lastMessageTime} className="w-20 text-end text-muted text-sm tabular-nums max-lg:hidden">
              {formatWhen(lastMessageTime)}
            </time>
          )}
          <ChevronRight aria-hidden className="icon -ms-1 text-subtle lg:hidden" />
        </div>
      </div>
      <button
        type="button"
        data-conversation={conversation.id}
        aria-current={selected || undefined}
        aria-label={`Открыть чат: ${participantName}, ${twinName}`}
        onClick={() => onOpen(conversation.id)}
        className="group absolute inset-0 focus-visible:outline-2 focus-visible:outline-ring focus-visible:outline-offset-[-3px]"
      >
        <span className="absolute end-3 font-medium text-primary-text text-sm group-hover:underline max-lg:hidden md:end-4 lg:top-1/2 lg:-translate-y-1/2 lg:bg-hover lg:ps-3 lg:opacity-0 lg:group-hover:opacity-100 lg:@max-xl:hidden">
          Открыть чат
        </span>
      </button>
    </li>
  );
});

/** In the avatar's place: under a pointer, with the focus and while others are chosen; a thumb finds it there too. */
function Choice({
  name,
  isTest,
  chosen,
  choosing,
  onChoose,
}: FaceProps & Required<Pick<ConversationRowProps, "chosen" | "choosing">> & { onChoose: (range: boolean) => void }) {
  const shown = chosen || choosing;
  return (
    <span className="relative z-1 grid size-8 shrink-0 place-items-center @max-2xs:size-5">
      <Face
        name={name}
        isTest={isTest}
        className={clsx(
          shown ? "invisible" : "group-focus-within/row:invisible pointer-fine:group-hover/row:invisible",
        )}
      />
      {/* The label makes the place as large as a thumb. */}
      <label
        className={clsx(
          "absolute -inset-2 grid cursor-pointer place-items-center",
          !shown && "opacity-0 group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100",
        )}
      >
        <input
          type="checkbox"
          aria-label={`Выбрать: ${name}`}
          aria-keyshortcuts="X"
          className="size-4.5 cursor-[inherit] accent-primary"
          checked={chosen}
          // A change does not say whether Shift was held.
          onClick={({ shiftKey }) => onChoose(shiftKey)}
          onChange={() => {}}
        />
      </label>
    </span>
  );
}

interface FaceProps {
  name: string;
  isTest: boolean;
}

/** Who writes: a person's letter, or the mark of the owner's own test chat, which is no customer. */
function Face({ name, isTest, className }: FaceProps & { className?: string }) {
  if (!isTest) return <Avatar name={name} size="sm" person className={clsx("@max-2xs:hidden", className)} />;
  return (
    <span
      aria-hidden
      className={clsx(
        "grid size-8 shrink-0 place-items-center rounded-full border border-dashed text-subtle @max-2xs:hidden",
        className,
      )}
    >
      <FlaskConical className="icon" />
    </span>
  );
}

/** Placeholder with the size of a row. */
export function ConversationRowSkeleton() {
  return (
    <li aria-hidden className={frame}>
      <Skeleton className="size-8 rounded-full!" />
      <div className="min-w-0 flex-1">
        <Skeleton className="h-4 w-32 max-w-full" />
        <Skeleton className="mt-1 h-3.5 w-full" />
      </div>
    </li>
  );
}
