import { clsx } from "clsx";
import { Check } from "lucide-react";

interface StepsProps {
  /** Accessible name of the whole list. */
  label: string;
  names: readonly string[];
  /** Index of the current step, from 0. */
  current: number;
  /** Whether reaching the last step completes it, because there is nothing to do in it. */
  endsWithLast?: boolean;
  className?: string;
}

/** Progress through several steps. A phone shows the numbers of all steps and the name of the current one. */
export function Steps({ label, names, current, endsWithLast = false, className }: StepsProps) {
  return (
    <ol aria-label={label} className={clsx("flex gap-2", className)}>
      {names.map((name, at) => {
        const done = at < current || (endsWithLast && current === names.length - 1);
        return (
          <li
            key={name}
            aria-current={at === current ? "step" : undefined}
            className={clsx(
              "flex min-w-0 flex-1 flex-col gap-2 text-sm",
              at === current ? "font-medium text-fg max-sm:flex-[3]" : "text-muted",
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
              <span className={clsx("truncate", at !== current && "max-sm:sr-only")}>{name}</span>
              {done && <span className="sr-only">: выполнено</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
