import { clsx } from "clsx";
import { MessageSquarePlus, MessagesSquare, SearchX } from "lucide-react";
import { lazy, Suspense, useId, useMemo, useRef, useState } from "react";
import { messageOf } from "#web/api.ts";
import { downloadCsv } from "#web/csv.ts";
import { plural } from "#web/i18n/plural.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { Page } from "#web/shell/page.tsx";
import { StopButton } from "#web/stop-switch/stop-button.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorCard } from "#web/ui/error-card.tsx";
import { LoadingStatus } from "#web/ui/spinner.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/tabs.tsx";
import { toast } from "#web/ui/toast.ts";
import { useApprovals } from "./approval-queries.ts";
import { type Dialogue, matches } from "./dialogue.ts";
import { dialogueTabs, filtersOf, tabNames, useDialogueAddress } from "./dialogue-address.ts";
import { DialogueFigures } from "./dialogue-figures.tsx";
import { DialogueList, EmptyTab } from "./dialogue-list.tsx";
import { DialogueToolbar } from "./dialogue-toolbar.tsx";
import { dialoguesCsv } from "./export-dialogues.ts";
import { focusRow, useListKeys } from "./list-keys.ts";
import { useLiveInbox } from "./live.ts";
import { readAllDialogues, useDialogues } from "./queries.ts";
import { sampleDialogues } from "./samples.ts";

const ApprovalsList = lazy(() => import("./approvals-list.tsx"));
const OpenDialogue = lazy(() => import("./open-dialogue.tsx"));
const NewDialogue = lazy(() => import("./new-dialogue.tsx"));

export default function ConversationsPage() {
  const address = useDialogueAddress();
  const { dialogueId, choosing, change } = address;
  useLiveInbox();
  const all = useDialogues({});
  const [samples] = useState(() => sampleDialogues(Date.now()));
  const { data, isSample } = shownOrSample({ data: all.data?.pages.flat(), error: all.error }, samples);
  const empty = data?.length === 0;
  // The first contact may write while the page is open.
  const waiting = useApprovals(empty || address.tab === "approval");
  const none = empty && !waiting.data?.length;
  const startNew = () => change({ new: "" });
  return (
    <Page
      title="Диалоги"
      width="wide"
      actions={<StopButton />}
      {...(none ? {} : { create: { label: "Новый диалог", onClick: startNew } })}
      className={clsx(dialogueId && "max-lg:p-0!")}
    >
      <DialogueFigures
        dialogues={data}
        complete={isSample || !all.hasNextPage}
        isSample={isSample}
        className={clsx("mb-6", dialogueId && "max-lg:hidden")}
      />
      {none && !dialogueId ? (
        <Card>
          <EmptyState
            icon={MessagesSquare}
            title="Пока нет диалогов"
            description="Поговорите с двойником сами: так видно, как он ответит другим."
            action={
              <Button variant="primary" onClick={startNew}>
                <MessageSquarePlus aria-hidden className="icon" />
                Начать диалог
              </Button>
            }
          />
        </Card>
      ) : (
        <Inbox
          address={address}
          samples={isSample ? samples : undefined}
          onRetry={() => void all.refetch()}
          retrying={all.isFetching}
        />
      )}
      {choosing && (
        <Suspense>
          <NewDialogue
            onOpened={(id) =>
              change({ new: null, dialog: id, tab: null, q: null, platform: null, twin: null, whose: null })
            }
            onClose={() => change({ new: null })}
          />
        </Suspense>
      )}
    </Page>
  );
}

interface InboxProps {
  address: ReturnType<typeof useDialogueAddress>;
  /** Stand in place of the dialogues that could not be read. */
  samples: readonly Dialogue[] | undefined;
  onRetry: () => void;
  retrying: boolean;
}

