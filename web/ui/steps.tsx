import { clsx } from "clsx";
import { Check } from "lucide-react";

interface StepsProps {
  /** Of the whole list, for who does not see it. */
  label: string;
  names: readonly string[];
  /** Counts from 0. */
  current: number;
  /** The last step is not one to be done: reaching it ends the way. */
  endsWithLast?: boolean;
  className?: string;
}

/** Where a person stands on a way of several steps. A phone has room for the numbers and for the name of the step one is at. */
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
