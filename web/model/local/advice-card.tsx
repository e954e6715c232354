import { CircleCheck, Pause, Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { CatalogueEntry, LocalModel, LocalModels } from "#contract/models/local-models.ts";
import { formatSize } from "#web/i18n/size.ts";
import { usePauseAll, useRemoveAll, useResumeAll, useTakeAdvice } from "#web/parts/local-models/queries.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import {
  adviceOf,
  approximateDuration,
  combinedProgress,
  hubSourceText,
  MODEL_USES,
  progressOf,
  speedOf,
} from "./words.ts";

export function AdviceCard({ models }: { models: LocalModels }) {
  const coming = models.installed.filter(({ wanted }) => wanted);
  const advised = adviceOf(models);
  const serving = models.installed.filter(({ chosen }) => chosen);
  if (coming.length > 0) return <Coming coming={coming} />;
  if (advised.length > 0) return <Offer models={models} advised={advised} />;
  if (serving.length > 0) return <Done serving={serving} />;
  // Downloads that were not recommended, or whose kind the server's settings fix, are listed below.
  if (models.installed.length > 0 || models.settled.length > 0) return null;
  return (
    <Framed title="Этому серверу модели не по силам">
      <p>
        Памяти {formatSize(models.machine.memoryBytes)} и свободного места на диске{" "}
        {formatSize(models.machine.diskBytes)} для них мало: ответы пишет встроенный движок. Писать их может и{" "}
        <Link className="underline" href={`${paths.model}?tab=remote`}>
          удалённая модель
        </Link>
        .
      </p>
    </Framed>
  );
}

function Framed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card aria-labelledby="model-advice">
      <CardHeader id="model-advice" title={title} />
      <CardBody className="flex flex-col gap-4 text-md">{children}</CardBody>
    </Card>
  );
}

function Offer({ models, advised }: { models: LocalModels; advised: CatalogueEntry[] }) {
  const take = useTakeAdvice();
  const here = new Set(models.installed.map(({ catalogueId }) => catalogueId));
  const missing = advised.filter(({ id }) => !here.has(id));
  const bytes = missing.reduce((sum, model) => sum + model.bytes, 0);
  const memory = advised.reduce((sum, model) => sum + model.memoryBytes, 0);
  const { memoryBytes, diskBytes } = models.machine;
  return (
    <Framed title="Советуем этому серверу">
      <ul className="divide-y">
        {advised.map(({ id, kind, name, bytes, reads }) => (
          <li key={id} className="flex items-start gap-4 py-3 first:pt-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{reads ? MODEL_USES.reads : MODEL_USES[kind]}</p>
              <p className="text-muted">{name}</p>
              {kind === "chat" && <p className="text-muted">{speedOf(id)}</p>}
            </div>
            <p className="text-muted tabular-nums">{here.has(id) ? "уже на сервере" : formatSize(bytes)}</p>
          </li>
        ))}
      </ul>
      <p className="max-w-measure">
        {bytes === 0
          ? "Всё уже скачано: осталось включить. "
          : `Скачается ${formatSize(bytes)} ${hubSourceText(models.hub)}: при 50 Мбит/с это ${approximateDuration(bytes)}. `}
        В работе понадобится около {formatSize(memory)} памяти из {formatSize(memoryBytes)}
        {bytes > 0 && `, на диске останется ${formatSize(Math.max(0, diskBytes - bytes))}`}. Наружу ничего не уходит:
        переписка и документы остаются на этом сервере.
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="primary" busy={take.isPending} onClick={() => take.mutate(models)}>
          {bytes > 0 ? "Скачать и включить" : "Включить"}
        </Button>
        {bytes > 0 && <span className="text-muted">Скачаем, проверим и включим сами, страницу можно закрыть</span>}
      </div>
    </Framed>
  );
}

function Coming({ coming }: { coming: LocalModel[] }) {
  const [cancelling, setCancelling] = useState(false);
  const pause = usePauseAll();
  const resume = useResumeAll();
  const remove = useRemoveAll();
  const together = combinedProgress(coming);
  const { state, bytes, received } = together;
  const failed = coming.filter((model) => model.state === "failed");
  return (
    <Framed title={state === "failed" ? "Скачать не получилось" : "Скачиваем и включаем"}>
      <p role="status" className="tabular-nums">
        {coming.map(({ name }) => name).join(", ")}
        <span className="block text-muted">{progressOf(together)}</span>
      </p>
      <Progress
        value={bytes === null ? null : (received / bytes) * 100}
        label="Скачивание того, что советуем"
        className="max-w-xl"
      />
      {failed.map(({ id, name, problem }) => (
        <p key={id} role="alert" className="text-danger-text">
          {name}: {problem}
        </p>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        {state === "downloading" ? (
          <Button busy={pause.isPending} onClick={() => pause.mutate(coming.filter((one) => one.state === state))}>
            <Pause aria-hidden className="icon" />
            Приостановить всё
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={resume.isPending}
            onClick={() => resume.mutate(coming.filter(({ resumable }) => resumable))}
          >
            <Play aria-hidden className="icon" />
            Продолжить всё
          </Button>
        )}
        <Button variant="ghost" onClick={() => setCancelling(true)}>
          Отменить всё
        </Button>
      </div>
      <ConfirmDialog
        open={cancelling}
        onOpenChange={setCancelling}
        title="Отменить скачивание?"
        description="Что из этого скачано не до конца, удалится с диска. Начать можно снова."
        confirmLabel="Отменить скачивание"
        cancelLabel="Оставить"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(coming, { onSuccess: () => setCancelling(false) })}
      />
    </Framed>
  );
}

function Done({ serving }: { serving: LocalModel[] }) {
  const names = (restart: boolean) =>
    serving
      .filter(({ afterRestart }) => afterRestart === restart)
      .map(({ name }) => name)
      .join(", ");
  const [working, waiting] = [names(false), names(true)];
  return (
    <Framed title={working ? "Готово: модели работают" : "Готово: осталось перезапустить сервер"}>
      <p className="flex gap-2.5">
        <CircleCheck aria-hidden className="icon mt-0.5 text-success-text" />
        <span>
          {working && `Работает: ${working}. `}
          {waiting && `После перезапуска сервера заработает: ${waiting}.`}
        </span>
      </p>
    </Framed>
  );
}
