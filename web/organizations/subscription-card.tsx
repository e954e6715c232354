import { Check } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { organizationsApi } from "#contract/organizations/organizations.ts";
import { withoutLimits } from "#contract/plans/default-plans.ts";
import { formatRoubles, NO_LIMITS } from "#web/display-values.ts";
import { formatDate } from "#web/i18n/format.ts";
import { priceOf } from "#web/parts/plans/price.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge, SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useSubscription } from "./queries.ts";
import { sampleSubscription } from "./samples.ts";

const UpgradeDialog = lazy(() => import("./upgrade-dialog.tsx"));

export function SubscriptionCard() {
  const [choosing, setChoosing] = useState(false);
  const mayNot = useWhyNot(organizationsApi.choosePlan);
  const { data, isSample } = shownOrSample(useSubscription(), sampleSubscription);
  return (
    <Card aria-labelledby="subscription">
      <CardHeader
        id="subscription"
        title="Текущая подписка"
        action={
          <div className="flex items-center gap-3">
            {isSample && <SampleBadge />}
            <Button whyNot={mayNot} onClick={() => setChoosing(true)}>
              Сменить план
            </Button>
          </div>
        }
      />
      <CardBody>
        {data ? (
          <div className="flex flex-wrap items-start justify-between gap-x-10 gap-y-5">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span lang="en" className="min-w-0 font-semibold text-xl [overflow-wrap:anywhere]">
                  {data.plan.name}
                </span>
                <span className="text-md text-muted">{data.plan.description}</span>
                <Badge tone="success">Действует</Badge>
              </p>
              <p className="mt-3 font-medium text-lg tabular-nums">{priceOf(data.plan)}</p>
              <p className="mt-3 max-w-prose text-md">Менять план не обязательно. {NO_LIMITS}</p>
              {data.since && <p className="mt-1 text-sm text-subtle">С {formatDate(data.since)}</p>}
            </div>
            <ul className="flex min-w-40 flex-col gap-2 text-md">
              {withoutLimits(data.plan.features).map((feature) => (
                <li key={feature} className="flex gap-2">
                  <Check aria-hidden className="icon mt-0.5 shrink-0 text-primary-text" />
                  <span className="min-w-0 [overflow-wrap:anywhere]">{feature}</span>
                </li>
              ))}
            </ul>
          </div>
        ) : (
          <div aria-hidden className="space-y-3">
            <Skeleton className="h-7 w-32" />
            <Skeleton className="h-5 w-56" />
            <Skeleton className="h-6 w-40" />
          </div>
        )}
        {data?.pending && (
          <p role="status" className="mt-5 rounded-md bg-info-soft px-4 py-3 text-info-text text-md">
            Счёт за план <span lang="en">{data.pending.planName}</span> на {formatRoubles(data.pending.amount)} ждёт
            оплаты. Онлайн-оплаты здесь нет: план начнёт действовать, когда администратор платформы отметит счёт
            оплаченным.
          </p>
        )}
      </CardBody>
      <Suspense>
        {choosing && <UpgradeDialog current={isSample ? undefined : data} onClose={() => setChoosing(false)} />}
      </Suspense>
    </Card>
  );
}
