import { clsx } from "clsx";
import { MessageSquarePlus, MessagesSquare, SearchX } from "lucide-react";
import {
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { StopButton } from "#web/parts/stop-switch/stop-button.tsx";
import { WaitingBadge } from "#web/parts/waiting/waiting-badge.tsx";
import { shownOrSample } from "#web/sample-data.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Page } from "#web/shell/page.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/layout/tabs.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useApprovals } from "./approval/approval-queries.ts";
import { waitingKinds } from "./approval/open-question.ts";
import {
  type ConversationAddress,
  conversationTabs,
  filtersOf,
  NO_FILTERS,
  tabNames,
  useConversationAddress,
} from "./conversation-address.ts";
import { ConversationToolbar } from "./conversation-toolbar.tsx";
import { ConversationFigures } from "./details/conversation-figures.tsx";
import { findApprovals } from "./export/export-approvals.ts";
import { useExport } from "./export/use-export.ts";
import { ConversationList, EmptyTab } from "./list/conversation-list.tsx";
import { focusRow, useListKeys } from "./list/list-keys.ts";
import { rowsOf, useConversations } from "./queries.ts";
import { sampleConversations } from "./samples.ts";
import { type ConversationFilters, matches, type ShownConversation } from "./shown-conversation.ts";
import { useSelection } from "./triage/selection.ts";
import { NO_TRIAGE, TriageContext, useTriage, useTriageValue } from "./triage/triage.tsx";
import { useTriageKeys } from "./triage/triage-keys.ts";

const ApprovalsList = lazy(() => import("./approval/approvals-list.tsx"));
const OpenConversation = memo(lazy(() => import("./open-conversation.tsx")));
const FoundMessages = lazy(() => import("./search/found-messages.tsx"));
const BulkBar = lazy(() => import("./triage/bulk-bar.tsx"));
const NewConversation = lazy(() => import("./new-conversation.tsx"));

export default function ConversationsPage() {
  // A key or a press marks the row or the tab at once; the layout that it leads to is drawn in a pass that can be interrupted.
  const now = useConversationAddress();
  const address = useDeferredValue(now);
  const { conversationId } = address;
  const { choosing, change } = now;
  const all = useConversations({});
  const [samples] = useState(() => sampleConversations(Date.now()));
  const loaded = useMemo(() => rowsOf(all.data), [all.data]);
  const { data, isSample } = shownOrSample({ data: loaded, error: all.error }, samples);
  const empty = data?.length === 0;
  // The first contact may write while the page is open.
  const waiting = useApprovals(empty || address.tab === "approval");
  // Whoever has put all of them off still has them.
  const putOff = useConversations({ snoozed: "1" }, empty);
  const none = empty && !waiting.data?.length && !rowsOf(putOff.data)?.length;
  const startNew = () => change({ new: "" });
  const figures = (
    <ConversationFigures
      conversations={data}
      complete={isSample || !all.hasNextPage}
      isSample={isSample}
      {...(none ? {} : { className: "sm:grid sm:grid-cols-2" })}
    />
  );
  return (
    <Page
      title="Диалоги"
      width="wide"
      actions={<StopButton />}
      {...(none ? {} : { create: { label: "Новый диалог", onClick: startNew } })}
      className={clsx("lg:py-4!", (conversationId || !none) && "max-lg:p-0!")}
    >
      {none && !conversationId && figures}
      {none && !conversationId ? (
        <Card className="mt-4">
          <EmptyState
            icon={MessagesSquare}
            title="Пока нет диалогов"
            description="Поговорите с двойником сами: так видно, как он ответит другим."
            action={
              <EditorButton variant="primary" onClick={startNew}>
                <MessageSquarePlus aria-hidden className="icon" />
                Начать диалог
              </EditorButton>
            }
          />
        </Card>
      ) : (
        <Inbox
          now={now}
          address={address}
          figures={figures}
          samples={isSample ? samples : undefined}
          onRetry={() => void all.refetch()}
          retrying={all.isFetching}
        />
      )}
      {choosing && (
        <Suspense>
          <NewConversation
            onOpened={(id) => change({ new: null, dialog: id, tab: null, q: null, ...NO_FILTERS })}
            onClose={() => change({ new: null })}
          />
        </Suspense>
      )}
    </Page>
  );
}

interface InboxProps {
  /** What the user has just asked for: it is marked at once. */
  now: ConversationAddress;
  /** What stands there: `now`, or what was there before it while that is being drawn. */
  address: ConversationAddress;
  /** How many there are, for the line above the list. */
  figures: ReactNode;
  /** Sample conversations, shown when the real ones could not be loaded. */
  samples: readonly ShownConversation[] | undefined;
  onRetry: () => void;
  retrying: boolean;
}

/** List, thread and details side by side; on a narrow screen the thread takes the list's place. */
function Inbox({ now, address, figures, samples, onRetry, retrying }: InboxProps) {
  const { tab, conversationId, messageId, change } = address;
  const filters = useMemo(() => filtersOf(address), [address]);
  // A conversation that only a message finds stands among the messages, once.
  const withMessages = filters?.q !== undefined && !filters.snoozed && !samples;
  const listed = useMemo<ConversationFilters | null>(
    () => (withMessages ? { ...filters, named: "1" } : filters),
    [withMessages, filters],
  );
  const found = useConversations(listed ?? {}, listed !== null && !samples);
  const list = useRef<HTMLDivElement>(null);
  const heading = useId();
  useListKeys(list, now.conversationId);
  const rows = useMemo(() => samples ?? rowsOf(found.data), [samples, found.data]);
  const shown = useMemo(() => {
    if (listed === null) return [];
    // The server finds other forms of a word too; until it has answered, the rows of before are gone through for what is typed.
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
  const kinds = useMemo(() => waitingKinds(approvals ?? []), [approvals]);
  const waiting = useMemo(() => approvals && findApprovals(approvals, address), [approvals, address]);
  const saving = useExport();
  const approving = waits && !conversationId;
  const filtered = Boolean(address.q || address.platform || address.twinId);
  // On a phone the queue comes before what narrows it.
  const queueAlone = approving && filters === null && !filtered;
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

  /** The row from which the conversation was opened that has just been left. */
  const left = useRef<{ id: string; messageId: string | null } | null>(null);
  const latest = useCallback(() => change({ message: null }), [change]);
  const close = useCallback(() => change({ dialog: null, message: null }), [change]);
  const leave = useCallback(() => {
    close();
    if (conversationId === null) return;
    left.current = { id: conversationId, messageId };
    focusRow(list.current, conversationId, messageId);
  }, [close, conversationId, messageId]);
  // On a narrow screen the row is there only now.
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
        "flex flex-col overflow-clip min-h-80 max-lg:rounded-none! max-lg:border-0! lg:h-[calc(100dvh-var(--header)-2rem)]",
        conversationId && "max-lg:h-[calc(100dvh-var(--header)-var(--bottombar))]",
        conversationId && "md:max-lg:h-[calc(100dvh-var(--header))]",
      )}
    >
      {queueAlone && <h2 className="sr-only lg:hidden">Последние диалоги</h2>}
      <div className={clsx((conversationId || queueAlone) && "max-lg:hidden")}>
        {samples && <SampleNotice onRetry={onRetry} retrying={retrying} />}
        <ConversationToolbar
          headingId={heading}
          figures={figures}
          address={now}
          exporting={saving.exporting}
          exportWhyNot={whyNoExport(waits ? (waiting ?? "unread") : withMessages ? undefined : shown)}
          onExport={() => {
            if (waits) saving.exportApprovals(waiting ?? []);
            else if (samples || filters === null) saving.exportConversations(shown ?? []);
            else saving.exportFound(filters);
          }}
        />
      </div>
      <Tabs
        value={now.tab}
        onValueChange={(value) => change({ tab: value === "all" ? null : value })}
        className="flex min-h-0 flex-1 flex-col"
      >
        <TabsList aria-label="Какие диалоги" className={clsx("px-2", conversationId && "max-lg:hidden")}>
          {conversationTabs.map((name) => (
            <TabsTrigger key={name} value={name}>
              {tabNames[name]}
              {name === "approval" && <WaitingBadge />}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent
          value={now.tab}
          tabIndex={-1}
          aria-busy={now !== address}
          className={clsx(
            "grid min-h-0 flex-1 grid-cols-1 grid-rows-1 overflow-clip p-0!",
            conversationId && "lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]",
          )}
        >
          {approving ? (
            <Approvals
              address={address}
              onOpenConversation={(id) => change({ dialog: id, tab: null }, { push: true })}
            />
          ) : (
            <div className={clsx("min-h-0 overflow-y-auto", conversationId && "max-lg:hidden lg:border-e")}>
              <ConversationList
                address={address}
                selectedId={now.messageId === null ? now.conversationId : null}
                conversations={shown}
                waiting={kinds}
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
                  onLatest={latest}
                  onLeave={leave}
                  onRemoved={close}
                />
              </TriageContext>
            </Suspense>
          )}
        </TabsContent>
      </Tabs>
      {selection.chosen.length > 0 && !approving && (
        <Suspense>
          <BulkBar selection={selection} triage={triage} />
        </Suspense>
      )}
      {!conversationId && <Keys approving={approving} onAll={() => triage.ask("keys")} />}
      {triage.dialogs}
    </Card>
  );
}

interface ApprovalsProps {
  address: ConversationAddress;
  onOpenConversation: (id: string) => void;
}

function Approvals({ address, onOpenConversation }: ApprovalsProps) {
  const { data, error, refetch } = useApprovals(true);
  if (!data) {
    return error ? (
      <ErrorCard className="m-4" title="Не удалось загрузить ответы" error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingStatus className="min-h-64">Загружаем ответы...</LoadingStatus>
    );
  }
  const found = findApprovals(data, address);
  if (data.length === 0) return <EmptyTab tab="approval" />;
  if (found.length === 0) return <EmptyState icon={SearchX} title="Ничего не найдено" />;
  return (
    <Suspense fallback={<LoadingStatus className="min-h-64">Загружаем ответы...</LoadingStatus>}>
      <ApprovalsList approvals={found} onOpenConversation={onOpenConversation} />
    </Suspense>
  );
}

function SampleNotice({ onRetry, retrying }: Pick<InboxProps, "onRetry" | "retrying">) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-sunken px-4 py-2.5">
      <SampleBadge />
      <p className="min-w-0 flex-1 text-md text-muted">Диалоги не загрузились: показан пример</p>
      <Button size="sm" busy={retrying} onClick={onRetry}>
        Повторить
      </Button>
    </div>
  );
}

function whyNoExport(list: readonly unknown[] | "unread" | undefined): string | null {
  if (list === "unread") return "Список ещё не загружен.";
  return list?.length === 0 ? "Выгружать нечего: в списке пусто." : null;
}

/** The keys of the list that is shown, for those who have a keyboard. */
function Keys({ approving, onAll }: { approving: boolean; onAll: () => void }) {
  return (
    <p className="border-t px-4 py-1.5 text-muted text-sm max-lg:hidden">
      {approving ? (
        <>
          <kbd>J</kbd> и&nbsp;<kbd>K</kbd> ведут по&nbsp;ответам, на&nbsp;выбранном <kbd>A</kbd> отправляет,{" "}
          <kbd>E</kbd> правит, <kbd>R</kbd> отклоняет
        </>
      ) : (
        <>
          <kbd>J</kbd> и&nbsp;<kbd>K</kbd> ведут по&nbsp;списку, <kbd>Enter</kbd> открывает, <kbd>Esc</kbd> возвращает,{" "}
          <kbd>/</kbd> ищет, <kbd>X</kbd> выбирает, <kbd>H</kbd> откладывает, <kbd>L</kbd> ставит метку
        </>
      )}
      {", "}
      <button type="button" className="rounded-sm underline underline-offset-2 hover:text-fg" onClick={onAll}>
        все клавиши
      </button>{" "}
      <kbd>?</kbd>
    </p>
  );
}
