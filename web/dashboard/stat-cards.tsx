import type { DashboardStats } from "#contract/analytics.ts";
import { dashboardDefaults } from "#web/display-values.ts";
import { useExample } from "#web/ui/figures/examples.tsx";
import { CountUpCard, percentChange } from "./count-up.tsx";

export function StatCards({ stats, failed }: { stats: DashboardStats | undefined; failed: boolean }) {
  useExample("проценты роста");
  const { previous } = dashboardDefaults;
  const state = { loading: stats === undefined, failed };
  const totalTwins = stats?.totalTwins ?? 0;
  const activeTwins = stats?.activeTwins ?? 0;
  const totalMessages = stats?.totalMessages ?? 0;
  const accuracy = Math.round((stats?.avgStyleAccuracy ?? dashboardDefaults.accuracy) * 100);
  return (
    <section aria-label="Показатели" className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
      <CountUpCard
        label="Всего двойников"
        value={totalTwins}
        change={percentChange(totalTwins, totalTwins - previous.totalTwins)}
        {...state}
      />
      <CountUpCard
        label="Активны сегодня"
        value={activeTwins}
        change={percentChange(activeTwins, activeTwins - previous.activeTwins)}
        {...state}
      />
      <CountUpCard
        label="Обработано сообщений за все время"
        value={totalMessages}
        change={percentChange(totalMessages, totalMessages - previous.totalMessages)}
        {...state}
      />
      <CountUpCard
        label="Средняя точность"
        value={accuracy}
        suffix="%"
        change={percentChange(accuracy, accuracy - previous.accuracyPercent)}
        {...state}
      />
    </section>
  );
}
