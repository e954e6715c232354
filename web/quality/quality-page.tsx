import { lazy, Suspense, useState } from "react";
import type { TwinQuality } from "#contract/quality.ts";
import type { Twin } from "#contract/twins.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { useReadOnly } from "#web/read-only.ts";
import { TwinSubpage } from "#web/twins/twin-subpage.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/card.tsx";
import { ErrorCard } from "#web/ui/error-card.tsx";
import { LoadingStatus } from "#web/ui/spinner.tsx";
import { LikenessCard } from "./likeness-card.tsx";
import { LikenessHistory } from "./likeness-history.tsx";
import { isAwaited, useMeasure, useQuality } from "./queries.ts";
import { StyleCard } from "./style-card.tsx";
import { WorstReplies } from "./worst-replies.tsx";

const BlindTestDialog = lazy(() => import("./blind-test-dialog.tsx"));

/** How the owner writes, and how like that the twin answers. */
export default function QualityPage() {
  return (
    <TwinSubpage title="Качество двойника" ownerOnly>
      {(twin) => <Quality twin={twin} />}
    </TwinSubpage>
  );
}

function Quality({ twin }: { twin: Twin }) {
  const [since, setSince] = useState<number | null>(null);
  const query = useQuality(twin.id, since);
  const measure = useMeasure(twin.id, () => setSince(Date.now()));
  const readOnly = useReadOnly(twin) !== null;
  const { data } = query;
  if (!data) {
    return query.error ? (
      <ErrorCard
        title="Не удалось загрузить качество двойника"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <LoadingStatus className="min-h-80">Загружаем качество двойника...</LoadingStatus>
    );
  }
  const measuring = measure.isPending || isAwaited(data.measure?.measuredAt, since);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <LikenessCard
        measure={data.measure}
        measurable={data.profile !== null}
        measuring={measuring}
        readOnly={readOnly}
        onMeasure={() => measure.mutate()}
      />
      <LikenessHistory history={data.history} />
      {data.measure?.figures && <BlindTestCard twinId={twin.id} tests={data.blindTests} readOnly={readOnly} />}
      {data.profile && <StyleCard profile={data.profile} groups={data.groups} />}
      <WorstReplies twinId={twin.id} replies={data.worst} readOnly={readOnly} />
    </div>
  );
}

interface BlindTestCardProps {
  twinId: string;
  tests: TwinQuality["blindTests"];
  readOnly: boolean;
}

function BlindTestCard({ twinId, tests, readOnly }: BlindTestCardProps) {
  const [open, setOpen] = useState(false);
  return (
    <Card aria-labelledby="blind-test">
      <CardHeader
        id="blind-test"
        title="Слепой тест"
        description="Десять пар: ваш настоящий ответ и ответ двойника. Узнаете себя?"
        action={
          <Button size="sm" disabled={readOnly} onClick={() => setOpen(true)}>
            Начать тест
          </Button>
        }
      />
      {tests.length > 0 && (
        <CardBody>
          <ul className="flex flex-col gap-1.5 text-md">
            {tests.map(({ takenAt, right, total }) => (
              <li key={takenAt} className="flex flex-wrap justify-between gap-x-4 tabular-nums">
                <span className="text-muted">{formatRecent(takenAt)}</span>
                <span>
                  узнали себя в {right} из {total}
                </span>
              </li>
            ))}
          </ul>
        </CardBody>
      )}
      <Suspense>{open && <BlindTestDialog twinId={twinId} onClose={() => setOpen(false)} />}</Suspense>
    </Card>
  );
}