/** List, thread and details side by side; on a narrow screen the thread takes the list's place. */
function Inbox({ address, samples, onRetry, retrying }: InboxProps) {
  const { tab, dialogueId, change } = address;
  const filters = filtersOf(address);
  const found = useDialogues(filters ?? {}, filters !== null && !samples);
  const list = useRef<HTMLUListElement>(null);
  const heading = useId();
  useListKeys(list, dialogueId);
  const shown = useMemo(() => {
    if (filters === null) return [];
    return (samples ?? found.data?.pages.flat())?.filter((dialogue) => matches(dialogue, filters));
  }, [samples, found.data, filters]);
  const { exporting, exportShown } = useExport();
  const approving = tab === "approval" && !dialogueId;
  const known = (samples ?? found.data?.pages.flat())?.find(({ id }) => id === dialogueId);

  function leave() {
    change({ dialog: null });
    if (dialogueId) focusRow(list.current, dialogueId);
  }

  return (
    <Card
      aria-labelledby={heading}
      className={clsx(
        "flex flex-col overflow-hidden lg:h-[calc(100dvh-17rem)] lg:min-h-[38rem]",
        dialogueId && "max-lg:h-[calc(100dvh-var(--header)-var(--bottombar))] max-lg:rounded-none! max-lg:border-0!",
        dialogueId && "md:max-lg:h-[calc(100dvh-var(--header))]",
      )}
    >
      <div className={clsx(dialogueId && "max-lg:hidden")}>
        {samples && <SampleNotice onRetry={onRetry} retrying={retrying} />}
        <DialogueToolbar
          headingId={heading}
          address={address}
          exporting={exporting}
          onExport={() => exportShown(samples || filters === null ? (shown ?? []) : filters)}
        />
      </div>
      <Tabs
        value={tab}
        onValueChange={(value) => change({ tab: value === "all" ? null : value })}
        className="flex min-h-0 flex-1 flex-col"
      >
        <TabsList aria-label="Какие диалоги" className={clsx("px-2", dialogueId && "max-lg:hidden")}>
          {dialogueTabs.map((name) => (
            <TabsTrigger key={name} value={name}>
              {tabNames[name]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent
          value={tab}
          tabIndex={-1}
          className={clsx(
            "grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] p-0!",
            !approving && "lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[23rem_minmax(0,1fr)]",
          )}
        >
          {approving ? (
            <Approvals address={address} onOpenDialogue={(id) => change({ dialog: id, tab: null }, { push: true })} />
          ) : (
            <div className={clsx("min-h-0 overflow-y-auto lg:border-e", dialogueId && "max-lg:hidden")}>
              <DialogueList
                address={address}
                dialogues={shown}
                error={filters !== null && !samples && !found.data ? found.error : null}
                more={{
                  has: filters !== null && !samples && found.hasNextPage,
                  loading: found.isFetchingNextPage,
                  load: () => void found.fetchNextPage(),
                }}
                listRef={list}
                onRetry={() => void found.refetch()}
              />
            </div>
          )}
          {approving ? null : dialogueId ? (
            <Suspense fallback={<LoadingStatus className="min-h-64">Загрузка...</LoadingStatus>}>
              <OpenDialogue
                key={dialogueId}
                id={dialogueId}
                known={known}
                isSample={samples !== undefined}
                onLeave={leave}
                onRemoved={() => change({ dialog: null })}
              />
            </Suspense>
          ) : (
            <NothingOpen />
          )}
        </TabsContent>
      </Tabs>
    </Card>
  );
}

interface ApprovalsProps {
  address: ReturnType<typeof useDialogueAddress>;
  onOpenDialogue: (id: string) => void;
}

function Approvals({ address: { q, platform, twinId }, onOpenDialogue }: ApprovalsProps) {
  const { data, error, refetch } = useApprovals(true);
  if (!data) {
    return error ? (
      <ErrorCard className="m-4" title="Не удалось загрузить ответы" error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingStatus className="min-h-64">Загружаем ответы...</LoadingStatus>
    );
  }
  const words = q.trim().toLocaleLowerCase("ru");
  const found = data.filter(
    (one) =>
      (!words ||
        [one.contactName, one.twinName, one.question, one.text].some((text) =>
          text.toLocaleLowerCase("ru").includes(words),
        )) &&
      (!platform || one.platform === platform) &&
      (!twinId || one.twinId === twinId),
  );
  if (data.length === 0) return <EmptyTab tab="approval" />;
  if (found.length === 0) return <EmptyState icon={SearchX} title="Ничего не найдено" />;
  return (
    <Suspense fallback={<LoadingStatus className="min-h-64">Загружаем ответы...</LoadingStatus>}>
      <ApprovalsList approvals={found} onOpenDialogue={onOpenDialogue} />
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

function NothingOpen() {
  return (
    <div className="grid min-h-0 place-items-center p-6 max-lg:hidden">
      <EmptyState
        icon={MessagesSquare}
        title="Выберите диалог"
        description={
          <>
            Клавиши <kbd>J</kbd> и&nbsp;<kbd>K</kbd> ведут по&nbsp;списку, <kbd>Enter</kbd> открывает, <kbd>Esc</kbd>{" "}
            возвращает
          </>
        }
      />
    </div>
  );
}

/** Every row that the filters show, as a file: rows at hand, or whatever the server has for the filters. */
function useExport() {
  const [exporting, setExporting] = useState(false);
  async function exportShown(what: Parameters<typeof readAllDialogues>[0] | readonly Dialogue[]) {
    setExporting(true);
    try {
      const rows = Array.isArray(what) ? what : await readAllDialogues(what as Parameters<typeof readAllDialogues>[0]);
      downloadCsv(`dialogi-${new Date().toLocaleDateString("sv-SE")}.csv`, dialoguesCsv(rows));
      toast({ title: "Экспорт готов", description: plural(rows.length, ["диалог", "диалога", "диалогов"]) });
    } catch (error) {
      toast({ title: "Не удалось выгрузить диалоги", description: messageOf(error), variant: "destructive" });
    } finally {
      setExporting(false);
    }
  }
  return { exporting, exportShown };
}
