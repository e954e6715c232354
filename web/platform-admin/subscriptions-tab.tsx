import { Check } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { adminApi } from "#contract/organizations/platform.ts";
import type { SubscriptionPlan } from "#contract/plans/plans.ts";
import { planFeaturesShown } from "#web/display-values.ts";
import { priceOf } from "#web/parts/plans/price.ts";
import { samplePlans } from "#web/parts/plans/sample-plans.ts";
import { isEmptyList, shownOrSample } from "#web/sample-data.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody } from "#web/ui/layout/card.tsx";
import { SampleNotice } from "#web/ui/states/sample-notice.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { OpenInvoices } from "./open-invoices.tsx";
import { useAllPlans } from "./queries.ts";

const EditPlanDialog = lazy(() => import("./edit-plan-dialog.tsx"));

export function SubscriptionsTab() {
  const { data: plans, isSample } = shownOrSample(useAllPlans(), samplePlans, isEmptyList);
  const [edited, setEdited] = useState<SubscriptionPlan>();
  return (
    <>
      {isSample && <SampleNotice>Так выглядят планы.</SampleNotice>}
      <section aria-label="Планы" className="grid grid-cols-1 gap-4 md:grid-cols-2 lg:grid-cols-3">
        {plans ? (
          plans.map((plan) => <PlanCard key={plan.id} plan={plan} onEdit={() => setEdited(plan)} />)
        ) : (
          <>
            <span role="status" className="sr-only">
              Загружаем планы...
            </span>
            {[0, 1, 2].map((card) => (
              <Skeleton key={card} className="h-72" />
            ))}
          </>
        )}
      </section>
      <OpenInvoices />
      <Suspense>{edited && <EditPlanDialog plan={edited} onClose={() => setEdited(undefined)} />}</Suspense>
    </>
  );
}

interface PlanCardProps {
  plan: SubscriptionPlan;
  onEdit: () => void;
}

function PlanCard({ plan, onEdit }: PlanCardProps) {
  const id = `plan-${plan.id}`;
  const mayNot = useWhyNot(adminApi.changePlan);
  return (
    <Card aria-labelledby={id} className="flex flex-col">
      <CardBody className="flex flex-1 flex-col">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id={id} lang="en" className="min-w-0 text-lg [overflow-wrap:anywhere]">
            {plan.name}
          </h2>
          <Badge lang="en" tone={plan.isActive ? "success" : "neutral"}>
            {plan.isActive ? "Active" : "Inactive"}
          </Badge>
        </div>
        <p className="mt-1 text-md text-muted">{plan.description}</p>
        <p className="mt-4 font-semibold text-xl tabular-nums">{priceOf(plan)}</p>
        <ul className="mt-4 mb-5 flex flex-col gap-2 text-md">
          {plan.features.slice(0, planFeaturesShown).map((feature) => (
            <li key={feature} className="flex gap-2">
              <Check aria-hidden className="icon mt-0.5 shrink-0 text-primary-text" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{feature}</span>
            </li>
          ))}
        </ul>
        <Button lang="en" className="mt-auto" aria-describedby={id} whyNot={mayNot} onClick={onEdit}>
          Edit Plan
        </Button>
      </CardBody>
    </Card>
  );
}
