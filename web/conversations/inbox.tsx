import { clsx } from "clsx";
import { lazy, memo, type ReactNode, Suspense, useCallback, useId, useLayoutEffect, useMemo, useRef } from "react";
import { WaitingBadge } from "#web/parts/waiting/waiting-badge.tsx";
import { waitingOf } from "#web/parts/waiting/waiting-of.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/layout/tabs.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useApprovals } from "./approval/approval-queries.ts";
import { ApprovalsTab } from "./approval/approvals-tab.tsx";
import {
  type ConversationAddress,
  conversationTabs,
  filtersOf,
  tabNames,
  useAddressNow,
} from "./conversation-address.ts";
import { ConversationToolbar } from "./conversation-toolbar.tsx";
import { findApprovals } from "./export/export-approvals.ts";
import { useExport } from "./export/use-export.ts";
import { ConversationList } from "./list/conversation-list.tsx";
import { KeysLine } from "./list/keys-line.tsx";
import { focusRow, useListKeys } from "./list/list-keys.ts";
import { rowsOf, useConversations } from "./queries.ts";
import { type ConversationFilters, matches, type ShownConversation } from "./shown-conversation.ts";
import { useSelection } from "./triage/selection.ts";
import { NO_TRIAGE, TriageContext, useTriage, useTriageValue } from "./triage/triage.tsx";
import { useTriageKeys } from "./triage/triage-keys.ts";

const OpenConversation = memo(lazy(() => import("./open-conversation.tsx")));
const FoundMessages = lazy(() => import("./search/found-messages.tsx"));
const BulkBar = lazy(() => import("./triage/bulk-bar.tsx"));

interface InboxProps {
  /** The address that is drawn; `AddressNow` may already be ahead of it. */
  address: ConversationAddress;
  /** Whether the owner's test chats appear only in their own tab. */
  testsApart: boolean;
  /** Whether test chats can be separated here: all conversations are loaded, or the latest are contacts'. */
  sorted: boolean;
  samples: readonly ShownConversation[] | undefined;
  onRetry: () => void;
  retrying: boolean;
}

