import { formatNumber } from "#web/i18n/format.ts";
import { StorageGroup } from "#web/parts/storage/storage-group.tsx";
import { shownOrSample } from "#web/sample-data.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useOrganizationStats } from "./queries.ts";
import { sampleStats } from "./samples.ts";
import { SubscriptionCard } from "./subscription-card.tsx";

export function OverviewTab() {
  const stats = useOrganizationStats();
  const { data, isSample } = shownOrSample(stats, sampleStats);
  const figures = [
    ["Пользователи", data?.totalUsers],
    ["Цифровые двойники", data?.digitalTwins],
    ["Сообщения", data?.totalMessages],
    ["Активные интеграции", data?.activeIntegrations],
  ] as const;
  return (
    <>
      {!data && <LoadingStatus className="sr-only">Загружаем показатели организации...</LoadingStatus>}
      <div className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
        {figures.map(([label, value]) => (
          <StatCard
            key={label}
            label={label}
            value={formatNumber(value ?? 0)}
            loading={!data}
            note={isSample && <SampleBadge />}
          />
        ))}
      </div>
      <SubscriptionCard />
      <div>
        <StorageGroup />
      </div>
    </>
  );
}
