import { clsx } from "clsx";
import { formatNumber, formatShortDate } from "#web/i18n/format.ts";

interface DayBarsProps {
  /** Accessible name of the chart: «Сообщения по дням». */
  label: string;
  days: readonly { day: string; value: number }[];
}

/** Columns by day, scaled to the highest one. Each day's number is available to screen readers and on hover. */
export function DayBars({ label, days }: DayBarsProps) {
  const highest = Math.max(1, ...days.map(({ value }) => value));
  const first = days[0];
  const last = days.at(-1);
  // Narrow values are shown above their columns, so that no axis is needed.
  const labelled = highest < 1000;
  return (
    <figure aria-label={label}>
      <div aria-hidden className="mb-1 flex justify-between gap-4 text-sm text-subtle tabular-nums">
        <span className={clsx(labelled && "sm:hidden")}>до {formatNumber(highest)}</span>
        <span>всего {formatNumber(days.reduce((sum, { value }) => sum + value, 0))}</span>
      </div>
      <ol className="flex h-40 items-end gap-1 border-y">
        {days.map(({ day, value }) => (
          <li
            key={day}
            title={`${formatShortDate(`${day}T00:00`)}: ${formatNumber(value)}`}
            className="flex h-full min-w-0 max-w-16 flex-1 flex-col justify-end hover:bg-hover"
          >
            {labelled && value > 0 && (
              <span aria-hidden className="text-center text-sm text-subtle tabular-nums max-sm:hidden">
                {value}
              </span>
            )}
            <span
              aria-hidden
              className="block min-h-px w-full shrink rounded-t-sm bg-primary"
              style={{ height: `${(value / highest) * 100}%` }}
            />
            <span className="sr-only">
              {formatShortDate(`${day}T00:00`)}: {formatNumber(value)}
            </span>
          </li>
        ))}
      </ol>
      {first && last && (
        <figcaption className="mt-2 flex justify-between gap-4 text-sm text-subtle tabular-nums" aria-hidden>
          <span>{formatShortDate(`${first.day}T00:00`)}</span>
          <span>{formatShortDate(`${last.day}T00:00`)}</span>
        </figcaption>
      )}
    </figure>
  );
}
