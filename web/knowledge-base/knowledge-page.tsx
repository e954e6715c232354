import { lazy, type ReactNode, Suspense } from "react";
import { formatMoment, formatNumber } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#web/ui/layout/tabs.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useKnowledgeSources, useKnowledgeStats } from "./queries.ts";
import { Sources } from "./sources.tsx";
import { type KnowledgeTab, useKnowledgeAddress } from "./use-knowledge-address.ts";

// Tabs that few users open first are loaded on demand.
const later = {
  messages: () => import("./messages-tab.tsx"),
  documents: () => import("./documents/documents-tab.tsx"),
  sites: () => import("./sites/sites-tab.tsx"),
  facts: () => import("./facts/facts-tab.tsx"),
};
const MessagesTab = lazy(later.messages);
const DocumentsTab = lazy(later.documents);
const SitesTab = lazy(later.sites);
const FactsTab = lazy(later.facts);

const TABS = [
  ["sources", "Источники данных", "Откуда знания двойника: переписка, которую вы загрузили или подключили."],
  ["messages", "Обучающие данные", "Сообщения, по которым двойник перенял вашу манеру."],
  ["documents", "Документы", "То, что вы загрузили: отсюда двойник берёт ответы."],
  ["sites", "Сайты", "Страницы, по которым двойник отвечает со ссылкой на источник."],
  ["facts", "Факты", "Что вы отвечали в\u00a0переписке. Подтверждённое двойник говорит всем."],
] as const;

function preload(tab: KnowledgeTab) {
  // Preload failures are ignored; opening the tab reports them.
  if (tab !== "sources") later[tab]().catch(() => undefined);
}

export default function KnowledgePage() {
  const [address, change] = useKnowledgeAddress();
  const stats = useKnowledgeStats();
  const lastUpdate = stats.data?.lastUpdate;
  const sources = useKnowledgeSources().data;
  const teaches = address.tab === "sources" && sources?.length === 0;
  return (
    <Page
      title="База знаний"
      description={"Переписки, документы и\u00a0факты ваших двойников"}
      create={{ label: "Добавить", to: paths.trainAi, quiet: teaches }}
    >
      <div className="flex flex-col gap-6">
        <Figures stats={stats} />
        <Tabs value={address.tab} onValueChange={(tab) => change({ tab: tab as KnowledgeTab })}>
          <TabsList aria-label="База знаний">
            {TABS.map(([tab, label]) => (
              <TabsTrigger key={tab} value={tab} onPointerEnter={() => preload(tab)} onFocus={() => preload(tab)}>
                {label}
              </TabsTrigger>
            ))}
          </TabsList>
          {TABS.map(
            ([tab, , holds]) =>
              tab === address.tab && (
                <p key={tab} className="pt-4 text-md text-muted">
                  {holds}
                </p>
              ),
          )}
          <TabsContent value="sources">
            <Sources
              search={address.source}
              kind={address.kind}
              twin={address.twin}
              order={address.order}
              onAddress={change}
            />
          </TabsContent>
          <TabsContent value="messages">
            <Later>
              <MessagesTab address={address} onAddress={change} />
            </Later>
          </TabsContent>
          <TabsContent value="documents">
            <Later>
              <DocumentsTab address={address} onAddress={change} />
            </Later>
          </TabsContent>
          <TabsContent value="sites">
            <Later>
              <SitesTab />
            </Later>
          </TabsContent>
          <TabsContent value="facts">
            <Later>
              <FactsTab address={address} onAddress={change} />
            </Later>
          </TabsContent>
        </Tabs>
      </div>
      {lastUpdate && (
        <footer className="mt-5 text-md text-subtle">
          Последнее обновление: <time dateTime={lastUpdate}>{formatMoment(lastUpdate)}</time>
        </footer>
      )}
    </Page>
  );
}

const Later = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<LoadingStatus className="min-h-150">Загрузка...</LoadingStatus>}>{children}</Suspense>
);

function Figures({ stats: { data, error, refetch } }: { stats: ReturnType<typeof useKnowledgeStats> }) {
  // The cards count three platforms of many, so the remainder is stated.
  const others = data ? data.totalMessages - data.telegramMessages - data.emailMessages - data.whatsappMessages : 0;
  return (
    <div className="flex flex-col gap-3">
      <section aria-label="Сообщения в цифрах" className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
        {(
          [
            ["Всего сообщений", data?.totalMessages],
            ["Сообщения Telegram", data?.telegramMessages],
            ["Сообщения Email", data?.emailMessages],
            ["Сообщения WhatsApp", data?.whatsappMessages],
          ] as const
        ).map(([label, value]) => (
          <StatCard
            key={label}
            label={label}
            value={error && !data ? "—" : formatNumber(value ?? 0)}
            loading={!data && !error}
          />
        ))}
      </section>
      {others > 0 && (
        <p className="text-sm text-subtle">Из всех сообщений {formatNumber(others)} — чаты и другие платформы</p>
      )}
      {error && !data && (
        <ErrorCard title="Не удалось загрузить статистику" error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}
