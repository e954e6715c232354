import { useId } from "react";
import type { PlatformDay } from "#contract/organizations/platform.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { isEmptyList, shownOrSample } from "#web/sample-data.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { DayBars } from "#web/ui/figures/day-bars.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { usePlatformDays } from "./queries.ts";
import { sampleDays } from "./samples.ts";

export function AnalyticsTab() {
  const { data, isSample } = shownOrSample(usePlatformDays(), sampleDays, isEmptyList);
  return (
    <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
      <Chart title="Сообщения по дням" days={data} of={({ messages }) => messages} isSample={isSample} />
      <Chart title="Новые пользователи по дням" days={data} of={({ newUsers }) => newUsers} isSample={isSample} />
    </div>
  );
}

interface ChartProps {
  title: string;
  days: PlatformDay[] | undefined;
  of: (day: PlatformDay) => number;
  isSample: boolean;
}

function Chart({ title, days, of, isSample }: ChartProps) {
  const id = useId();
  const total = days?.reduce((sum, day) => sum + of(day), 0) ?? 0;
  return (
    <PaperSection
      id={id}
      title={title}
      description={days && `За ${days.length} дней: ${formatNumber(total)}`}
      action={isSample && <SampleBadge />}
    >
      {days ? (
        <DayBars label={title} days={days.map((day) => ({ day: day.day, value: of(day) }))} />
      ) : (
        <div role="status">
          <span className="sr-only">Загружаем аналитику...</span>
          <Skeleton className="h-40" />
        </div>
      )}
    </PaperSection>
  );
}
