import { CircleCheck } from "lucide-react";
import type { HealthFact, HealthProcess } from "#contract/health.ts";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { FactRows } from "./health-fact.tsx";
import { Processes } from "./processes.tsx";

export function HealthyFacts({ facts }: { facts: readonly HealthFact[] }) {
  if (facts.length === 0) return null;
  return (
    <SettingsGroup id="in-order" title="В порядке">
      <ul className="grid grid-cols-1 gap-x-10 gap-y-2 text-md sm:grid-cols-2">
        {facts.map(({ id, title, summary }) => (
          <li key={id} className="flex items-center gap-2">
            <CircleCheck aria-hidden className="icon size-4! shrink-0 text-success-text" />
            <span className="font-medium">{title}</span>
            <span className="text-muted">{summary}</span>
          </li>
        ))}
      </ul>
    </SettingsGroup>
  );
}

interface DetailsProps {
  facts: readonly HealthFact[];
  processes: readonly HealthProcess[];
}

/** Technical figures and names. They expand automatically when one of the processes is unhealthy. */
export function Details({ facts, processes }: DetailsProps) {
  const measured = facts.filter(({ rows }) => rows.length > 0);
  return (
    <details className="border-t py-4" open={processes.some(({ state }) => state !== "ok")}>
      <summary className="w-fit cursor-pointer py-2 font-medium text-md">Подробности</summary>
      <dl className="mt-2 grid grid-cols-1 gap-x-10 gap-y-3 pb-6 text-md lg:grid-cols-[14rem_minmax(0,1fr)]">
        {measured.map(({ id, title, rows }) => (
          <div key={id} className="contents">
            <dt className="font-medium">{title}</dt>
            <dd>
              <FactRows rows={rows} />
            </dd>
          </div>
        ))}
      </dl>
      <Processes processes={processes} />
    </details>
  );
}
