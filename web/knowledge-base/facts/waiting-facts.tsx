import { ListChecks } from "lucide-react";
import { useState } from "react";
import type { ConfirmedFacts } from "#contract/knowledge/confirmed-facts.ts";
import { plural, pluralForm } from "#web/i18n/plural.ts";
import { FactsCard, type FactsOfTwin } from "#web/parts/facts/facts-card.tsx";
import { useFactsOf } from "#web/parts/facts/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

type WaitingTwin = ConfirmedFacts["waiting"][number];

interface WaitingFactsProps {
  waiting: readonly WaitingTwin[];
  twin: string;
}

export function WaitingFacts({ waiting, twin }: WaitingFactsProps) {
  const known = useOnceWaiting(waiting);
  const queries = useFactsOf(known.map(({ digitalTwinId }) => digitalTwinId));
  const readOnly = useReadOnly() !== null;
  if (known.length === 0) return null;

  const failed = queries.find(({ data, error }) => error && !data);
  if (failed) {
    return (
      <ErrorCard
        title="Не удалось загрузить факты, которые ждут решения"
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    );
  }
  const all: FactsOfTwin[] = known.flatMap(({ digitalTwinId, digitalTwinName }, place) => {
    const data = queries[place]?.data;
    return data ? [{ twinId: digitalTwinId, twinName: known.length > 1 ? digitalTwinName : undefined, data }] : [];
  });
  if (all.length < known.length) {
    return <LoadingStatus className="min-h-40">Загружаем факты, которые ждут решения...</LoadingStatus>;
  }
  const twins = all.filter(({ twinId }) => twin === "all" || twinId === twin);
  const left = twins.reduce((sum, { data }) => sum + data.counts.left, 0);
  return (
    <FactsCard
      title={`${plural(left, ["факт", "факта", "фактов"])} из переписки ${pluralForm(left, ["ждёт", "ждут", "ждут"])} решения`}
      twins={twins}
      readOnly={readOnly}
      nothing={null}
      allDecided={
        <EmptyState
          icon={ListChecks}
          title="Все факты разобраны"
          description="Подтверждённые стоят ниже. Новые появятся здесь после обучения."
        />
      }
    />
  );
}

/** Keeps a twin whose last fact was decided, because that decision can still be undone. */
function useOnceWaiting(waiting: readonly WaitingTwin[]): readonly WaitingTwin[] {
  const [known, setKnown] = useState(waiting);
  const added = waiting.filter((one) => !known.some(({ digitalTwinId }) => digitalTwinId === one.digitalTwinId));
  if (added.length === 0) return known;
  const next = [...known, ...added];
  setKnown(next);
  return next;
}
