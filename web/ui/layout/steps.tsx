import { clsx } from "clsx";
import { Check } from "lucide-react";

interface StepsProps {
  label: string;
  names: readonly string[];
  current: number;
  /** Whether reaching the last step completes it, because there is nothing to do in it. */
  endsWithLast?: boolean;
  className?: string;
}

export function Steps({ label, names, current, endsWithLast = false, className }: StepsProps) {
  return (
    <ol aria-label={label} className={clsx("grid grid-cols-2 gap-x-2 gap-y-3 sm:flex", className)}>
      {names.map((name, at) => {
        const done = at < current || (endsWithLast && current === names.length - 1);
        return (
          <li
            key={name}
            aria-current={at === current ? "step" : undefined}
            className={clsx(
              "flex min-w-0 flex-1 flex-col gap-2 text-sm",
              at === current ? "font-medium text-fg" : "text-muted",
            )}
          >
            <span aria-hidden className={clsx("h-1 rounded-full", at <= current ? "bg-primary" : "bg-hover")} />
            <span className="flex items-center gap-1.5">
              {done ? (
                <Check aria-hidden className="size-4 shrink-0 text-primary-text" />
              ) : (
                <span aria-hidden className="tabular-nums">
                  {at + 1}
                </span>
              )}
              <span className="min-w-0">{name}</span>
              {done && <span className="sr-only">: выполнено</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
