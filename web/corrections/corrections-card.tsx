import { PencilLine, RefreshCw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Correction, WaitingCorrection } from "#contract/corrections.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { isChecking, useCorrections, useDecline, useReplay } from "#web/parts/corrections/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { JobFailure } from "#web/ui/states/job-failure.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { CorrectionRow, isFromConversation } from "./correction-row.tsx";

const CorrectionDialog = lazy(() => import("#web/parts/corrections/correction-dialog.tsx"));

interface CorrectionsCardProps {
  twinId: string;
  readOnly: boolean;
}

export function CorrectionsCard({ twinId, readOnly }: CorrectionsCardProps) {
  const [since, setSince] = useState<number | null>(null);
  const query = useCorrections(twinId, since);
  const replay = useReplay(twinId, () => setSince(Date.now()));
  const { data } = query;
  if (!data) {
    return query.error ? (
      <ErrorCard title="Не удалось загрузить исправления" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-40">Загружаем исправления...</LoadingStatus>
    );
  }
  const checking = replay.isPending || isChecking(data, since);
  const broken = data.corrections.filter((one) => one.active && one.case?.state === "broken");
  const fromTalks = data.corrections.filter((one) => one.active && isFromConversation(one)).length;
  const others = data.corrections.filter((one) => !broken.includes(one));
  return (
    <>
      <WaitingCard twinId={twinId} waiting={data.waiting} readOnly={readOnly} />
      <Card aria-labelledby="corrections">
        <CardHeader
          id="corrections"
          title="Чему вы научили двойника"
          description="Всё, что вы подтвердили и поправили. После обучения двойника спрашивают об этом снова"
          action={
            data.corrections.length > 0 && (
              <Button size="sm" disabled={checking || readOnly} onClick={() => replay.mutate()}>
                <RefreshCw aria-hidden className="icon" />
                Проверить сейчас
              </Button>
            )
          }
        />
        {checking && <LoadingStatus className="border-b p-4">Спрашиваем двойника...</LoadingStatus>}
        {data.failedAt && !checking && (
          <JobFailure
            title="Проверить, держатся ли исправления, не получилось."
            detail="Ниже итоги прежней проверки."
            at={data.failedAt}
            busy={checking}
            onRetry={readOnly ? undefined : () => replay.mutate()}
          />
        )}
        {broken.length > 0 && (
          <p className="border-b bg-danger-soft px-4 py-3 text-danger-text text-md md:px-5">
            {plural(broken.length, ["исправление перестало", "исправления перестали", "исправлений перестали"])}{" "}
            держаться: двойник снова отвечает иначе.
          </p>
        )}
        {fromTalks > 0 && (
          <p className="border-b px-4 py-3 text-md text-muted md:px-5">
            Из&nbsp;разговоров с&nbsp;собеседниками для всех:{" "}
            {plural(fromTalks, ["исправление", "исправления", "исправлений"])}. Если это должен слышать только тот,
            с&nbsp;кем вы говорили, нажмите «Только для собеседника».
          </p>
        )}
        {data.corrections.length === 0 ? (
          <EmptyState
            icon={PencilLine}
            title="Исправлений пока нет"
            description="Нажмите «Исправить ответ» под любым ответом двойника: в тестовом чате или в диалоге."
          />
        ) : (
          <ul className="divide-y">
            {[...broken, ...others].map((one: Correction) => (
              <CorrectionRow key={one.id} twinId={twinId} correction={one} readOnly={readOnly} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

interface WaitingCardProps extends CorrectionsCardProps {
  waiting: readonly WaitingCorrection[];
}

function WaitingCard({ twinId, waiting, readOnly }: WaitingCardProps) {
  const [open, setOpen] = useState<WaitingCorrection | null>(null);
  const decline = useDecline(twinId);
  if (waiting.length === 0 && open === null) return null;
  return (
    <Card aria-labelledby="waiting">
      <CardHeader
        id="waiting"
        title="Ваши правки ждут решения"
        description="Вы ответили иначе, чем двойник. Научить его этому?"
      />
      <CardBody className="p-0!">
        <ul className="divide-y">
          {waiting.map((one) => (
            <li
              key={one.from.id}
              className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 px-4 py-4 md:px-5"
            >
              <div className="min-w-0 max-w-measure text-md [overflow-wrap:anywhere]">
                <p className="text-muted">
                  {one.contactName ?? "Тестовый чат"}, {formatRecent(one.createdAt)}: {one.question}
                </p>
                <p className="mt-1 text-subtle line-through">{one.twinReply}</p>
                <p className="mt-1 whitespace-pre-line">{one.correction}</p>
              </div>
              <div className="flex flex-wrap gap-2">
                <Button size="sm" disabled={readOnly || decline.isPending} onClick={() => decline.mutate(one.from)}>
                  Не учить
                </Button>
                <Button size="sm" disabled={readOnly} onClick={() => setOpen(one)}>
                  Научить
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </CardBody>
      <Suspense>
        {open && (
          <CorrectionDialog
            correction={open.correction}
            from={open.from}
            twinId={twinId}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </Card>
  );
}
