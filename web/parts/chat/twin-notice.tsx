import type { ReactNode } from "react";
import { Link } from "wouter";
import { type Twin, twinsApi } from "#contract/twins.ts";
import { formatShare } from "#web/i18n/format.ts";
import { useTraining, useUpdateTwin } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

interface TwinNoticeProps {
  twin: Pick<Twin, "id" | "status" | "isActive" | "ownerId">;
  /** Whether space belongs to the messages, so that a running training is shown in a few words. */
  compact?: boolean;
}

/** Explains what prevents the twin from answering well, with a link to fix it. */
export function TwinNotice({ twin, compact = false }: TwinNoticeProps) {
  if (!twin.isActive) return <PausedNotice twin={twin} />;
  return twin.status === "ready" ? null : <LearningNotice twinId={twin.id} compact={compact} />;
}

function PausedNotice({ twin }: { twin: Pick<Twin, "id" | "ownerId"> }) {
  const mayNot = useWhyNot(twinsApi.update, twin);
  const update = useUpdateTwin(twin.id);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-warning-soft px-4 py-2.5 text-md text-warning-text md:px-5">
      <p className="min-w-0 flex-1 basis-56">
        Двойник приостановлен и не отвечает.
        {mayNot !== null && " Возобновить его могут владелец и\u00a0администраторы организации."}
      </p>
      {mayNot === null && (
        <Button
          size="sm"
          busy={update.isPending}
          onClick={() =>
            update.mutate(
              { isActive: true },
              {
                onSuccess: () => toast({ title: "Статус обновлен", description: "Двойник снова отвечает" }),
                onError: toastError("Ошибка обновления"),
              },
            )
          }
        >
          {update.isPending ? "Возобновляем..." : "Возобновить"}
        </Button>
      )}
    </div>
  );
}

/** A running training ends on its own; a twin without knowledge stays in training. */
function LearningNotice({ twinId, compact }: { twinId: string; compact: boolean }) {
  const { data } = useTraining(twinId);
  if (data?.running && compact) {
    return (
      <Notice>
        Двойник учится ({formatShare(data.progress)}): пока он может не&nbsp;знать того, что в&nbsp;документах есть
      </Notice>
    );
  }
  if (data?.running) {
    return (
      <Notice>
        Двойник сейчас учится ({formatShare(data.progress)}). До конца обучения он может ответить «не&nbsp;знаю»
        и&nbsp;на то, что есть в&nbsp;документах: спросите ещё раз, когда эта строка исчезнет.
      </Notice>
    );
  }
  return (
    <Notice>
      Двойник ещё учится… Ответы станут точнее, когда появятся документы и&nbsp;переписки.{" "}
      <Link href={paths.trainAi} className="font-medium underline">
        Обучить двойника
      </Link>
    </Notice>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return <p className="bg-warning-soft px-4 py-2.5 text-md text-warning-text md:px-5">{children}</p>;
}
