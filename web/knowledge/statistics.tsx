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
      <dl className="grid grid-cols-3 gap-2">
        <Figure label="Документов" value={documents.data ? formatNumber(documents.data.length) : "—"} />
        <Figure label="Двойников" value={agents === undefined ? "—" : formatNumber(agents)} />
        <Figure label="Готовность" value={`${trainingReadinessPercent}%`} />
      </dl>
      <Progress className="mt-2" label="Готовность" value={trainingReadinessPercent} />
    </PaperSection>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex min-w-0 flex-col-reverse">
      <dt className="text-sm text-subtle">{label}</dt>
      <dd className="font-semibold text-lg tabular-nums">{value}</dd>
    </div>
  );
}
