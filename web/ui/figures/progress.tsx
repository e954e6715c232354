import { clsx } from "clsx";

interface ProgressProps {
  /** 0..100, or null while the amount is unknown. */
  value: number | null;
  label: string;
  className?: string;
}

export function Progress({ value, label, className }: ProgressProps) {
  const shown = value === null ? null : Math.min(100, Math.max(0, value));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(shown === null ? {} : { "aria-valuenow": Math.round(shown) })}
      className={clsx("h-1.5 overflow-hidden rounded-full bg-hover", className)}
    >
      <div
        className={clsx(
          "h-full origin-left rounded-full bg-primary transition-transform",
          shown === null && "animate-pulse",
        )}
        style={{ transform: `scaleX(${(shown ?? 100) / 100})` }}
      />
    </div>
  );
}
