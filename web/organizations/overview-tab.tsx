import { ChartColumn, ReceiptText, UsersRound } from "lucide-react";
import { formatNumber } from "#web/i18n/format.ts";
import { MODEL_ROW, ORGANIZATION_ROWS } from "#web/parts/settings-rows.ts";
import { StorageGroup } from "#web/parts/storage/storage-group.tsx";
import { paths } from "#web/paths.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { useIsTabletOrWider } from "#web/ui/layout/address-tabs.tsx";
import { type LinkRow, LinkRows } from "#web/ui/layout/link-rows.tsx";
import { SampleNotice } from "#web/ui/states/sample-notice.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useOrganizationStats } from "./queries.ts";
import { sampleStats } from "./samples.ts";
import { SubscriptionCard } from "./subscription-card.tsx";
import { WITH_TESTS } from "./words.ts";

const MORE = [...ORGANIZATION_ROWS, MODEL_ROW];
/** Links to the sections that have no tab on a phone. */
const ON_PHONE: LinkRow[] = [
  { to: `${paths.orgAdmin}?tab=twins`, icon: UsersRound, name: "Двойники", about: "Чьи они и сколько ответили" },
  { to: `${paths.orgAdmin}?tab=billing`, icon: ReceiptText, name: "Оплата", about: "План и счета" },
  {
    to: `${paths.orgAdmin}?tab=usage`,
    icon: ChartColumn,
    name: "Использование",
    about: "Сообщения и расходы за месяц",
  },
];

export function OverviewTab() {
  const stats = useOrganizationStats();
  const { data, isSample } = shownOrSample(stats, sampleStats);
  const figures = [
    ["Пользователи", data?.totalUsers],
    ["Цифровые двойники", data?.digitalTwins],
    ["Сообщения", data?.totalMessages, WITH_TESTS],
    ["Активные интеграции", data?.activeIntegrations],
  ] as const;
  return (
    <>
      {!data && <LoadingStatus className="sr-only">Загружаем показатели организации...</LoadingStatus>}
      {isSample && <SampleNotice>Так выглядят показатели организации.</SampleNotice>}
      <section aria-label="Показатели организации" className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
        {figures.map(([label, value, about]) => (
          <StatCard
            key={label}
            label={label}
            value={formatNumber(value ?? 0)}
            loading={!data}
            note={!isSample && about}
          />
        ))}
      </section>
      <SubscriptionCard />
      <div>
        <StorageGroup />
      </div>
      <nav aria-label="Ещё об организации">
        <LinkRows rows={useIsTabletOrWider() ? MORE : [...ON_PHONE, ...MORE]} />
      </nav>
    </>
  );
}
