import { clsx } from "clsx";
import type { Payment } from "#contract/organizations/organizations.ts";
import { formatRoubles } from "#web/display-values.ts";
import { formatDate } from "#web/i18n/format.ts";
import { isEmptyList, shownOrSample } from "#web/sample-data.ts";
import { Badge, type BadgeTone, SampleBadge } from "#web/ui/badge.tsx";
import { MoreRows } from "#web/ui/layout/paged-list.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { usePayments } from "./queries.ts";
import { samplePayments } from "./samples.ts";
import { SubscriptionCard } from "./subscription-card.tsx";

const paymentStatuses: Record<Payment["status"], { name: string; tone: BadgeTone }> = {
  pending: { name: "Ждёт оплаты", tone: "info" },
  paid: { name: "Оплачен", tone: "success" },
  cancelled: { name: "Отменён", tone: "neutral" },
};

export function BillingTab() {
  const payments = usePayments();
  const { data, isSample } = shownOrSample(payments, samplePayments, isEmptyList);
  return (
    <>
      <SubscriptionCard />
      <PaperSection
        id="payments"
        title="Счета"
        description={isSample && "У вас счетов ещё нет. Так они будут выглядеть:"}
        action={isSample && <SampleBadge />}
      >
        {data ? (
          // Empty invoices are dimmed, so that they do not compete with the plan above.
          <ul className={clsx("divide-y border-t", isSample && "text-muted")}>
            {data.map(({ id, planName, amount, status, createdAt, paidAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3.5 text-md">
                <div className="min-w-0 flex-1 basis-32">
                  <p className="font-medium">
                    План <span lang="en">{planName}</span>
                  </p>
                  <p className="text-sm text-subtle">{whenOf(formatDate(createdAt), paidAt && formatDate(paidAt))}</p>
                </div>
                <span className="font-medium tabular-nums">{formatRoubles(amount)}</span>
                <Badge tone={isSample ? "neutral" : paymentStatuses[status].tone}>{paymentStatuses[status].name}</Badge>
              </li>
            ))}
          </ul>
        ) : (
          <div role="status" className="space-y-4 border-t py-4">
            <span className="sr-only">Загружаем счета...</span>
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </div>
        )}
        {!isSample && <MoreRows query={payments} />}
      </PaperSection>
    </>
  );
}

/** Names the day once when the invoice was issued and paid on the same day. */
function whenOf(issued: string, paid: string | null): string {
  if (paid === null) return `Выставлен ${issued}`;
  return issued === paid ? `Выставлен и\u00a0оплачен ${issued}` : `Выставлен ${issued}, оплачен ${paid}`;
}
