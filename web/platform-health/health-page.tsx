import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { Link } from "wouter";
import { type HealthFact, healthApi } from "#contract/health.ts";
import { queryOf } from "#web/api/query.ts";
import { formatTime } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { byUrgency, headline, StateBadge } from "#web/parts/health/health-states.tsx";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { useWide } from "#web/ui/layout/address-tabs.tsx";
import { BackLink } from "#web/ui/layout/back-link.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { Alerts } from "./alerts.tsx";
import { Fact } from "./health-fact.tsx";
import { Processes } from "./processes.tsx";

/** How often the page reads again, ms. */
const REFRESH_MS = 10_000;

/** How the server is, for the platform's administrator; it refreshes itself. */
export default function HealthPage() {
  const mayNot = useWhyNot(healthApi.get);
  return (
    <Page title="Состояние" description="Как работает сервер">
      <BackLink to={paths.admin}>Настройки</BackLink>
      {mayNot === null ? <Health /> : <ForOthers />}
    </Page>
  );
}

/** Nothing has failed for them, so nothing is asked and nothing looks like a failure. */
function ForOthers() {
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Состояние сервера видит администратор платформы"
        description="Он ведёт эту установку и следит за диском, каналами и копиями. Ваши двойники от этого раздела не зависят."
        action={
          <Button asChild>
            <Link href={paths.admin}>К настройкам</Link>
          </Button>
        }
      />
    </Card>
  );
}

function Health() {
  const health = useQuery({ ...queryOf(healthApi.get), refetchInterval: REFRESH_MS });
  const facts = byUrgency(health.data?.facts ?? []);
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
          <p className="mb-6 flex flex-wrap items-baseline gap-x-3 text-md">
            <span role="status" className="font-semibold text-xl">
              {headline(health.data)}
            </span>
            <span className="text-muted">Обновлено в&nbsp;{formatTime(health.dataUpdatedAt)}</span>
          </p>
          <Urgent facts={facts.filter(wantsAct)} />
          <div>
            <InOrder facts={facts.filter(({ state }) => state === "ok")} />
            {facts
              .filter(({ state }) => state === "unset")
              .map((fact) => (
                <Fact key={fact.id} fact={fact} />
              ))}
            <Processes processes={health.data.processes} />
            <Alerts ways={health.data.alertWays} />
          </div>
        </>
      )}
    </>
  );
}

const wantsAct = ({ state }: HealthFact) => state === "failure" || state === "attention";

/** What somebody is to see to stands in a card of its own; all else is only read. */
function Urgent({ facts }: { facts: readonly HealthFact[] }) {
  if (facts.length === 0) return null;
  return (
    <Card className="mb-6 px-4 pt-5 md:px-5">
      {facts.map((fact) => (
        <Fact key={fact.id} fact={fact} />
      ))}
    </Card>
  );
}

/** On a phone one row tells what is in order, and opens what it tells. */
function InOrder({ facts }: { facts: readonly HealthFact[] }) {
  const shown = facts.map((fact) => <Fact key={fact.id} fact={fact} />);
  if (useWide() || shown.length === 0) return shown;
  return (
    <details className="pb-4">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-medium text-md">
        <StateBadge state="ok" />
        {plural(shown.length, ["раздел", "раздела", "разделов"])}: показать
      </summary>
      <div className="mt-4">{shown}</div>
    </details>
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
