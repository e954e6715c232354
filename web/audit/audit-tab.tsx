import { Download } from "lucide-react";
import { useMemo } from "react";
import type { AuditEntry, AuditFilter } from "#contract/organizations/audit.ts";
import { AUDIT_EXPORT_ROWS } from "#contract/organizations/audit.ts";
import { useAddressState } from "#web/address-state.ts";
import { useSettled } from "#web/api/pagination.ts";
import { downloadCsv } from "#web/files/csv.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { formatDay } from "#web/i18n/when.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { MoreRows } from "#web/ui/layout/paged-list.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { auditCsv } from "./audit-csv.ts";
import { type AuditAddress, AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import { type LogScope, useAudit, useAuditExport } from "./queries.ts";

const DEFAULTS: AuditAddress = { q: "", what: "", who: "", from: "", to: "" };

/** The audit log. Entries cannot be changed, so the screen has no actions. */
export function AuditTab({ scope }: { scope: LogScope }) {
  const { user } = useSession();
  const mayRead = scope === "organization" ? user?.role === "org_admin" : user?.superAdmin === true;
  const [search, change] = useAddressState(DEFAULTS);
  const address = useMemo<AuditAddress>(
    () => ({
      q: search.get("q") ?? "",
      what: search.get("what") ?? "",
      who: search.get("who") ?? "",
      from: search.get("from") ?? "",
      to: search.get("to") ?? "",
    }),
    [search],
  );
  const filter = filterOf({ ...address, q: useSettled(address.q) });
  const entries = useAudit(scope, filter);
  const save = useSaving(scope);
  const chosen = Object.values(address).some((value) => value !== "");

  return (
    <section aria-label="Журнал действий">
      {mayRead && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          <p className="text-md text-muted">Записи только добавляются: изменить или стереть их нельзя.</p>
          <Button busy={save.busy} disabled={!entries.data?.length} onClick={() => save.start(filter)}>
            <Download aria-hidden className="icon" />
            Скачать CSV
          </Button>
        </div>
      )}
      {!mayRead ? (
        <EmptyState
          open
          title="Журнал видит администратор"
          description={
            scope === "organization"
              ? "Кто входил, что менял и удалял, показано администратору организации."
              : "Журнал всей платформы показан её администратору."
          }
        />
      ) : (
        <>
          <AuditFilters
            address={address}
            onChange={change}
            person={entries.data?.find(({ actor }) => actor?.id === address.who)?.actor?.name ?? null}
          />
          {entries.isError && entries.data === undefined ? (
            <ErrorCard
              title="Не удалось загрузить журнал"
              error={entries.error}
              onRetry={() => void entries.refetch()}
            />
          ) : entries.data === undefined ? (
            <Rows />
          ) : entries.data.length === 0 ? (
            <EmptyState
              open
              title={chosen ? "Ничего не найдено" : "Записей пока нет"}
              action={chosen ? <Button onClick={() => change(DEFAULTS)}>Сбросить отбор</Button> : undefined}
            />
          ) : (
            byDay(entries.data).map(({ day, rows }) => (
              <section key={day} aria-label={day} className="mt-6">
                <h2 className="border-b pb-2 text-md">{day}</h2>
                <ol className="divide-y">
                  {rows.map((entry) => (
                    <AuditRow key={entry.id} entry={entry} onPerson={(who) => change({ who })} />
                  ))}
                </ol>
              </section>
            ))
          )}
          <MoreRows query={entries} />
        </>
      )}
    </section>
  );
}

/** Groups entries by day; they arrive newest first, so entries of a day are consecutive. */
function byDay(entries: readonly AuditEntry[]) {
  const days: { day: string; rows: AuditEntry[] }[] = [];
  for (const entry of entries) {
    const day = formatDay(entry.at);
    if (days.at(-1)?.day !== day) days.push({ day, rows: [] });
    days.at(-1)?.rows.push(entry);
  }
  return days;
}

function filterOf({ q, what, who, from, to }: AuditAddress): AuditFilter {
  return {
    q: q.trim() || undefined,
    what: what || undefined,
    who: who || undefined,
    from: from || undefined,
    to: to || undefined,
  };
}

function useSaving(scope: LogScope) {
  const { mutate, isPending } = useAuditExport(scope);
  const start = (filter: AuditFilter) =>
    mutate(filter, {
      onSuccess: ({ entries, complete }) => {
        downloadCsv("journal.csv", auditCsv(entries));
        if (complete) return;
        toast({
          title: `Скачаны последние ${formatNumber(AUDIT_EXPORT_ROWS)} записей`,
          description: "Чтобы получить более ранние, выберите период.",
        });
      },
      onError: toastError("Ошибка"),
    });
  return { start, busy: isPending };
}

function Rows() {
  return (
    <div className="flex flex-col gap-4 border-t py-4" role="status" aria-label="Загружаем журнал">
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-10" />
      ))}
    </div>
  );
}
