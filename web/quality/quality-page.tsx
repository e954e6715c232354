import { ArrowLeft } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link, useParams } from "wouter";
import type { TwinQuality } from "#contract/quality.ts";
import type { Twin } from "#contract/twins.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/read-only.ts";
import { useSession } from "#web/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { TwinScreen } from "#web/twins/twin-screen.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/card.tsx";
import { ErrorCard } from "#web/ui/error-card.tsx";
import { ReadOnlyNote } from "#web/ui/read-only.tsx";
import { LoadingStatus } from "#web/ui/spinner.tsx";
import { LikenessCard } from "./likeness-card.tsx";
import { LikenessHistory } from "./likeness-history.tsx";
import { isAwaited, useMeasure, useQuality } from "./queries.ts";
import { StyleCard } from "./style-card.tsx";
import { WorstReplies } from "./worst-replies.tsx";

const BlindTestDialog = lazy(() => import("./blind-test-dialog.tsx"));

/** How the owner writes, and how like that the twin answers. */
export default function QualityPage() {
  const { id = "" } = useParams();
  return (
    <Page title="Качество двойника">
      <TwinScreen id={id}>{(twin) => <Quality twin={twin} />}</TwinScreen>
    </Page>
  );
}

function Quality({ twin }: { twin: Twin }) {
  const { user } = useSession();
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button asChild size="sm">
          <Link href={paths.twinSettings(twin.id)}>
            <ArrowLeft aria-hidden className="icon" />К настройкам
          </Link>
        </Button>
        <p className="min-w-0 text-md text-muted [overflow-wrap:anywhere]">{twin.name}</p>
      </div>
      {user?.id === twin.ownerId || twin.ownerId === "" ? (
        <OwnersQuality twin={twin} />
      ) : (
        <ReadOnlyNote reason="Здесь показаны письма владельца двойника, поэтому страницу видит только он." />
      )}
    </>
  );
}

function OwnersQuality({ twin }: { twin: Twin }) {
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
