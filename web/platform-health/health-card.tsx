import { useId } from "react";
import type { HealthFact } from "#contract/health.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { STATES } from "./health-states.ts";

export function HealthCard({ fact: { title, state, summary, rows } }: { fact: HealthFact }) {
  const id = useId();
  const { word, tone, Icon } = STATES[state];
  return (
    <Card aria-labelledby={id} className="h-full">
      <CardHeader
        id={id}
        title={title}
        action={
          <Badge tone={tone}>
            <Icon aria-hidden className="icon size-4!" />
            {word}
          </Badge>
        }
      />
      <CardBody>
        <p className="font-medium text-md">{summary}</p>
        {rows.length > 0 && (
          <dl className="mt-3 space-y-2 text-md">
            {rows.map(({ name, value }) => (
              <div key={name} className="flex flex-wrap justify-between gap-x-4">
                <dt className="text-muted">{name}</dt>
                <dd className="tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </CardBody>
    </Card>
  );
}
