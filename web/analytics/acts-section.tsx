import { useQuery } from "@tanstack/react-query";
import { toolActsApi } from "#contract/actions/acts.ts";
import type { AnalyticsPeriod } from "#contract/report.ts";
import { queryOf } from "#web/api/query.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

interface ActsSectionProps {
  days: AnalyticsPeriod;
  twinId: string;
}

/** What twins looked up and did in their owners' systems. Renders nothing when nobody asked for it. */
export default function ActsSection({ days, twinId }: ActsSectionProps) {
  const { data } = useQuery(queryOf(toolActsApi.figures, { query: { days, ...(twinId && { twinId }) } }));
  const tools = data?.tools ?? [];
  const asked = tools.reduce((sum, tool) => sum + tool.asked, 0);
  if (asked === 0) return null;
  const done = tools.reduce((sum, tool) => sum + tool.done, 0);
  return (
    <PaperSection
      id="analytics-acts"
      title={`Действия: ${formatNumber(done)} из ${formatNumber(asked)}`}
      description="Столько раз двойники посмотрели или сделали то, о чём их просили"
    >
      <dl className="divide-y border-t text-md">
        {tools.map(({ toolId, title, asked: times, done: made, refused, failed, unknown }) => (
          <div key={toolId ?? title} className="flex gap-3 py-2">
            <dt className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {title}
              <span className="text-muted">
                {[
                  refused > 0 && `отклонено ${formatNumber(refused)}`,
                  failed > 0 && `не\u00a0удалось ${formatNumber(failed)}`,
                  unknown > 0 && `неизвестно ${formatNumber(unknown)}`,
                ]
                  .filter(Boolean)
                  .map((part) => `, ${part}`)}
              </span>
            </dt>
            <dd className="font-medium tabular-nums">
              {formatNumber(made)}
              <span className="sr-only"> из {plural(times, ["просьбы", "просьб", "просьб"])}</span>
            </dd>
          </div>
        ))}
      </dl>
    </PaperSection>
  );
}
