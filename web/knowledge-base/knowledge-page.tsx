import { lazy, Suspense } from "react";
import { formatMoment, formatNumber } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/layout/tabs.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useKnowledgeStats } from "./queries.ts";
import { SourcesCard } from "./sources-card.tsx";
import { type KnowledgeTab, useKnowledgeAddress } from "./use-knowledge-address.ts";

// The virtual list stands in the second tab only.
const loadMessages = () => import("./messages-tab.tsx");
const MessagesTab = lazy(loadMessages);

function preloadMessages() {
  // A failure shows when the tab is really opened.
  loadMessages().catch(() => undefined);
}

export default function KnowledgePage() {
  const [address, change] = useKnowledgeAddress();
  const stats = useKnowledgeStats();
  const lastUpdate = stats.data?.lastUpdate;
  return (
    <Page
      title="База знаний"
      description="Переписки, на которых учатся ваши двойники"
      create={{ label: "Добавить материалы", to: paths.trainAi }}
    >
      <Figures stats={stats} />
      <Tabs value={address.tab} onValueChange={(tab) => change({ tab: tab as KnowledgeTab })}>
        <TabsList aria-label="База знаний">
          <TabsTrigger value="sources">Источники данных</TabsTrigger>
          <TabsTrigger value="messages" onPointerEnter={preloadMessages} onFocus={preloadMessages}>
            Обучающие данные
          </TabsTrigger>
        </TabsList>
        <TabsContent value="sources">
          <SourcesCard search={address.source} onSearch={(source) => change({ source })} />
        </TabsContent>
        <TabsContent value="messages">
          <Suspense fallback={<LoadingStatus className="min-h-150">Загрузка...</LoadingStatus>}>
            <MessagesTab address={address} onAddress={change} />
          </Suspense>
        </TabsContent>
      </Tabs>
      {lastUpdate && (
        <footer className="mt-5 text-md text-subtle">
          Последнее обновление: <time dateTime={lastUpdate}>{formatMoment(lastUpdate)}</time>
        </footer>
      )}
    </Page>
  );
}

function Figures({ stats: { data, error, refetch } }: { stats: ReturnType<typeof useKnowledgeStats> }) {
  if (error && !data) {
    return (
      <ErrorCard
        className="mb-6"
        title="Не удалось загрузить статистику"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  const loading = data === undefined;
  const figure = (value: number | undefined) => formatNumber(value ?? 0);
  return (
    <div className="mb-6 grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
      <StatCard className={figureLook} label="Всего сообщений" value={figure(data?.totalMessages)} loading={loading} />
      <StatCard
        className={figureLook}
        label="Сообщения Telegram"
        value={figure(data?.telegramMessages)}
        loading={loading}
      />
      <StatCard className={figureLook} label="Сообщения Email" value={figure(data?.emailMessages)} loading={loading} />
      <StatCard
        className={figureLook}
        label="Сообщения WhatsApp"
        value={figure(data?.whatsappMessages)}
        loading={loading}
      />
    </div>
  );
}

/** The figures of a row stand on one line, however long their labels are. */
const figureLook = "flex flex-col justify-between";
