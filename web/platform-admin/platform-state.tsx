import { useQuery } from "@tanstack/react-query";
import { CircleCheck, ReceiptText } from "lucide-react";
import { useId } from "react";
import { Link } from "wouter";
import { healthApi } from "#contract/health.ts";
import { queryOf } from "#web/api/query.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { headline, StateBadge, sortByUrgency } from "#web/parts/health/health-states.tsx";
import { paths } from "#web/paths.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useOpenInvoices } from "./queries.ts";

/** What waits for the platform administrator and what is broken, before any sample. */
export function PlatformState() {
  const id = useId();
  const { data, error, refetch } = useQuery(queryOf(healthApi.get));
  const invoices = useOpenInvoices();
  const unpaid = invoices.data?.length;
  if (error && !data) {
    return <ErrorCard title="Не удалось узнать состояние" error={error} onRetry={() => void refetch()} />;
  }
  const faults = sortByUrgency(data?.facts ?? []).filter(({ state }) => state === "failure" || state === "attention");
  return (
    <PaperSection
      id={id}
      title="Что ждёт вас"
      description={data && headline(data)}
      action={
        <Link href={paths.platformHealth} className="text-primary-text text-sm underline underline-offset-4">
          Всё состояние сервера
        </Link>
      }
    >
      {data ? (
        <ul className="divide-y border-t">
          {faults.map(({ id: fact, title, state, summary }) => (
            <li key={fact} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-md">
              <StateBadge state={state} />
              <Link href={paths.platformHealth} className="font-medium text-primary-text underline underline-offset-4">
                {title}
              </Link>
              <span className="min-w-0 flex-1 basis-60 text-muted">{summary}</span>
            </li>
          ))}
          {unpaid !== undefined && (
            <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-md">
              {unpaid === 0 ? (
                <>
                  <CircleCheck aria-hidden className="icon text-success-text" />
                  <span className="text-muted">Неоплаченных счетов нет</span>
                </>
              ) : (
                <>
                  <ReceiptText aria-hidden className="icon text-muted" />
                  <Link
                    href={`${paths.admin}?tab=subscriptions`}
                    className="font-medium text-primary-text underline underline-offset-4"
                  >
                    Счета ждут оплаты: {formatNumber(unpaid)}
                    {invoices.hasNextPage && "+"}
                  </Link>
                </>
              )}
            </li>
          )}
        </ul>
      ) : (
        <Skeleton className="h-24" />
      )}
    </PaperSection>
  );
}
