import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { useImports } from "#web/parts/imports/queries.ts";
import { useImportEnds } from "#web/parts/imports/use-import-ends.ts";
import { StorageNotice } from "#web/parts/storage/storage-notice.tsx";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { mayChangeTwin, useReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/layout/tabs.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { DocumentForm } from "./document-form.tsx";
import { Statistics } from "./statistics.tsx";
import { type TrainTab, useTrainAiAddress } from "./use-train-ai-address.ts";

// Loaded on demand, because most users have no import in progress.
const ImportNotice = lazy(() => import("./import-notice.tsx").then(({ ImportNotice }) => ({ default: ImportNotice })));
const UploadedDocuments = lazy(() => import("./uploaded-documents.tsx"));
const TrainingCard = lazy(() => import("./training-card.tsx").then(({ TrainingCard }) => ({ default: TrainingCard })));
const LatestChats = lazy(() => import("./latest-chats.tsx"));
const TwinSearch = lazy(() => import("./twin-search.tsx"));
const Tips = lazy(() => import("./tips.tsx").then(({ Tips }) => ({ default: Tips })));
// Loaded on demand, because most users come for documents first.
const loadConversations = () => import("./conversation-tab.tsx");
const ConversationTab = lazy(loadConversations);

function preloadConversations() {
  // Preload failures are ignored; opening the tab reports them.
  loadConversations().catch(() => undefined);
}

export default function TrainAiPage() {
  return (
    <Page title="Обучение ИИ" description="Документы и переписки, на которых учится двойник">
      {/* The menu uses this name for the screen. */}
      <BackLink href={paths.knowledge}>База знаний</BackLink>
      <Training />
    </Page>
  );
}

const noOwnTwins =
  "Только просмотр: ваших двойников ещё нет, других учат их владельцы и\u00a0администраторы организации.";

/** Tabs, forms and side panel are shown even without twins; they then say how to create one. */
function Training() {
  const { data, isError, error, refetch } = useTwins();
  const twins = data ?? [];
  const [address, change] = useTrainAiAddress();
  const imports = useImports();
  useImportEnds(imports.data);
  const twin = twins.find(({ id }) => id === address.twin) ?? (twins.length === 1 ? twins[0] : undefined);
  const { user } = useSession();
  const taught = user ? twins.filter((each) => mayChangeTwin(user, each)) : twins;
  const choice = {
    twins: taught,
    twinId: taught.find((each) => each === twin)?.id ?? "",
    onTwin: (id: string) => change({ twin: id, import: "" }),
    readOnly: useReadOnly() ?? (twins.length > 0 && taught.length === 0 ? noOwnTwins : null),
  };
  const chats = address.tab === "dialogues";

  return (
    <>
      <StorageNotice className="mb-4" />
      {isError && !data && (
        <ErrorCard className="mb-4" title="Не удалось загрузить двойников" error={error} onRetry={() => refetch()} />
      )}
      {data?.length === 0 && <NoTwins />}
      {imports.data && imports.data.length > 0 && (
        <Suspense>
          <ImportNotice imports={imports.data} address={address} onShow={change} />
        </Suspense>
      )}
      <Tabs value={address.tab} onValueChange={(tab) => change({ tab: tab as TrainTab })}>
        <TabsList aria-label="Чему учить двойника">
          <TabsTrigger value="documents">Документы и знания</TabsTrigger>
          <TabsTrigger value="dialogues" onPointerEnter={preloadConversations} onFocus={preloadConversations}>
            Примеры диалогов
          </TabsTrigger>
        </TabsList>
        <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-x-10">
          <div className="min-w-0">
            <TabsContent value="documents">
              <DocumentForm {...choice} />
            </TabsContent>
            <TabsContent value="dialogues">
              <Suspense fallback={<LoadingStatus className="min-h-80">Загрузка...</LoadingStatus>}>
                <ConversationTab {...choice} imports={imports} address={address} onAddress={change} />
              </Suspense>
            </TabsContent>
            {twin && (
              <div className="mt-8 flex flex-col gap-4">
                <Suspense fallback={<Skeleton className="h-40" />}>
                  <TrainingCard key={twin.id} twin={twin} />
                </Suspense>
                <Suspense>
                  <TwinSearch key={twin.id} twin={twin} />
                </Suspense>
              </div>
            )}
          </div>
          <aside aria-label="Материалы и подсказки" className="flex min-w-0 flex-col gap-6 lg:pt-5">
            {chats && (
              <Suspense fallback={<Skeleton className="h-64" />}>
                <LatestChats />
              </Suspense>
            )}
            <Suspense fallback={<Skeleton className="h-80" />}>
              <UploadedDocuments twins={twins} />
            </Suspense>
            <Suspense fallback={<Skeleton className="h-80" />}>
              <Tips chats={chats} />
            </Suspense>
            <Statistics agents={data?.length} />
          </aside>
        </div>
      </Tabs>
    </>
  );
}

function NoTwins() {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border bg-surface px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium text-base">Пока нет цифровых двойников</p>
        <p className="text-md text-muted">Создайте двойника, чтобы загрузить для него документы и переписки.</p>
      </div>
      <EditorButton asChild>
        <Link href={paths.createTwin}>Создать двойника</Link>
      </EditorButton>
    </div>
  );
}
