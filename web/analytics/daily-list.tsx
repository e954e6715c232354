import { clsx } from "clsx";
import { useLayoutEffect, useRef } from "react";
import type { Analytics } from "#contract/analytics.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { barScale, barShare, dayText, percentText } from "./figures.ts";

/** Oldest first, as one reads; each bar is a share of the axis above it, with the day's figures beside it. */
export function DailyList({ days }: { days: Analytics["dailyStats"] | undefined }) {
  const list = useRef<HTMLElement>(null);
  // Of a long period the latest days are in sight.
  useLayoutEffect(() => {
    if (list.current && days) list.current.scrollTop = list.current.scrollHeight;
  }, [days]);
  const scale = barScale(days ?? []);
  return (
    <PaperSection
      id="analytics-days"
      title="Взаимодействия по дням"
      description="Сколько раз двойники ответили и насколько были уверены"
    >
      {days === undefined ? (
        <div aria-hidden className="grid gap-5">
          {[0, 1, 2, 3, 4, 5, 6].map((row) => (
            <Skeleton key={row} className="h-4 w-full" />
          ))}
        </div>
      ) : (
        <ScrollRegion ref={list} aria-label="Дни периода" className="max-h-[32rem]">
          <div className="sticky top-0 z-10 flex items-center gap-3 border-t bg-bg py-3 text-sm text-subtle">
            <span className="w-24 shrink-0" />
            <span aria-hidden className="flex min-w-0 flex-1 justify-between tabular-nums">
              {[0, scale / 2, scale].map((mark) => (
                <span key={mark}>{formatNumber(mark)}</span>
              ))}
            </span>
            <span className="w-10 shrink-0" />
            <span aria-hidden className="min-w-0 flex-1 max-sm:hidden">
              Уверенность в ответах
            </span>
            <span className="w-16 shrink-0" />
          </div>
          <ul className="space-y-4">
            {days.map(({ date, interactions, accuracy }) => (
              <li key={date} className="flex items-center gap-3 text-md tabular-nums">
                <span className="w-24 shrink-0">{dayText(date)}</span>
                <Bar data-bar share={barShare(interactions, scale)} />
                <span className="w-10 shrink-0 text-end font-medium">
                  {formatNumber(interactions)}{" "}
                  <span className="sr-only">
                    {pluralForm(interactions, ["взаимодействие", "взаимодействия", "взаимодействий"])}
                  </span>
                </span>
                {accuracy === null ? (
                  <span className="flex-1 max-sm:hidden" />
                ) : (
                  <Bar className="max-sm:hidden" share={accuracy / 100} />
                )}
                <span className="w-16 shrink-0 text-end text-muted">
                  {accuracy !== null && (
                    <>
                      <span className="sr-only">, уверенность </span>
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

interface BarProps {
  /** 0..1 */
  share: number;
  className?: string;
  "data-bar"?: boolean;
}

function Bar({ share, className, ...marked }: BarProps) {
  return (
    <div aria-hidden className={clsx("h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-hover", className)}>
      <div
        {...marked}
        className={clsx(
          "h-full origin-left rounded-full transition-transform",
          "data-bar" in marked ? "bg-primary" : "bg-primary/35",
        )}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
