import { clsx } from "clsx";
import { useLayoutEffect, useRef } from "react";
import { Link } from "wouter";
import type { Analytics } from "#contract/report.ts";
import { analyticsBarScale } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { barShare, dayText, percentText } from "./figures.ts";

interface DailyListProps {
  days: Analytics["dailyStats"] | undefined;
  lowest: string | undefined;
  /** Returns the path to a day's messages; undefined when there is none. */
  pathOf: ((day: string) => string) | undefined;
}

/** List of days, oldest first. Each bar is drawn to the axis above it, with the day's figure at its end. */
export function DailyList({ days, lowest, pathOf }: DailyListProps) {
  const list = useRef<HTMLElement>(null);
  // A long list is scrolled to its latest days.
  useLayoutEffect(() => {
    if (list.current && days) list.current.scrollTop = list.current.scrollHeight;
  }, [days]);
  return (
    <PaperSection
      id="analytics-days"
      title="Взаимодействия по дням"
      {...(pathOf && { description: "День ведёт к его диалогам" })}
    >
      {days === undefined ? (
        <div aria-hidden className="grid gap-5">
          {[0, 1, 2, 3, 4, 5, 6].map((row) => (
            <Skeleton key={row} className="h-4 w-full" />
          ))}
        </div>
      ) : (
        <ScrollRegion ref={list} aria-label="Дни периода" className="max-h-[32rem] border-t">
          <div className="sticky top-0 z-10 flex items-end gap-3 bg-bg py-2 text-sm text-subtle max-sm:gap-2">
            <span className="w-24 shrink-0 max-sm:w-16" />
            <span aria-hidden className="flex min-w-0 flex-1 justify-between pe-8 tabular-nums">
              {[0, analyticsBarScale / 2, analyticsBarScale].map((mark) => (
                <span key={mark}>{formatNumber(mark)}</span>
              ))}
            </span>
            {/* On a phone the word is wider than its column and extends into the space of the bars' figures. */}
            <span aria-hidden className="flex w-26 shrink-0 justify-end max-sm:w-12">
              Точность
            </span>
          </div>
          <ul>
            {days.map(({ date, interactions, accuracy }) => (
              <li
                key={date}
                className={clsx(
                  "relative flex h-8 items-center gap-3 text-md tabular-nums max-sm:gap-2 max-md:h-control pointer-coarse:h-control",
                  pathOf && interactions > 0 && "hover:bg-hover hover:text-primary-text",
                )}
              >
                <Day date={date} to={interactions > 0 ? pathOf?.(date) : undefined} />
                <span className="flex h-8 min-w-0 flex-1 border-s pe-8">
                  <span className="flex min-w-0 flex-1 items-center gap-2">
                    <Bar share={barShare(interactions)} />
                    <span className={interactions > 0 ? "font-medium" : "text-subtle"}>
                      {formatNumber(interactions)}{" "}
                      <span className="sr-only">
                        {pluralForm(interactions, ["взаимодействие", "взаимодействия", "взаимодействий"])}
                      </span>
                    </span>
                  </span>
                </span>
                <span
                  className={clsx(
                    "w-26 shrink-0 text-end max-sm:w-12",
                    date === lowest ? "font-medium text-warning-text" : "text-muted",
                  )}
                >
                  {accuracy !== null && (
                    <>
                      <span className="sr-only">, точность </span>
                      {percentText(accuracy)}
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </PaperSection>
  );
}

/** On a phone the bar needs the space, so only screen readers get the weekday. */
function Day({ date, to }: { date: string; to: string | undefined }) {
  const [weekday, rest] = dayText(date).split(", ");
  const text =
    rest === undefined ? (
      weekday
    ) : (
      <>
        <span className="max-sm:sr-only">{weekday}, </span>
        {rest}
      </>
    );
  return (
    <span className="w-24 shrink-0 max-sm:w-16">
      {to === undefined ? (
        text
      ) : (
        <Link href={to} title="Диалоги этого дня" className="after:absolute after:inset-0">
          {text}
        </Link>
      )}
    </span>
  );
}

/** The figure is at the bar's end, so the longest bar leaves space for it. */
function Bar({ share }: { share: number }) {
  return (
    <span
      aria-hidden
      data-bar
      className={clsx("h-5 shrink-0 rounded-e-sm bg-primary", share > 0 && "min-w-0.5")}
      style={{ width: `${share * 100}%` }}
    />
  );
}
