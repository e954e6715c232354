import { trainingReadinessPercent } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { useDocuments } from "#web/parts/documents/queries.ts";
import { useExample } from "#web/ui/figures/examples.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

/** The readiness is a fixed figure of the specification; the training card shows measured figures. */
export function Statistics({ agents }: { agents: number | undefined }) {
  useExample("готовность");
  const documents = useDocuments();
  return (
    <PaperSection id="statistics" title="Статистика">
      <dl className="flex flex-col gap-2 text-md">
        <Row label="Документов" value={documents.data ? formatNumber(documents.data.length) : "—"} />
        <Row label="Двойников" value={agents === undefined ? "—" : formatNumber(agents)} />
        <Row label="Готовность" value={`${trainingReadinessPercent}%`} />
      </dl>
      <Progress className="mt-2" label="Готовность" value={trainingReadinessPercent} />
    </PaperSection>
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
