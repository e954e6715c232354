import { crmConversionRate } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { ExampleFigure } from "#web/ui/figures/example-figure.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import type { CrmFigures } from "./crm-entry.ts";

interface FigureRowProps {
  figures: CrmFigures;
  isSample: boolean;
  loading: boolean;
}

/** The four figures of the specification; while there is nothing to count yet, one quiet line of them. */
export function FigureRow({ figures, isSample, loading }: FigureRowProps) {
  const { connected, leads, deals } = figures;
  if (!loading && connected + leads + deals === 0) return <NothingYet />;
  const note = isSample ? <Badge>Пример</Badge> : undefined;
  return (
    <div className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
      <StatCard label="Подключено CRM" value={connected} loading={loading} note={note} />
      <StatCard label="Всего лидов" value={formatNumber(leads)} loading={loading} note={note} />
      <StatCard
        label={<span lang="en">Active Deals</span>}
        value={formatNumber(deals)}
        loading={loading}
        note={note ?? "Открытые сделки"}
      />
      <StatCard
        label={<span lang="en">Conversion Rate</span>}
        value={crmConversionRate}
        isExample
        note="Сколько лидов стали сделками"
      />
    </div>
  );
}

function NothingYet() {
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-muted text-sm">
      <p>Цифры появятся с&nbsp;первыми сделками:</p>
      {["Подключено CRM", "Всего лидов"].map((label) => (
        <dl key={label} className="flex gap-1.5">
          <dt>{label}</dt>
          <dd>0</dd>
        </dl>
      ))}
      <dl className="flex gap-1.5" title="Открытые сделки">
        <dt lang="en">Active Deals</dt>
        <dd>0</dd>
      </dl>
      <dl className="flex gap-1.5" title="Сколько лидов стали сделками">
        <dt lang="en">Conversion Rate</dt>
        <dd>
          <ExampleFigure look="quiet">{crmConversionRate}</ExampleFigure>
        </dd>
      </dl>
    </div>
  );
}
