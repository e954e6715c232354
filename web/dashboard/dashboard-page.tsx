import { BarChart3, MessageSquarePlus, Plus } from "lucide-react";
import { lazy, Suspense, useLayoutEffect } from "react";
import { Link } from "wouter";
import type { DashboardStats } from "#contract/analytics.ts";
import { dashboardDefaults } from "#web/display-values.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { useReadOnly } from "#web/session/read-only.ts";
import { personName, useSession } from "#web/session/session.tsx";
import { openPalette } from "#web/shell/floating-state.ts";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { useExample } from "#web/ui/figures/examples.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ActivityList } from "./activity-list.tsx";
import { countWaiting, useDashboardStats, useDashboardTwins, useRecentActivity, useWaiting } from "./queries.ts";
import { StatCards } from "./stat-cards.tsx";
import { ACCURACY_EXAMPLE, TwinList } from "./twin-list.tsx";
import { WaitingPanel } from "./waiting-panel.tsx";

const FirstTwin = lazy(() => import("#web/parts/twins/first-twin.tsx"));
const ModelOffer = lazy(() => import("#web/parts/local-models/model-offer.tsx"));

export default function DashboardPage() {
  const { checkStore, user } = useSession();
  useLayoutEffect(checkStore, [checkStore]);
  const stats = useDashboardStats();
  const twins = useDashboardTwins();
  const activity = useRecentActivity();
  const failed = [stats, twins, activity].filter((query) => query.isError);
  const loading = stats.isPending || twins.isPending || activity.isPending;
  const mayAct = useReadOnly() === null;
  const waiting = useWaiting(mayAct);
  // The only filled button is the first step of a new user, or answering where answers wait.
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
        {/* On a phone the bar has no space for the search box that the specification requires on this screen. */}
        <button
          type="button"
          onClick={openPalette}
          className="-mb-4 h-control rounded-md border border-control bg-surface px-3 text-start text-md text-muted md:hidden"
        >
          Поиск...
        </button>
        <Welcome stats={stats.data} loading={loading} />
        <StatCards stats={stats.data} failed={stats.isError} />
        {/* Without a twin nothing can wait. */}
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
        <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          {!twins.isError && <TwinList twins={twins.data} weeks={stats.data?.weeks} />}
          {!activity.isError && <ActivityList entries={activity.data} />}
        </div>
        <QuickActions />
        <Suspense>{user?.superAdmin && <ModelOffer />}</Suspense>
      </div>
    </Page>
  );
}

/** Greets by name, with the three highlights of the specification. */
function Welcome({ stats, loading }: { stats: DashboardStats | undefined; loading: boolean }) {
  const { user } = useSession();
  const name = user?.firstName || personName(user);
  return (
    <section
      aria-label="Главное"
      className="flex flex-wrap items-center justify-between gap-x-10 gap-y-4 rounded-lg bg-primary-soft p-4 md:px-5"
    >
      <div className="min-w-0">
        <h2 className="text-xl [overflow-wrap:anywhere]">Добро пожаловать{name ? `, ${name}` : ""}!</h2>
        {/* A placeholder of one line, so that the content below does not move when the figures arrive. */}
        <div className="mt-1 text-md text-muted">
          {loading ? (
            <LoadingStatus className="justify-start!">Загружаем вашу панель управления...</LoadingStatus>
          ) : (
            <p>Ваши двойники сегодня</p>
          )}
        </div>
      </div>
      <Highlights stats={stats} />
    </section>
  );
}

function Highlights({ stats }: { stats: DashboardStats | undefined }) {
  const measured = stats?.avgStyleAccuracy;
  useExample(stats !== undefined && measured === undefined ? ACCURACY_EXAMPLE : undefined);
  const shown = (value: string | undefined) => value ?? "—";
  const highlights = [
    ["Активные двойники", shown(stats && formatNumber(stats.activeTwins))],
    ["Сообщений сегодня", shown(stats && formatNumber(stats.dailyMessages))],
    ["Точность ИИ", shown(stats && formatShare(measured ?? dashboardDefaults.accuracy))],
  ] as const;
  return (
    <dl className="flex gap-x-8 max-sm:w-full max-sm:justify-between max-sm:gap-x-3">
      {highlights.map(([label, value]) => (
        <div key={label} className="flex flex-col-reverse justify-end">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="font-semibold text-lg tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function QuickActions() {
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
            <Act asChild className="max-sm:w-full max-sm:px-3 max-sm:[&>svg]:hidden">
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
