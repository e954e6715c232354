import { clsx } from "clsx";
import type { ReactNode, Ref } from "react";
import { Skeleton } from "../states/skeleton.tsx";

interface StatCardProps {
  label: ReactNode;
  value: ReactNode;
  /** Lets a count-up animation write to the node directly. */
  valueRef?: Ref<HTMLElement>;
  /** Percent against the previous value; null or undefined shows nothing. */
  change?: number | null | undefined;
  note?: ReactNode;
  loading?: boolean;
  className?: string;
}

export function StatCard({ label, value, valueRef, change, note, loading, className }: StatCardProps) {
  const changed = typeof change === "number" && !loading;
  return (
    <dl
      className={clsx(
        "grid min-w-0 grid-cols-[auto_minmax(0,1fr)] content-start items-baseline gap-x-2 rounded-lg border bg-surface p-4 md:px-5",
        className,
      )}
    >
      {/* Below its figure, so that the figures of a row align however many lines their labels take. */}
      <dt className="order-1 col-span-2 text-muted text-sm [overflow-wrap:anywhere]">{label}</dt>
      <dd className={clsx("font-semibold text-xl tabular-nums tracking-head", !changed && "col-span-2")}>
        {loading ? <Skeleton className="h-7 w-20" /> : <span ref={valueRef}>{value}</span>}
      </dd>
      {changed && <dd className={clsx("text-md tabular-nums", changeTone(change))}>{changeText(change)}</dd>}
      {note && <dd className="order-1 col-span-2 mt-1 text-sm text-subtle">{note}</dd>}
    </dl>
  );
}

const changeText = (change: number) => `${change > 0 ? "+" : change < 0 ? "−" : ""}${Math.abs(change)}%`;

function changeTone(change: number): string {
  if (change === 0) return "text-muted";
  return change > 0 ? "text-success-text" : "text-danger-text";
}
