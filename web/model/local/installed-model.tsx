import { Pause, Play, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { LocalModel } from "#contract/models/local-models.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { formatSize } from "#web/i18n/size.ts";
import { useChange, usePause, useRemove, useResume } from "#web/parts/local-models/queries.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Switch } from "#web/ui/forms/switch.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";

const TrialDialog = lazy(() => import("./trial-dialog.tsx"));

import { progressOf } from "./words.ts";

export function InstalledModel({ model, settled }: { model: LocalModel; settled: boolean }) {
  const { state, bytes, received, problem } = model;
  const moving = state === "downloading" || state === "paused" || state === "uploading";
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-2 font-medium text-md [overflow-wrap:anywhere]">
            {model.name}
            <State model={model} settled={settled} />
          </p>
          <p className="mt-1 text-muted text-sm tabular-nums">
            {state === "ready" ? factsOf(model) : state === "failed" && received === 0 ? null : progressOf(model)}
          </p>
        </div>
        <Acts model={model} settled={settled} />
      </div>
      {moving && (
        <Progress
          value={bytes === null ? null : (received / bytes) * 100}
          label={`${model.name}: загрузка`}
          className="max-w-xl"
        />
      )}
      <p role="status" className="text-danger-text text-md empty:hidden">
        {problem}
      </p>
    </li>
  );
}

function State({ model, settled }: { model: LocalModel; settled: boolean }) {
  const { state, kind, chosen, allowed, afterRestart } = model;
  if (state === "downloading") return <Badge tone="info">Скачивается</Badge>;
  if (state === "paused") return <Badge>Приостановлена</Badge>;
  if (state === "uploading") return <Badge tone="info">Загружается</Badge>;
  if (state === "failed") return <Badge tone="danger">Не получилось</Badge>;
  if (chosen && settled) return <Badge tone="warning">Ждёт: модель задана в настройках сервера</Badge>;
  if (afterRestart)
    return <Badge tone="warning">{chosen ? "Включится" : "Выключится"} после перезапуска сервера</Badge>;
  if (chosen) return <Badge tone="success">{kind === "chat" ? "Отвечает за всех" : "Работает"}</Badge>;
  return allowed ? <Badge tone="primary">Разрешена организациям</Badge> : <Badge>Готова</Badge>;
}

function factsOf({ kind, bytes, memoryBytes, organizations }: LocalModel): string {
  const facts = [`файл ${formatSize(bytes ?? 0)}`];
  if (memoryBytes !== null) facts.push(`в работе около ${formatSize(memoryBytes)} памяти`);
  if (kind === "chat" && organizations > 0) {
    const word = pluralForm(organizations, ["организация", "организации", "организаций"]);
    facts.push(`выбрали сами: ${formatNumber(organizations)} ${word}`);
  }
  const said = facts.join(" · ");
  return said[0]!.toUpperCase() + said.slice(1);
}

function Acts({ model, settled }: { model: LocalModel; settled: boolean }) {
  const { id, state, received, kind, chosen, allowed, resumable, name, organizations } = model;
  const [trying, setTrying] = useState(false);
  const [removing, setRemoving] = useState(false);
  const change = useChange();
  const pause = usePause();
  const resume = useResume();
  const remove = useRemove();
  const ready = state === "ready";
  return (
    <div className="flex flex-wrap items-center gap-2">
      {ready && kind === "chat" && (
        <span className="flex items-center gap-2 pe-2 text-md">
          <Switch
            id={`allowed-${id}`}
            checked={allowed}
            disabled={chosen || change.isPending}
            onCheckedChange={(next) => change.mutate({ id, allowed: next })}
          />
          <label htmlFor={`allowed-${id}`}>Разрешить организациям</label>
        </span>
      )}
      {ready && (
        <Button
          size="sm"
          busy={change.isPending}
          whyNot={settled && !chosen ? "Модель этого назначения задана в настройках сервера" : null}
          onClick={() => change.mutate({ id, chosen: !chosen })}
        >
          {chosen ? "Отключить" : kind === "chat" ? "Выбрать для всех" : "Включить"}
        </Button>
      )}
      {ready && kind === "chat" && (
        <Button size="sm" onClick={() => setTrying(true)}>
          Проверить
        </Button>
      )}
      {state === "downloading" && (
        <Button size="sm" busy={pause.isPending} onClick={() => pause.mutate(id)}>
          <Pause aria-hidden className="icon" />
          Приостановить
        </Button>
      )}
      {resumable && (
        <Button size="sm" busy={resume.isPending} onClick={() => resume.mutate(id)}>
          <Play aria-hidden className="icon" />
          {state === "failed" && received === 0 ? "Скачать снова" : "Продолжить"}
        </Button>
      )}
      <Button
        size="sm"
        variant="danger"
        whyNot={chosen ? "Модель выбрана: сначала отключите её или выберите другую" : null}
        onClick={() => setRemoving(true)}
        aria-label={`${ready || state === "failed" ? "Удалить" : "Отменить"} ${name}`}
      >
        <Trash2 aria-hidden className="icon" />
        {ready || state === "failed" ? "Удалить" : "Отменить"}
      </Button>
      <Suspense>{trying && <TrialDialog model={model} onClose={() => setTrying(false)} />}</Suspense>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={ready || state === "failed" ? `Удалить «${name}»?` : `Отменить загрузку «${name}»?`}
        description={
          organizations > 0
            ? `Её выбрали организации: ${formatNumber(organizations)}. Им станет отвечать модель, выбранная для всех. Файл удалится с диска.`
            : "Всё, что скачано, удалится с диска."
        }
        confirmLabel={ready || state === "failed" ? "Удалить" : "Отменить загрузку"}
        cancelLabel="Оставить"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: () => setRemoving(false) })}
      />
    </div>
  );
}
