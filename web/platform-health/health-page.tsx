import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { type HealthFact, healthApi } from "#contract/health.ts";
import { queryOf } from "#web/api/query.ts";
import { formatTime } from "#web/i18n/format.ts";
import { describeUnconfigured, headline, sortByUrgency } from "#web/parts/health/health-states.tsx";
import { useAdministratorState } from "#web/parts/installation/queries.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { Alerts } from "./alerts.tsx";
import { Fact } from "./health-fact.tsx";
import { Details, HealthyFacts } from "./healthy-facts.tsx";
import { UnsetFact } from "./unset-fact.tsx";

const BecomeAdministrator = lazy(() => import("#web/parts/installation/become-administrator.tsx"));

const REFRESH_MS = 10_000;

export default function HealthPage() {
  const mayNot = useWhyNot(healthApi.get);
  return (
    <Page title="Состояние" description="Как работает сервер">
      <BackLink href={paths.admin}>Супер-админ панель</BackLink>
      {mayNot === null ? <Health /> : <ForOthers />}
    </Page>
  );
}

/** For other users: nothing is requested, so that no error appears. */
function ForOthers() {
  const state = useAdministratorState();
  if (state === undefined) return <Loading />;
  // Where there is no administrator yet, how to become him is all that can be said.
  if (state !== "there")
    return (
      <Suspense fallback={<Skeleton className="h-32" />}>
        <BecomeAdministrator />
      </Suspense>
    );
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Состояние сервера видит администратор платформы"
        description="Он ведёт эту установку и следит за диском, каналами и копиями. Ваши двойники от этого раздела не зависят."
        action={
          <Button asChild>
            <Link href={paths.settings}>К настройкам</Link>
          </Button>
        }
      />
    </Card>
  );
}

function Health() {
  const health = useQuery({ ...queryOf(healthApi.get), refetchInterval: REFRESH_MS });
  const facts = sortByUrgency(health.data?.facts ?? []);
  return (
    <>
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
          <p role="status" className="font-semibold text-xl">
            {headline(health.data)}
          </p>
          <p className="mt-1 mb-6 text-md text-muted">
            {describeUnconfigured(health.data)} Обновлено в&nbsp;{formatTime(health.dataUpdatedAt)}
          </p>
          <Urgent facts={facts.filter(wantsAct)} />
          <div>
            {facts
              .filter(({ state }) => state === "unset")
              .map((fact) => (
                <UnsetFact key={fact.id} fact={fact} />
              ))}
            <Alerts ways={health.data.alertWays} />
            <HealthyFacts facts={facts.filter(({ state }) => state === "ok")} />
            <Details facts={facts.filter((fact) => !wantsAct(fact))} processes={health.data.processes} />
          </div>
        </>
      )}
    </>
  );
}

const wantsAct = ({ state }: HealthFact) => state === "failure" || state === "attention";

/** Facts that need action are in a separate card; the others are only informative. */
function Urgent({ facts }: { facts: readonly HealthFact[] }) {
  if (facts.length === 0) return null;
  return (
    <Card className="mb-6 px-4 pt-5 md:px-5">
      {facts.map((fact) => {
        const Shown = fact.isUnconfigured ? UnsetFact : Fact;
        return <Shown key={fact.id} fact={fact} />;
      })}
    </Card>
  );
}

function Loading() {
  return (
    <>
      <LoadingStatus className="sr-only">Узнаём состояние...</LoadingStatus>
      <div className="flex flex-col gap-6">
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <Skeleton key={key} className="h-16" />
        ))}
      </div>
    </>
  );
}
