import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { TrainingState, Twin } from "#contract/twins.ts";
import { formatShare } from "#web/i18n/format.ts";
import { useTraining, useUpdateTwin } from "#web/parts/twins/queries.ts";
import { TrainingBadge } from "#web/parts/twins/twin-badges.tsx";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Switch } from "#web/ui/forms/switch.tsx";
import { Card, CardBody } from "#web/ui/layout/card.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useSingleFlight } from "#web/use-single-flight.ts";

export function TwinStatusCard({ twin, children }: { twin: Twin; children: ReactNode }) {
  const update = useUpdateTwin(twin.id);
  const training = useTraining(twin.id).data;
  const readOnly = useReadOnly(twin);

  const setActive = useSingleFlight((isActive: boolean) =>
    update.mutateAsync({ isActive }).then(() => toast({ title: "Статус обновлен" }), toastError("Ошибка обновления")),
  );

  return (
    <Card aria-labelledby="twin-status">
      <CardBody className="flex flex-col gap-5">
        <div className="flex flex-wrap items-center gap-x-10 gap-y-5">
          <div className="flex min-w-0 flex-1 basis-64 items-center gap-4">
            <Avatar name={twin.name} size="lg" echo />
            <div className="min-w-0">
              <h2 id="twin-status" className="text-xl [overflow-wrap:anywhere]">
                {twin.name}
              </h2>
              <div className="mt-1">
                <TrainingBadge status={training?.status ?? twin.status} />
              </div>
            </div>
          </div>
          <div className="flex items-center justify-between gap-4 max-sm:w-full">
            {/* The state needs no visible heading; the switch keeps its accessible name. */}
            <span id="twin-active" className="sr-only">
              Активность
            </span>
            <p id="twin-active-state" className="text-md">
              {twin.isActive ? "Агент активен и отвечает на сообщения" : "Агент приостановлен"}
            </p>
            <Switch
              aria-labelledby="twin-active"
              aria-describedby={readOnly ? "twin-active-state twin-read-only" : "twin-active-state"}
              checked={twin.isActive}
              disabled={update.isPending || readOnly !== null}
              onCheckedChange={setActive}
            />
          </div>
          {children}
        </div>
        {readOnly && <ReadOnlyNote id="twin-read-only" reason={readOnly} />}
        {training && <TrainingProgress training={training} />}
      </CardBody>
    </Card>
  );
}

function TrainingProgress({ training }: { training: TrainingState }) {
  const [seenRunning, setSeenRunning] = useState(training.running);
  if (training.running && !seenRunning) setSeenRunning(true);
  if (training.running) {
    return (
      <div className="flex flex-col gap-2">
        <p className="flex justify-between gap-4 text-md">
          <span>{training.stage ?? "Идёт обучение"}</span>
          <span className="text-muted tabular-nums">{formatShare(training.progress)}</span>
        </p>
        <Progress value={training.progress * 100} label="Обучение двойника" />
      </div>
    );
  }
  if (training.error) {
    return <FormError error={`Не удалось обучить двойника: ${training.error}`} />;
  }
  return (
    <p role="status" className="text-md text-muted empty:-mt-5">
      {seenRunning ? "Обучение закончено. " : ""}
      {training.status === "training" && (
        <>
          Двойник ещё учится…{" "}
          <Link href={paths.trainAi} className="font-medium text-primary-text underline">
            Добавьте документы и&nbsp;переписки
          </Link>
        </>
      )}
    </p>
  );
}
