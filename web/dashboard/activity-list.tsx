import { clsx } from "clsx";
import type { ActivityEntry } from "#contract/analytics.ts";
import { dashboardDefaults } from "#web/display-values.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

/** The last five events: green for an answer, blue for anything else. */
export function ActivityList({ entries }: { entries: ActivityEntry[] | undefined }) {
  return (
    <PaperSection id="dashboard-activity" title="Последняя активность">
      {entries === undefined ? (
        <div aria-hidden className="space-y-4">
          {[0, 1, 2, 3, 4].map((row) => (
            <Skeleton key={row} className="h-9 w-full" />
          ))}
        </div>
      ) : entries.length === 0 ? (
        <EmptyState
          open
          title="Нет активности"
          description="Здесь появятся ответы двойников, новые документы и импорты."
        />
      ) : (
        <ul className="divide-y border-t">
          {entries.slice(0, dashboardDefaults.activitiesShown).map((entry) => (
            <li key={entry.id} className="flex min-w-0 gap-3 py-2.5">
              <span
                aria-hidden
                className={clsx(
                  "mt-1.5 size-2.5 shrink-0 rounded-full",
                  entry.type === "response_generated" ? "bg-success" : "bg-info",
                )}
              />
              <div className="min-w-0">
                <p className="break-words text-md">{entry.description}</p>
                <p className="text-muted text-sm">
                  {entry.twinName} · <time dateTime={entry.timestamp}>{formatWhen(entry.timestamp)}</time>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </PaperSection>
  );
}