/** List, thread and details side by side; on a narrow screen the thread replaces the list. */
export function Inbox({ address, testsApart, sorted, samples, onRetry, retrying }: InboxProps) {
  const { tab, conversationId, messageId, change } = address;
  const filters = useMemo(() => filtersOf(address, { testsApart }), [address, testsApart]);
  // A conversation found only by a message appears once, among the messages.
  const withMessages = filters?.q !== undefined && !filters.snoozed && !samples;
  const listed = useMemo<ConversationFilters | null>(
    () => (withMessages ? { ...filters, named: "1" } : filters),
    [withMessages, filters],
  );
  const leftOut = sorted && listed?.contacts && Object.keys(listed).length === 1;
  const found = useConversations(leftOut ? {} : (listed ?? {}), listed !== null && !samples);
  const list = useRef<HTMLDivElement>(null);
  const heading = useId();
  useListKeys(list);
  const rows = useMemo(() => samples ?? rowsOf(found.data), [samples, found.data]);
  const shown = useMemo(() => {
    if (listed === null) return [];
    // The server also matches other grammatical forms. Until it answers, the previous rows are filtered by the typed words.
    const { q, named, ...others } = listed;
    const unasked = samples !== undefined || found.isPlaceholderData;
    return rows?.filter((conversation) => matches(conversation, unasked ? listed : others));
  }, [rows, listed, samples, found.isPlaceholderData]);
  const selection = useSelection(shown);
  const triage = useTriage(selection.drop);
  const useful = useTriageValue(triage);
  useTriageKeys({ list, shown: samples ? [] : shown, selection, triage });
  const waits = tab === "approval";
  const approvals = useApprovals(waits || !samples, waits).data;
  const due = useMemo(() => waitingOf(approvals ?? []), [approvals]);
  const waiting = useMemo(() => approvals && findApprovals(approvals, address), [approvals, address]);
  const saving = useExport();
  const approving = waits && !conversationId;
  const known = rows?.find(({ id }) => id === conversationId);
  const { fetchNextPage, refetch } = found;
  const more = useMemo(
    () => ({
      has: filters !== null && !samples && found.hasNextPage,
      loading: found.isFetchingNextPage,
      load: () => void fetchNextPage(),
    }),
    [filters, samples, found.hasNextPage, found.isFetchingNextPage, fetchNextPage],
  );
  const messages = useMemo(
    () =>
      filters?.q && withMessages
        ? (nothing: ReactNode) => (
            <Suspense>
              <FoundMessages
                filters={filters}
                openId={messageId}
                nothing={shown?.length === 0 ? nothing : undefined}
                onOpen={(message) =>
                  change({ dialog: message.conversationId, message: message.id }, { push: conversationId === null })
                }
              />
            </Suspense>
          )
        : undefined,
    [filters, withMessages, messageId, shown, conversationId, change],
  );

  /** The row from which the conversation that was just closed had been opened. */
  const left = useRef<{ id: string; messageId: string | null } | null>(null);
  const latest = useCallback(() => change({ message: null }), [change]);
  // A test chat opened from elsewhere switches to the tab that contains its row.
  const apart = testsApart && tab !== "tests" && address.q === "";
  const toTests = useCallback(() => apart && change({ tab: "tests" }), [apart, change]);
  const close = useCallback(() => change({ dialog: null, message: null }), [change]);
  const leave = useCallback(() => {
    close();
    if (conversationId === null) return;
    left.current = { id: conversationId, messageId };
    focusRow(list.current, conversationId, messageId);
  }, [close, conversationId, messageId]);
  // On a narrow screen the row exists only after the conversation is closed.
  useLayoutEffect(() => {
    if (conversationId !== null || left.current === null) return;
    if (!list.current?.contains(document.activeElement))
      focusRow(list.current, left.current.id, left.current.messageId);
    left.current = null;
  }, [conversationId]);

  return (
    <Card
      aria-labelledby={heading}
      className={clsx(
        "flex min-h-80 flex-col overflow-clip max-lg:rounded-none! max-lg:border-0! lg:flex-1",
        conversationId && "max-lg:h-[calc(100dvh-var(--bottombar)-env(safe-area-inset-bottom))]",
        conversationId && "md:max-lg:h-dvh",
      )}
    >
      <h2 id={heading} className="sr-only">
        Последние диалоги
      </h2>
      <div className={clsx(conversationId && "max-lg:hidden")}>
        {samples && <SampleNotice onRetry={onRetry} retrying={retrying} />}
        <ConversationToolbar
          exporting={saving.exporting}
          exportWhyNot={whyNoExport(waits ? (waiting ?? "unread") : withMessages ? undefined : shown)}
          onExport={() => {
            if (waits) saving.exportApprovals(waiting ?? []);
            else if (samples || filters === null) saving.exportConversations(shown ?? []);
            else saving.exportFound(filters);
          }}
        />
      </div>
      <TabsNow>
        <div className={clsx(conversationId && "max-lg:hidden")}>
          <TabsList aria-label="Какие диалоги" className="px-2">
            {conversationTabs.map((name) => (
              <TabsTrigger key={name} value={name}>
                {tabNames[name]}
                {name === "approval" && <WaitingBadge />}
              </TabsTrigger>
            ))}
          </TabsList>
        </div>
        <PanelNow
          drawn={address}
          className={clsx(
            "grid min-h-0 flex-1 grid-cols-1 grid-rows-1 overflow-clip p-0!",
            conversationId && "lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]",
          )}
        >
          {approving ? (
            <ApprovalsTab
              address={address}
              onOpenConversation={(id) => change({ dialog: id, tab: null }, { push: true })}
            />
          ) : (
            <div className={clsx("min-h-0 overflow-y-auto", conversationId && "max-lg:hidden lg:border-e")}>
              <ConversationList
                address={address}
                conversations={shown}
                waiting={due}
                error={filters !== null && !samples && !found.data ? found.error : null}
                more={more}
                listRef={list}
                selection={triage.may && !samples ? selection : undefined}
                onRetry={refetch}
                messages={messages}
              />
            </div>
          )}
          {!approving && conversationId && (
            <Suspense fallback={<LoadingStatus className="min-h-64">Загрузка...</LoadingStatus>}>
              <TriageContext value={samples ? NO_TRIAGE : useful}>
                <OpenConversation
                  key={conversationId}
                  id={conversationId}
                  known={known}
                  isSample={samples !== undefined}
                  messageId={messageId}
                  onTestChat={toTests}
                  onLatest={latest}
                  onLeave={leave}
                  onRemoved={close}
                />
              </TriageContext>
            </Suspense>
          )}
        </PanelNow>
      </TabsNow>
      {selection.chosen.length > 0 && !approving && (
        <Suspense>
          <BulkBar selection={selection} triage={triage} />
        </Suspense>
      )}
      {!conversationId && <KeysLine approving={approving} onAll={() => triage.ask("keys")} />}
      {triage.dialogs}
    </Card>
  );
}

function TabsNow({ children }: { children: ReactNode }) {
  const { tab, change } = useAddressNow();
  return (
    <Tabs
      value={tab}
      onValueChange={(value) => change({ tab: value === "all" ? null : value })}
      className="flex min-h-0 flex-1 flex-col"
    >
      {children}
    </Tabs>
  );
}

/** @param drawn the address whose content the panel shows */
function PanelNow({ drawn, ...props }: { drawn: ConversationAddress; className: string; children: ReactNode }) {
  const now = useAddressNow();
  return <TabsContent value={now.tab} tabIndex={-1} aria-busy={now !== drawn} {...props} />;
}

/** The specification shows samples in place of a failed list, and no error. */
function SampleNotice({ onRetry, retrying }: Pick<InboxProps, "onRetry" | "retrying">) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-sunken px-4 py-2.5">
      <SampleBadge />
      <p className="min-w-0 flex-1 text-md text-muted">Так выглядят диалоги двойников</p>
      <Button size="sm" busy={retrying} onClick={onRetry}>
        Обновить
      </Button>
    </div>
  );
}

function whyNoExport(list: readonly unknown[] | "unread" | undefined): string | null {
  if (list === "unread") return "Список ещё не загружен.";
  return list?.length === 0 ? "Выгружать нечего: в списке пусто." : null;
}
