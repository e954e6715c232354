import { Link } from "wouter";
import type { TrainingState, Twin } from "#contract/twins.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { useLanguage } from "#web/i18n/language.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { useTraining } from "#web/parts/twins/queries.ts";
import { testChatPath } from "#web/parts/twins/test-chat-path.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Card, CardBody } from "#web/ui/layout/card.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { TwinCalls } from "./twin-calls.tsx";

/** Training progress of the chosen twin; it shows only measured figures. */
export function TrainingCard({ twin }: { twin: Twin }) {
  const { t } = useLanguage();
  const training = useTraining(twin.id);
  if (training.isError && !training.data) {
    return (
      <ErrorCard title="Не удалось загрузить ход обучения" error={training.error} onRetry={() => training.refetch()} />
    );
  }
  const status = training.data?.status ?? twin.status;
  return (
    <Card aria-labelledby="training">
      <CardBody className="flex flex-col gap-4">
        <div className="flex items-center gap-3">
          <Avatar name={twin.name} echo />
          <div className="min-w-0 flex-1">
            <h2 id="training" className="text-base [overflow-wrap:anywhere]">
              {twin.name}
            </h2>
            <p className="text-sm text-subtle">Ход обучения</p>
          </div>
          <Badge tone={status === "ready" ? "success" : "warning"}>
            {t(status === "ready" ? "status.ready" : "status.training")}
          </Badge>
        </div>
        {training.data ? <Progressing state={training.data} /> : <Skeleton className="h-14 w-full" />}
        <div className="flex flex-wrap gap-4 *:flex-1 *:basis-56">
          <TwinCalls twin={twin} />
        </div>
        {status === "ready" && (
          <Button asChild>
            <Link href={testChatPath(twin.id)}>Проверить в чате</Link>
          </Button>
        )}
      </CardBody>
    </Card>
  );
}

function Progressing({ state }: { state: TrainingState }) {
  const { running, progress, stage, error, chunks, replyExamples, messages, embeddings } = state;
  const nothing = chunks + replyExamples + messages === 0;
  return (
    <>
      <p role="status" className={running ? "-mb-3 text-md" : "sr-only"}>
        {running ? (stage ?? "Обучение идёт") : nothing ? "" : "Обучение завершено"}
      </p>
      {running && (
        <div className="flex items-center gap-3">
          <Progress className="flex-1" label="Ход обучения" value={progress * 100} />
          <span aria-hidden className="text-sm text-subtle tabular-nums">
            {formatShare(progress)}
          </span>
        </div>
      )}
      {error && !running && <p className="text-danger-text text-md">Обучение прервалось: {error}</p>}
      {nothing && !running ? (
        <p className="text-md text-muted">Учиться пока не на чем: добавьте документ или переписку.</p>
      ) : (
        <>
          <dl className="grid grid-cols-3 gap-2">
            <Figure value={chunks} words={["фрагмент", "фрагмента", "фрагментов"]} />
            <Figure value={replyExamples} words={["пример", "примера", "примеров"]} />
            <Figure value={messages} words={["сообщение", "сообщения", "сообщений"]} />
          </dl>
          <p className="text-sm text-subtle">
            Фрагмент — часть документа, из которой берётся ответ. Пример — ваш ответ из переписки на чьё-то сообщение.
          </p>
        </>
      )}
      {embeddings && !nothing && <EmbeddingNote embeddings={embeddings} />}
    </>
  );
}

function EmbeddingNote({
  embeddings: { ready, units, total, error },
}: {
  embeddings: NonNullable<TrainingState["embeddings"]>;
}) {
  const learnt = `готово ${formatNumber(units)} из примерно ${formatNumber(Math.max(units, total))}`;
  return (
    <p className="text-md text-muted">
      {ready
        ? "Поиск по смыслу работает: двойник находит и то, что сказано другими словами."
        : error
          ? `Поиск по смыслу готов не весь (${learnt}), остальное двойник ищет по словам. ${error}`
          : `Готовим поиск по смыслу: ${learnt}. Остальное двойник пока ищет по словам.`}
    </p>
  );
}

function Figure({ value, words }: { value: number; words: readonly [string, string, string] }) {
  return (
    <div className="flex min-w-0 flex-col-reverse">
      <dt className="truncate text-sm text-subtle">{pluralForm(value, words)}</dt>
      <dd className="font-semibold text-lg tabular-nums">{formatNumber(value)}</dd>
    </div>
  );
}
