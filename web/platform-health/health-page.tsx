import { useQuery } from "@tanstack/react-query";
import { healthApi } from "#contract/health.ts";
import { queryOf } from "#web/api/query.ts";
import { formatTime } from "#web/i18n/format.ts";
import { Page } from "#web/shell/page.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { AlertsCard } from "./alerts-card.tsx";
import { HealthCard } from "./health-card.tsx";
import { headline } from "./health-states.ts";
import { ProcessesCard } from "./processes-card.tsx";

/** How often the page reads again, ms. */
const REFRESH_MS = 10_000;

/** How the server is, for the platform's administrator; it refreshes itself. */
export default function HealthPage() {
  const health = useQuery({ ...queryOf(healthApi.get), refetchInterval: REFRESH_MS });
  return (
    <Page title="Состояние" description="Как работает сервер">
      {health.isError && (
        <ErrorCard
          className="mb-6"
          title={health.data ? "Не удалось обновить состояние" : "Не удалось узнать состояние"}
          error={health.error}
          onRetry={() => void health.refetch()}
        />
      )}
      {health.isPending && <Loading />}
      {health.data && (
        <>
          <p className="mb-4 flex flex-wrap items-baseline gap-x-3 text-md">
            <span role="status" className="font-semibold">
              {headline(health.data)}
            </span>
            <span className="text-muted">Обновлено в&nbsp;{formatTime(health.dataUpdatedAt)}</span>
          </p>
          <ul className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
            {health.data.facts.map((fact) => (
              <li key={fact.id}>
                <HealthCard fact={fact} />
              </li>
            ))}
          </ul>
          <ProcessesCard processes={health.data.processes} />
          <AlertsCard ways={health.data.alertWays} />
        </>
      )}
    </Page>
  );
}

function Loading() {
  return (
    <>
      <LoadingStatus className="sr-only">Узнаём состояние...</LoadingStatus>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <Skeleton key={key} className="h-52 rounded-lg!" />
        ))}
      </div>
    </>
  );
}
