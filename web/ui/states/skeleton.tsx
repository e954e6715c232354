import { clsx } from "clsx";

/** A grey stand-in of the size that will come: `<Skeleton className="h-5 w-40" />`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={clsx("animate-pulse rounded-sm bg-hover", className)} />;
}
