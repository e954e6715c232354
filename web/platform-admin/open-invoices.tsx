import { lazy, Suspense, useState } from "react";
import type { PlatformPayment } from "#contract/organizations/platform.ts";
import { formatRoubles } from "#web/display-values.ts";
import { formatDate } from "#web/i18n/format.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { MoreRows } from "#web/ui/layout/paged-list.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useOpenInvoices, useSettlePayment } from "./queries.ts";
import { sampleInvoices } from "./samples.ts";

const ConfirmDialog = lazy(() =>
  import("#web/ui/overlays/confirm-dialog.tsx").then((module) => ({ default: module.ConfirmDialog })),
);

type Outcome = "paid" | "cancelled";

/** Unpaid invoices. No payment provider is connected, so a platform administrator confirms each payment. */
export function OpenInvoices() {
  const invoices = useOpenInvoices();
  const settle = useSettlePayment();
  const [asked, setAsked] = useState<{ invoice: PlatformPayment; status: Outcome }>();
  const { data, isSample } = shownOrSample(invoices, sampleInvoices);
  return (
    <PaperSection
      id="invoices"
      title="Счета ждут оплаты"
      description="Платёжная система не подключена: отметьте счёт, когда деньги пришли."
      action={isSample && <SampleBadge />}
    >
      {!data ? (
        <div className="space-y-4 border-t py-4">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      ) : data.length === 0 ? (
        <p className="border-t pt-4 text-md text-muted">Таких счетов нет.</p>
      ) : (
        <ul className="divide-y border-t">
          {data.map((invoice) => (
            <li key={invoice.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3.5">
              <div className="min-w-0 flex-1 basis-48">
                <p className="truncate font-medium text-md">{invoice.organizationName}</p>
                <p className="text-sm text-subtle">
                  План <span lang="en">{invoice.planName}</span>, выставлен {formatDate(invoice.createdAt)}
                </p>
              </div>
              <span className="font-medium text-md tabular-nums">{formatRoubles(invoice.amount)}</span>
              {!isSample && (
                <span className="flex gap-2">
                  <Button size="sm" onClick={() => setAsked({ invoice, status: "paid" })}>
                    Оплачен<span className="sr-only">{invoice.organizationName}</span>
                  </Button>
                  <Button size="sm" variant="ghost" onClick={() => setAsked({ invoice, status: "cancelled" })}>
                    Отменить<span className="sr-only">{invoice.organizationName}</span>
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isSample && <MoreRows query={invoices} />}
      <Suspense>
        {asked && (
          <ConfirmDialog
            open
            onOpenChange={(open) => !open && setAsked(undefined)}
            title={asked.status === "paid" ? "Счёт оплачен?" : "Отменить счёт?"}
            description={`${asked.invoice.organizationName}: план ${asked.invoice.planName}, ${formatRoubles(asked.invoice.amount)}. ${
              asked.status === "paid" ? "План начнёт действовать сразу." : "План организации останется прежним."
            }`}
            confirmLabel={asked.status === "paid" ? "Отметить оплаченным" : "Отменить счёт"}
            cancelLabel="Назад"
            destructive={asked.status === "cancelled"}
            busy={settle.isPending}
            onConfirm={() =>
              settle.mutate(
                { id: asked.invoice.id, status: asked.status },
                {
                  onSuccess: () => {
                    toast({ title: asked.status === "paid" ? "Счёт оплачен" : "Счёт отменён" });
                    setAsked(undefined);
                  },
                  onError: toastError("Ошибка"),
                },
              )
            }
          />
        )}
      </Suspense>
    </PaperSection>
  );
}
