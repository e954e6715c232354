import { Link } from "wouter";
import type { TrainingState, Twin } from "#contract/twins.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

interface LearningProgressProps {
  twin: Twin;
  state: TrainingState | undefined;
  settled: boolean;
  onMore: () => void;
}

export function LearningProgress({ twin, state, settled, onMore }: LearningProgressProps) {
  if (!state) return <Skeleton className="h-28 w-full" />;
  const { progress, stage, error, status } = state;
  const ready = settled && status === "ready";
  const figures = [
    [state.messages, ["сообщение", "сообщения", "сообщений"]],
    [state.replyExamples, ["пример ответа", "примера ответа", "примеров ответа"]],
    [state.chunks, ["фрагмент документов", "фрагмента документов", "фрагментов документов"]],
  ] as const;
  // A twin that learns only from messages or only from documents has no count of the other.
  const ofDocuments = state.messages === 0 && state.chunks > 0;
  const shown = figures.filter(([count], at) => count > 0 || (at < 2 && !ofDocuments));
  return (
    <div className="flex flex-col gap-5">
      {!settled && (
        <div className="flex flex-col gap-2">
          <p role="status" className="text-md">
            {stage ?? "Обучение идёт"}
          </p>
          <div className="flex items-center gap-3">
            <Progress className="flex-1" label="Ход обучения" value={stage === null ? null : progress * 100} />
            <span aria-hidden className="text-sm text-subtle tabular-nums">
              {stage === null ? "" : formatShare(progress)}
            </span>
          </div>
        </div>
      )}
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-3 rounded-lg border p-4">
        {shown.map(([count, words]) => (
          <div key={words[0]} className="flex min-w-0 flex-col-reverse justify-end">
            <dt className="text-sm text-subtle">{pluralForm(count, words)}</dt>
            <dd className="font-semibold text-xl tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {!settled && (
        <p className="text-sm text-subtle">
          Страницу можно закрыть: обучение продолжится, а его ход будет виден здесь.
        </p>
      )}
      {ready && <p className="font-medium text-base">Двойник готов отвечать.</p>}
      {settled && !ready && (
        <div role="alert" className="flex flex-col items-start gap-3 rounded-lg bg-warning-soft px-4 py-3">
          <p className="text-md text-warning-text">
            {error ?? "Ваших сообщений пока мало, чтобы понять манеру. Добавьте ещё переписку."}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={onMore}>
              Добавить переписку
            </Button>
            <Button asChild size="sm">
              <Link href={`${paths.trainAi}?twin=${encodeURIComponent(twin.id)}`}>Открыть обучение</Link>
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
