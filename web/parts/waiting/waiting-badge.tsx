import { useWaitingCount } from "./queries.ts";
import { shortCount } from "./short-count.ts";

/** Number of waiting items, beside a word that names them; renders nothing at 0. */
export function WaitingBadge() {
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <span className="ms-1.5 inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-warning-soft px-1.5 font-semibold text-warning-text text-xs tabular-nums">
      {shortCount(count)}
    </span>
  );
}
