import { Users } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
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
import { Card } from "#web/ui/layout/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/layout/tabs.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { DocumentForm } from "./document-form.tsx";
import { Statistics } from "./statistics.tsx";
import { TrainingCard } from "./training-card.tsx";
import { type TrainTab, useTrainAiAddress } from "./use-train-ai-address.ts";

// Most have no import under way.
const ImportNotice = lazy(() => import("./import-notice.tsx").then(({ ImportNotice }) => ({ default: ImportNotice })));
const LatestDocuments = lazy(() => import("./latest-documents.tsx"));
const LatestChats = lazy(() => import("./latest-chats.tsx"));
const TwinSearch = lazy(() => import("./twin-search.tsx"));
const Tips = lazy(() => import("./tips.tsx").then(({ Tips }) => ({ default: Tips })));
// Most come for the documents first.
const loadConversations = () => import("./conversation-tab.tsx");
const ConversationTab = lazy(loadConversations);

function preloadConversations() {
  // A failure shows when the tab is really opened.
  loadConversations().catch(() => undefined);
}

export default function TrainAiPage() {
  const twins = useTwins();
  return (
    <Page title="Обучение ИИ" description="Документы и переписки, на которых учится двойник">
      {/* The menu knows this screen by that name. */}
      <BackLink href={paths.knowledge}>База знаний</BackLink>
      {twins.isError ? (
        <Frame
          main={
            <ErrorCard title="Не удалось загрузить двойников" error={twins.error} onRetry={() => twins.refetch()} />
          }
        />
      ) : twins.data ? (
        <Training twins={twins.data} />
      ) : (
        <Frame main={<ComingForm />} />
      )}
    </Page>
  );
}

const noOwnTwins =
  "Только просмотр: ваших двойников ещё нет, других учат их владельцы и\u00a0администраторы организации.";

function Training({ twins }: { twins: Twin[] }) {
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
    readOnly: useReadOnly() ?? (taught.length === 0 ? noOwnTwins : null),
  };

  if (twins.length === 0) return <Frame twins={twins} main={<NoTwins />} />;
  return (
    <>
      <StorageNotice className="mb-4" />
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
        <Frame
          twins={twins}
          twin={twin}
          chats={address.tab === "dialogues"}
          deciding={
            address.tab === "dialogues" &&
            address.import !== "" &&
            imports.data?.some(({ id, status }) => id === address.import && status !== "done")
          }
          main={
            <>
              <TabsContent value="documents">
                <DocumentForm {...choice} />
              </TabsContent>
              <TabsContent value="dialogues">
                <Suspense fallback={<LoadingStatus className="min-h-80">Загрузка...</LoadingStatus>}>
                  <ConversationTab {...choice} imports={imports} address={address} onAddress={change} />
                </Suspense>
              </TabsContent>
            </>
          }
        />
      </Tabs>
    </>
  );
}

interface FrameProps {
  twins?: Twin[];
  twin?: Twin | undefined;
  /** Whether the panel lists what was loaded of conversations, not of documents. */
  chats?: boolean;
  /** Whether an import on the screen is not done: what else there would be to read or to do waits, so that its questions stand alone. */
  deciding?: boolean | undefined;
  main: ReactNode;
}

/** What one does comes first; the twin's training stands over the side panel, on a phone below the form. */
function Frame({ twins, twin, chats = false, deciding = false, main }: FrameProps) {
  return (
    <div
      className={
        deciding
          ? undefined
          : "grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr] lg:gap-x-10"
      }
    >
      <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">{main}</div>
      {twin && !deciding && (
        <div className="lg:col-start-2 lg:pt-5">
          <TrainingCard key={twin.id} twin={twin} />
        </div>
      )}
      {!deciding && (
        <aside
          aria-label="Материалы и подсказки"
          className="flex min-w-0 flex-col gap-8 lg:col-start-2 lg:first-of-type:pt-5"
        >
          <Suspense fallback={<Skeleton className="h-80" />}>
            {chats ? <LatestChats /> : <LatestDocuments twins={twins ?? []} />}
          </Suspense>
          <Suspense>{twin && <TwinSearch key={twin.id} twin={twin} />}</Suspense>
          <Suspense fallback={<Skeleton className="h-80" />}>
            <Tips chats={chats} />
          </Suspense>
          <Statistics agents={twins?.length} />
        </aside>
      )}
    </div>
  );
}

function NoTwins() {
  return (
    <Card>
      <EmptyState
        icon={Users}
        title="Пока нет цифровых двойников"
        description="Создайте двойника, и здесь можно будет загрузить для него документы и переписки."
        action={
          <EditorButton asChild variant="primary">
            <Link href={paths.createTwin}>Создать двойника</Link>
          </EditorButton>
        }
      />
    </Card>
  );
}

function ComingForm() {
  return (
    <div role="status">
      <span className="sr-only">Загрузка...</span>
      <div className="flex gap-6 border-b pb-3">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-6 w-40" />
      </div>
      <Card className="mt-5 flex flex-col gap-4 p-4 md:p-5">
        {["name", "type", "tags"].map((field) => (
          <div key={field} className="flex flex-col gap-2">
            <Skeleton className="h-5 w-32" />
            <Skeleton className="h-10 w-full" />
          </div>
        ))}
        <Skeleton className="h-40 w-full" />
      </Card>
    </div>
  );
}
