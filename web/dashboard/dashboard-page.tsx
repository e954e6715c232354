import { clsx } from "clsx";
import { BarChart3, MessageSquarePlus, Plus } from "lucide-react";
import { lazy, Suspense, useLayoutEffect } from "react";
import { Link } from "wouter";
import type { DashboardStats } from "#contract/analytics.ts";
import { dashboardDefaults } from "#web/display-values.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { ModelCall } from "#web/parts/local-models/model-call.tsx";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { useReadOnly } from "#web/session/read-only.ts";
import { personName, useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { ExampleFigure } from "#web/ui/figures/example-figure.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ActivityList } from "./activity-list.tsx";
import { countWaiting, useDashboardStats, useDashboardTwins, useRecentActivity, useWaiting } from "./queries.ts";
import { StatCards } from "./stat-cards.tsx";
import { TwinList } from "./twin-list.tsx";
import { WaitingPanel } from "./waiting-panel.tsx";

const FirstTwin = lazy(() => import("#web/parts/twins/first-twin.tsx"));

export default function DashboardPage() {
  const { checkStore } = useSession();
  useLayoutEffect(checkStore, [checkStore]);
  const stats = useDashboardStats();
  const twins = useDashboardTwins();
  const activity = useRecentActivity();
  const failed = [stats, twins, activity].filter((query) => query.isError);
  const loading = stats.isPending || twins.isPending || activity.isPending;
  const mayAct = useReadOnly() === null;
  const waiting = useWaiting(mayAct);
  // The one filled act is the first step of somebody new, and answering where answers wait.
  const answers = waiting.data?.answers.total ?? 0;
  const isNew = twins.data?.length === 0 && waiting.data !== undefined && countWaiting(waiting.data) === 0;
  const hasOtherAct = mayAct && (waiting.isPending || answers > 0 || isNew);
  return (
    <Page
      title="Панель управления"
      description="Обзор ваших цифровых двойников"
      create={{ label: "Создать", to: paths.createTwin, quiet: hasOtherAct }}
    >
      <div className="flex flex-col gap-8">
        <Welcome stats={stats.data} loading={loading} />
        {/* Without a twin nothing can wait but the first one. */}
        {isNew ? (
          <Suspense fallback={<Skeleton className="h-48 w-full" />}>
            <FirstTwin
              title="Ваш первый двойник"
              description="Через несколько минут он ответит сам, и здесь появится то, что ждёт вас."
            />
          </Suspense>
        ) : (
          <WaitingPanel />
        )}
        {failed.length > 0 && (
          <ErrorCard
            title="Не удалось загрузить панель управления"
            error={failed[0]?.error}
            onRetry={() => {
              for (const query of failed) void query.refetch();
            }}
          />
        )}
        <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="flex flex-col gap-8">
            {!twins.isError && <TwinList twins={twins.data} weeks={stats.data?.weeks} />}
            {!stats.isError && <StatCards stats={stats.data} />}
          </div>
          {!activity.isError && <ActivityList entries={activity.data} />}
        </div>
        <QuickActions quiet={isNew} />
        <ModelCall />
      </div>
    </Page>
  );
}

function Welcome({ stats, loading }: { stats: DashboardStats | undefined; loading: boolean }) {
  const { user } = useSession();
  const name = user?.firstName || personName(user);
  return (
    <section aria-label="Главное">
      <h2 className="text-lg">Добро пожаловать{name ? `, ${name}` : ""}!</h2>
      {/* One line in place of the other: what stands below does not move when the figures come. */}
      <div className="mt-1 text-md text-muted max-sm:min-h-[3em]">
        {loading ? (
          <LoadingStatus className="justify-start!">Загружаем вашу панель управления...</LoadingStatus>
        ) : (
          <Highlights stats={stats} />
        )}
      </div>
    </section>
  );
}

/** Three figures as one line to read: the cards below show them with their change. */
function Highlights({ stats }: { stats: DashboardStats | undefined }) {
  const twins = pluralForm(stats?.activeTwins ?? 0, ["активный двойник", "активных двойника", "активных двойников"]);
  const messages = pluralForm(stats?.dailyMessages ?? 0, [
    "сообщение сегодня",
    "сообщения сегодня",
    "сообщений сегодня",
  ]);
  const highlights = [
    [twins, stats ? formatNumber(stats.activeTwins) : "—", true],
    [messages, stats ? formatNumber(stats.dailyMessages) : "—", true],
    ["точность ИИ", stats ? <Accuracy key="accuracy" measured={stats.avgStyleAccuracy} /> : "—", false],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-5">
      {highlights.map(([label, value, isCounted]) => (
        <div key={label} className={clsx("flex gap-1", isCounted && "flex-row-reverse")}>
          <dt>{label}</dt>
          <dd className={clsx("font-medium tabular-nums", stats?.totalTwins !== 0 && "text-fg")}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Accuracy({ measured }: { measured: number | undefined }) {
  if (measured !== undefined) return formatShare(measured);
  return <ExampleFigure look="quiet">{formatShare(dashboardDefaults.accuracy)}</ExampleFigure>;
}

function QuickActions({ quiet }: { quiet: boolean }) {
  const actions = [
    { to: paths.createTwin, label: "Создать двойника", icon: Plus, Act: EditorButton },
    { to: `${paths.conversations}?new=1`, label: "Начать диалог", icon: MessageSquarePlus, Act: EditorButton },
    { to: paths.analytics, label: "Открыть аналитику", icon: BarChart3, Act: Button },
  ];
  return (
    <section
      aria-labelledby="dashboard-actions"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t pt-5"
    >
      <h2 id="dashboard-actions" className="text-lg">
        Быстрые действия
      </h2>
      <ul className="grid grid-cols-2 gap-3 max-sm:w-full sm:flex">
        {actions.map(({ to, label, icon: Icon, Act }, place) => (
          <li key={label} className={place === 0 ? "max-sm:col-span-2" : undefined}>
            <Act
              asChild
              variant={quiet ? "ghost" : undefined}
              className="max-sm:w-full max-sm:px-3 max-sm:[&>svg]:hidden"
            >
              <Link href={to}>
                <Icon aria-hidden className="icon" />
                {label}
              </Link>
            </Act>
          </li>
        ))}
      </ul>
    </section>
  );
}
