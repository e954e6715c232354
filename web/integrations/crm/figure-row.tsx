import { crmConversionRate } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { useExample } from "#web/ui/figures/examples.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import type { CrmFigures } from "./crm-entry.ts";

export function FigureRow({ figures, loading }: { figures: CrmFigures; loading: boolean }) {
  useExample("Conversion Rate");
  const { connected, channels, leads, deals } = figures;
  return (
    <section aria-label="Показатели" className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
      <StatCard
        label="Подключено CRM"
        value={formatNumber(connected)}
        note={!loading && `CRM-систем ${formatNumber(connected - channels)}, каналов ${formatNumber(channels)}`}
        loading={loading}
      />
      <StatCard label="Всего лидов" value={formatNumber(leads)} loading={loading} />
      <StatCard label={<span lang="en">Active Deals</span>} value={formatNumber(deals)} loading={loading} />
      <StatCard label={<span lang="en">Conversion Rate</span>} value={crmConversionRate} />
    </section>
  );
}
