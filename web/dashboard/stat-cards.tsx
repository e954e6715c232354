import type { DashboardStats } from "#contract/analytics.ts";
import { dashboardDefaults } from "#web/display-values.ts";
import { CountUpCard, changeAgainst } from "./count-up.tsx";

/** Four figures of the organisation, each against the specification's synthetic previous value. */
export function StatCards({ stats }: { stats: DashboardStats | undefined }) {
  const { previous } = dashboardDefaults;
  const loading = stats === undefined;
  const isExample = stats !== undefined && stats.avgStyleAccuracy === undefined;
  const totalTwins = stats?.totalTwins ?? 0;
  const activeTwins = stats?.activeTwins ?? 0;
  const totalMessages = stats?.totalMessages ?? 0;
  const accuracy = Math.round((stats?.avgStyleAccuracy ?? dashboardDefaults.accuracy) * 100);
  return (
    <section aria-label="Показатели" className={stats?.totalTwins === 0 ? "text-subtle" : undefined}>
      <div className="flex justify-between gap-x-6 gap-y-1 border-t pt-5 max-sm:flex-col sm:[&_dt]:text-sm">
        <CountUpCard
          label="Всего двойников"
          value={totalTwins}
          change={changeAgainst(totalTwins, totalTwins - previous.totalTwins)}
          loading={loading}
        />
        <CountUpCard
          label="Активны сегодня"
          value={activeTwins}
          change={changeAgainst(activeTwins, activeTwins - previous.activeTwins)}
          loading={loading}
        />
        <CountUpCard
          label="Обработано сообщений за все время"
          value={totalMessages}
          change={changeAgainst(totalMessages, totalMessages - previous.totalMessages)}
          loading={loading}
        />
        <CountUpCard
          label="Средняя точность"
          value={accuracy}
          suffix="%"
          isExample={isExample}
          change={changeAgainst(accuracy, accuracy - previous.accuracyPercent)}
          loading={loading}
        />
      </div>
      {/* Without a twin there is nothing to explain. */}
      {stats?.totalTwins !== 0 && (
        <p className="mt-2 text-sm text-subtle">
          {isExample
            ? "Точность — насколько двойники похожи на вас. Она ещё не измерена: показано значение по умолчанию."
            : "Точность — насколько двойники похожи на вас, по измерению."}{" "}
          Сообщения — вместе с&nbsp;тестовыми чатами. Проценты роста показаны для&nbsp;примера.
        </p>
      )}
    </section>
  );
}
