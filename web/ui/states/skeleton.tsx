import { clsx } from "clsx";

/** A grey placeholder with the size of the expected content: `<Skeleton className="h-5 w-40" />`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx("animate-pulse rounded-sm bg-hover", className)} />;
}
