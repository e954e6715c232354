import { trainingReadinessPercent } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Card, CardBody, CardHeader } from "#web/ui/card.tsx";
import { Progress } from "#web/ui/progress.tsx";
import { useDocuments } from "./queries.ts";

/** The readiness is a fixed figure of the specification; what was measured stands in the training card. */
export function StatisticsCard({ agents }: { agents: number | undefined }) {
  const documents = useDocuments();
  return (
    <Card aria-labelledby="statistics">
      <CardHeader id="statistics" title="Статистика" />
      <CardBody>
        <dl className="flex flex-col gap-2 text-md">
          <Row label="Документов" value={documents.data ? formatNumber(documents.data.length) : "—"} />
          <Row label="Двойников" value={agents === undefined ? "—" : formatNumber(agents)} />
          <Row label="Готовность" value={`${trainingReadinessPercent}%`} />
        </dl>
        <Progress className="mt-2" label="Готовность" value={trainingReadinessPercent} />
      </CardBody>
    </Card>
  );
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd className="font-medium tabular-nums">{value}</dd>
    </div>
  );
}
