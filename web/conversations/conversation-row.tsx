import { clsx } from "clsx";
import { plural, pluralForm } from "#web/i18n/plural.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { ConversationBadge } from "./conversation-badge.tsx";
import { PlatformLabel } from "./platform-label.tsx";
import type { ShownConversation } from "./shown-conversation.ts";

const frame = "flex gap-3 border-b p-4 last:border-b-0";

interface ConversationRowProps {
  conversation: ShownConversation;
  selected: boolean;
  onOpen: () => void;
}

/** A row of the list; all of it can be clicked. */
export function ConversationRow({ conversation, selected, onOpen }: ConversationRowProps) {
  const { participantName, twinName, platform, lastMessage, lastMessageTime, messageCount, isActive } = conversation;
  const { unread, assignee, match } = conversation;
  return (
    <li className={clsx("relative transition-colors hover:bg-hover", frame, selected && "bg-hover")}>
      <Avatar name={twinName} echo className="lg:max-xl:hidden" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="min-w-0 flex-1 truncate text-base">{participantName}</h3>
          {unread > 0 && (
            <span className="shrink-0 rounded-full bg-primary px-2 font-medium text-on-primary text-sm tabular-nums">
              {unread > 99 ? "99+" : unread}
              <span className="sr-only"> {pluralForm(unread, ["новое", "новых", "новых"])}</span>
            </span>
          )}
          {lastMessageTime && (
            <time dateTime={lastMessageTime} className="shrink-0 text-muted text-sm tabular-nums">
              {formatWhen(lastMessageTime)}
            </time>
          )}
        </div>
        <p className="flex min-w-0 items-center gap-1.5 text-muted text-sm">
          <span className="truncate">{twinName}</span>
          {platform !== "test" && (
            <>
              <span aria-hidden>·</span>
              <PlatformLabel platform={platform} />
            </>
          )}
        </p>
        <p className={clsx("mt-1 truncate text-md", !lastMessage && "text-muted", unread > 0 && "font-medium")}>
          {match ? `…${match.trim()}…` : (lastMessage ?? "Сообщений пока нет")}
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
          <ConversationBadge isActive={isActive} />
          {assignee && <span className="max-w-32 truncate text-muted text-sm">{assignee.name}</span>}
          <span className="text-muted text-sm">{plural(messageCount, ["сообщение", "сообщения", "сообщений"])}</span>
          <button
            type="button"
            data-conversation={conversation.id}
            aria-current={selected || undefined}
            aria-label={`Открыть чат: ${participantName}, ${twinName}`}
            onClick={onOpen}
            className="ms-auto rounded-sm font-medium text-primary-text text-sm after:absolute after:inset-0 hover:underline focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:outline-offset-[-3px]"
          >
            Открыть чат
          </button>
        </div>
      </div>
    </li>
  );
}

/** Placeholder with the size of a row. */
export function ConversationRowSkeleton() {
  return (
    <li aria-hidden className={frame}>
      <Skeleton className="me-1 size-10 rounded-full! lg:max-xl:hidden" />
      <div className="min-w-0 flex-1">
        <Skeleton className="my-1 h-4 w-32" />
        <Skeleton className="my-1 h-3.5 w-24" />
        <Skeleton className="mt-3 h-4 w-full" />
        <Skeleton className="mt-3.5 h-5 w-40" />
      </div>
    </li>
  );
}
