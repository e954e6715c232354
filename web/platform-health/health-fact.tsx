import { useId } from "react";
import { Link } from "wouter";
import type { HealthFact } from "#contract/health.ts";
import { StateBadge } from "#web/parts/health/health-states.tsx";
import { paths } from "#web/paths.ts";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";

/** One part of the server that should be checked: its state on the left, its figures on the right. */
export function Fact({ fact: { id, title, state, summary, rows } }: { fact: HealthFact }) {
  return (
    <SettingsGroup id={useId()} title={title} badge={<StateBadge state={state} />}>
      <p className="mb-2 font-medium text-md">{summary}</p>
      <FactRows rows={rows} />
      {id === "channels" && (
        <p className="mt-2 max-w-measure text-md text-muted">
          Сервер соединяется снова сам. Причину и&nbsp;что сделать видит владелец канала{" "}
          <Link href={paths.integrations} className="text-primary-text underline">
            в&nbsp;«Интеграциях»
          </Link>
          .
        </p>
      )}
    </SettingsGroup>
  );
}

export function FactRows({ rows }: Pick<HealthFact, "rows">) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-1 text-md">
      {rows.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="text-muted">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
