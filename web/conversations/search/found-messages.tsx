import { clsx } from "clsx";
import type { ReactNode } from "react";
import type { FoundMessage } from "#contract/conversations/message-search.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { FoundText } from "#web/ui/found-text.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { PlatformLabel } from "../platform-label.tsx";
import { useFoundMessages } from "../queries.ts";
import type { ConversationFilters } from "../shown-conversation.ts";

interface FoundMessagesProps {
  filters: ConversationFilters;
  openId: string | null;
  /** Shown when no message is found. undefined when a conversation is found, so that the list of messages says so itself. */
  nothing: ReactNode;
  onOpen: (message: FoundMessage) => void;
}

export default function FoundMessages({ filters, openId, nothing, onOpen }: FoundMessagesProps) {
  const { data, error, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useFoundMessages(filters);
  const found = data?.pages.flatMap(({ messages }) => messages);
  const forms = data?.pages.flatMap((page) => page.forms);
  if (found?.length === 0 && nothing !== undefined && !hasNextPage) return nothing;
  return (
    <section aria-label="Найденные сообщения" className="@container border-t first:border-t-0" aria-busy={isFetching}>
      <h3 className="bg-sunken px-3 py-1.5 font-medium text-muted text-sm md:px-4">Сообщения</h3>
      {found === undefined ? (
        error ? (
          <ErrorCard className="m-4" title="Не удалось найти сообщения" error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingStatus className="py-4">Ищем в сообщениях...</LoadingStatus>
        )
      ) : found.length === 0 ? (
        <p className="px-3 py-3 text-md text-muted md:px-4">
          {hasNextPage ? "В последних сообщениях этого нет." : "В сообщениях этого нет."}
        </p>
      ) : (
        <ul aria-label="Сообщения, в которых нашлось">
          {found.map((message) => (
            <FoundRow
              key={message.id}
              message={message}
              search={filters.q ?? ""}
              forms={forms}
              selected={message.id === openId}
              onOpen={() => onOpen(message)}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {found?.length === 0 ? "Искать в более ранних" : "Показать ещё сообщения"}
          </Button>
        </div>
      )}
    </section>
  );
}

interface FoundRowProps {
  message: FoundMessage;
  search: string;
  forms: readonly string[] | undefined;
  selected: boolean;
  onOpen: () => void;
}

function FoundRow({ message, search, forms, selected, onOpen }: FoundRowProps) {
  const { id, conversationId, participantName, platform, role, author, excerpt, timestamp } = message;
  const speaker = role === "user" ? (platform === "test" ? "Вы" : null) : author === "owner" ? "Вы" : "Двойник";
  return (
    <li
      className={clsx(
        "relative flex gap-3 border-b px-3 py-2 last:border-b-0 hover:bg-hover md:px-4",
        selected && "bg-primary-soft",
      )}
    >
      <Avatar name={participantName} size="sm" who="contact" className="@max-2xs:hidden" />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2">
          <h4 className="min-w-0 truncate font-medium text-md leading-5">{participantName}</h4>
          <p className="min-w-0 truncate text-muted text-sm @max-md:hidden">
            <PlatformLabel platform={platform} />
          </p>
          <time dateTime={timestamp} className="ms-auto shrink-0 text-muted text-sm tabular-nums">
            {formatWhen(timestamp)}
          </time>
        </div>
        <p className="line-clamp-2 text-muted text-sm leading-4.5 [overflow-wrap:anywhere] @4xl:text-md @4xl:leading-5">
          {speaker && <span className="text-subtle">{speaker}: </span>}
          <FoundText text={excerpt} search={search} forms={forms} within />
        </p>
      </div>
      <button
        type="button"
        data-conversation={conversationId}
        data-message={id}
        aria-current={selected || undefined}
        aria-label={`Открыть сообщение: ${participantName}, ${excerpt}`}
        onClick={onOpen}
        className="absolute inset-0 focus-visible:outline-2 focus-visible:outline-ring focus-visible:outline-offset-[-3px]"
      />
    </li>
  );
}
