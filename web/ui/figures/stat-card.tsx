import { clsx } from "clsx";
import type { ReactNode, Ref } from "react";
import { Skeleton } from "../states/skeleton.tsx";
import { EXAMPLE_FIGURE } from "./example-figure.tsx";

interface StatCardProps {
  label: ReactNode;
  value: ReactNode;
  /** Lets a count-up animation write to the node directly. */
  valueRef?: Ref<HTMLElement>;
  /** Whether the figure is prescribed by the specification instead of measured. */
  isExample?: boolean;
  /** Percent against the previous value; null or undefined shows nothing. */
  change?: number | null | undefined;
  /** Whether the change stands beside the figure instead of under it, and on a phone all of them in one line. */
  beside?: boolean;
  note?: ReactNode;
  loading?: boolean;
  className?: string;
}

/** One figure, open on the paper: several stand beside each other, and none is a box. */
export function StatCard({
  label,
  value,
  valueRef,
  isExample = false,
  change,
  beside = false,
  note,
  loading,
  className,
}: StatCardProps) {
  return (
    <dl className={clsx("min-w-0", beside && "items-baseline max-sm:flex", className)}>
      <dt className={clsx("text-md text-muted", beside && "me-auto")}>{label}</dt>
      <dd className={clsx("mt-1 font-semibold text-xl tabular-nums tracking-head", beside && "inline")}>
        {loading ? (
          <Skeleton className="h-7 w-20" />
        ) : (
          <span ref={valueRef} className={isExample ? EXAMPLE_FIGURE : undefined}>
            {value}
          </span>
        )}
      </dd>
      {/* The row of the change is reserved while loading, so that nothing moves when it arrives. */}
      {loading && change !== undefined && !beside && (
        <dd aria-hidden className="mt-1 text-md">
          {"\u00a0"}
        </dd>
      )}
      {change !== null && change !== undefined && !loading && (
        <dd className={clsx("mt-1 text-md tabular-nums", beside && "ms-2 inline", changeTone(change))}>
          {change > 0 ? "+" : change < 0 ? "−" : ""}
          {Math.abs(change)}%
        </dd>
      )}
      {note && <dd className="mt-1 text-sm text-subtle">{note}</dd>}
    </dl>
  );
}

function changeTone(change: number): string {
  if (change === 0) return "text-muted";
  return change > 0 ? "text-success-text" : "text-danger-text";
}
