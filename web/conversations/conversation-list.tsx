import { Inbox, PlugZap, SearchX } from "lucide-react";
import type { RefObject } from "react";
import { Link } from "wouter";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import type { ConversationAddress, ConversationTab } from "./conversation-address.ts";
import { ConversationRow, ConversationRowSkeleton } from "./conversation-row.tsx";
import type { ShownConversation } from "./shown-conversation.ts";

interface ConversationListProps {
  address: ConversationAddress;
  /** Undefined while the conversations are loading. */
  conversations: readonly ShownConversation[] | undefined;
  error: unknown;
  more: { has: boolean; loading: boolean; load: () => void };
  listRef: RefObject<HTMLUListElement | null>;
  onRetry: () => void;
}

export function ConversationList({ address, conversations, error, more, listRef, onRetry }: ConversationListProps) {
  const { tab, q, platform, twinId, whose, conversationId, change } = address;
  const filtered = Boolean(q || platform || twinId || whose);
  if (error) {
    return <ErrorCard className="m-4" title="Не удалось загрузить диалоги" error={error} onRetry={onRetry} />;
  }
  if (!conversations) {
    return (
      <>
        <LoadingStatus className="border-b py-4">Загружаем диалоги...</LoadingStatus>
        <ul>
          {[0, 1, 2].map((row) => (
            <ConversationRowSkeleton key={row} />
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      {filtered && (
        <p role="status" className="sr-only">
          Найдено: {plural(conversations.length, ["диалог", "диалога", "диалогов"])}
        </p>
      )}
      {conversations.length === 0 && filtered && (
        <EmptyState
          icon={SearchX}
          title="Ничего не найдено"
          action={
            <Button onClick={() => change({ q: null, platform: null, twin: null, whose: null })}>Сбросить</Button>
          }
        />
      )}
      {conversations.length === 0 && !filtered && <EmptyTab tab={tab} />}
      <ul ref={listRef} aria-label="Диалоги">
        {conversations.map((conversation) => (
          <ConversationRow
            key={conversation.id}
            conversation={conversation}
            selected={conversation.id === conversationId}
            // From one conversation to the next «back» leads to the list, not through each of them.
            onOpen={() => change({ dialog: conversation.id }, { push: conversationId === null })}
          />
        ))}
      </ul>
      {more.has && (
        <div className="border-t p-3 text-center">
          <Button busy={more.loading} onClick={more.load}>
            Показать ещё
          </Button>
        </div>
      )}
    </>
  );
}

const emptyTabs: Record<ConversationTab, { title: string; description?: string }> = {
  all: { title: "Пока нет диалогов" },
  approval: {
    title: "Ничто не ждёт одобрения",
    description: "Когда двойник подключён к мессенджеру или почте и пишет черновики, они приходят сюда.",
  },
  twin: { title: "Двойник не ведёт ни одного диалога" },
  me: {
    title: "Вы не ведёте ни одного диалога",
    description: "Здесь стоят диалоги мессенджеров и почты, в которых вы отвечаете вместо двойника.",
  },
  closed: { title: "Закрытых диалогов нет" },
};

/** Empty state for conversations with contacts, with a link to connect a platform. */
export function EmptyTab({ tab }: { tab: ConversationTab }) {
  const fromChannels = tab === "approval" || tab === "me";
  return (
    <EmptyState
      icon={fromChannels ? PlugZap : Inbox}
      {...emptyTabs[tab]}
      action={
        fromChannels && (
          <Button asChild>
            <Link href={paths.addIntegration}>Добавить интеграцию</Link>
          </Button>
        )
      }
    />
  );
}
