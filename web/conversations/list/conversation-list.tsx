import { SearchX } from "lucide-react";
import { memo, type ReactNode, type RefObject, useCallback, useState } from "react";
import { plural } from "#web/i18n/plural.ts";
import type { WaitingState } from "#web/parts/waiting/waiting-of.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useIsDesktop } from "#web/ui/use-is-desktop.ts";
import { type ConversationAddress, NO_FILTERS, useAddressNow } from "../conversation-address.ts";
import { EmptyTab } from "../empty-tab.tsx";
import type { ShownConversation } from "../shown-conversation.ts";
import type { Selection } from "../triage/selection.ts";
import { ConversationRow, ConversationRowSkeleton } from "./conversation-row.tsx";
import { useRenderedRowCount } from "./rendered-rows.ts";
import { useMinute, waitingTimeText } from "./waiting-time.ts";

interface ConversationListProps {
  address: ConversationAddress;
  conversations: readonly ShownConversation[] | undefined;
  waiting: ReadonlyMap<string, WaitingState>;
  error: unknown;
  more: { has: boolean; loading: boolean; load: () => void };
  /** Element around all rows, including found messages, through which the arrow keys move. */
  listRef: RefObject<HTMLDivElement | null>;
  onRetry: () => void;
  /** Renders the found messages, or the given placeholder when there are none either. */
  messages: ((nothing: ReactNode) => ReactNode) | undefined;
  selection: Selection | undefined;
}

const FIRST_FOUND = 5;

export const ConversationList = memo(function ConversationList(props: ConversationListProps) {
  const { address, conversations, waiting, error, more, listRef, onRetry, messages, selection } = props;
  const { tab, q, platform, twinId, whose, label, day, snoozed, conversationId, change } = address;
  const now = useAddressNow();
  const minute = useMinute();
  const selectedId = now.messageId === null ? now.conversationId : null;
  const atDesk = useIsDesktop();
  const form = !atDesk ? "phone" : conversationId === null ? "line" : "beside";
  // Moving between conversations adds no history entry, so that «back» leads to the list.
  const push = conversationId === null;
  const open = useCallback((dialog: string) => change({ dialog, message: null }, { push }), [change, push]);
  const [wholeFor, setWholeFor] = useState<string | null>(null);
  const filtered = Boolean(q || platform || twinId || whose || label || day || snoozed);
  const cut = messages !== undefined && wholeFor !== q && (conversations?.length ?? 0) > FIRST_FOUND;
  const shown = cut ? conversations!.slice(0, FIRST_FOUND) : (conversations ?? []);
  const drawn = useRenderedRowCount(
    listRef,
    [tab, q, platform, twinId, whose, label, day, snoozed].join(),
    shown.findIndex(({ id }) => id === conversationId) + 1,
    shown.length,
  );
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
  const nothing = (
    <EmptyState
      icon={SearchX}
      title={
        snoozed && !q && !platform && !twinId && !whose && !label && !day ? "Ничего не отложено" : "Ничего не найдено"
      }
      action={<Button onClick={() => change({ q: null, ...NO_FILTERS })}>Сбросить</Button>}
    />
  );
  return (
    <div ref={listRef}>
      {messages !== undefined && conversations.length > 0 && (
        <h3 className="bg-sunken px-3 py-1.5 font-medium text-muted text-sm md:px-4">Диалоги</h3>
      )}
      {filtered && (
        <p role="status" className="sr-only">
          Найдено: {plural(conversations.length, ["диалог", "диалога", "диалогов"])}
        </p>
      )}
      {conversations.length === 0 && filtered && messages === undefined && nothing}
      {conversations.length === 0 && !filtered && <EmptyTab tab={tab} />}
      <ul aria-label="Диалоги">
        {shown.slice(0, drawn).map((conversation, at) => (
          <ConversationRow
            key={conversation.id}
            form={form}
            conversation={conversation}
            place={at + 1}
            of={more.has ? -1 : conversations.length}
            selected={conversation.id === selectedId}
            search={q}
            waits={waiting.get(conversation.id)?.kind}
            waited={waitingTimeText(conversation, waiting.get(conversation.id), minute)}
            {...(selection
              ? {
                  chosen: selection.ids.has(conversation.id),
                  choosing: selection.ids.size > 0,
                  onChoose: selection.toggle,
                }
              : {})}
            onOpen={open}
          />
        ))}
      </ul>
      {cut ? (
        <div className="border-t px-3 py-1.5 md:px-4">
          <Button variant="ghost" size="sm" className="-ms-3" onClick={() => setWholeFor(q)}>
            Показать все диалоги ({more.has ? `${conversations.length}+` : conversations.length})
          </Button>
        </div>
      ) : (
        more.has &&
        drawn >= shown.length && (
          <div className="border-t p-3 text-center">
            <Button busy={more.loading} onClick={more.load}>
              Показать ещё
            </Button>
          </div>
        )
      )}
      {messages?.(nothing)}
    </div>
  );
});
