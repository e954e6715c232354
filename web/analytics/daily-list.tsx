import type { Analytics } from "#contract/analytics.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { barShare, dayText, percentText } from "./figures.ts";

/** Newest first; each bar is a share of the specified scale. */
export function DailyList({ days }: { days: Analytics["dailyStats"] | undefined }) {
  return (
    <Card aria-labelledby="analytics-days">
      <CardHeader id="analytics-days" title="Взаимодействия по дням" />
      {days === undefined ? (
        <div aria-hidden className="grid gap-5 p-4 md:p-5">
          {[0, 1, 2, 3, 4, 5, 6].map((row) => (
            <Skeleton key={row} className="h-8 w-full" />
          ))}
        </div>
      ) : (
        <ScrollRegion aria-label="Дни периода" className="max-h-[32rem] p-4 md:p-5">
          <ul className="space-y-4">
            {days.toReversed().map(({ date, interactions, accuracy }) => (
              <li key={date}>
                <p className="flex items-baseline justify-between gap-x-4 text-md">
                  <span>{dayText(date)}</span>
                  <span className="text-end text-muted tabular-nums">
                    <span className="font-medium text-fg">{formatNumber(interactions)}</span>{" "}
                    {pluralForm(interactions, ["взаимодействие", "взаимодействия", "взаимодействий"])}
                    {accuracy !== null && (
                      <>
                        <span className="max-sm:hidden"> · </span>
                        <span className="max-sm:block">уверенность {percentText(accuracy)}</span>
                      </>
                    )}
                  </span>
                </p>
                <div aria-hidden className="mt-1.5 h-2 overflow-hidden rounded-full bg-hover">
                  <div
                    data-bar
                    className="h-full origin-left rounded-full bg-primary transition-transform"
                    style={{ transform: `scaleX(${barShare(interactions)})` }}
                  />
                </div>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </Card>
  );
}
