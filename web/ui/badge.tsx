import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { useFirstBadge } from "./figures/examples.tsx";

export type BadgeTone = "neutral" | "primary" | "success" | "warning" | "danger" | "info";

const tones: Record<BadgeTone, string> = {
  neutral: "bg-hover text-muted",
  primary: "bg-primary-soft text-primary-text",
  success: "bg-success-soft text-success-text",
  warning: "bg-warning-soft text-warning-text",
  danger: "bg-danger-soft text-danger-text",
  info: "bg-info-soft text-info-text",
};

/** A status in words; the colour only repeats it. */
export function Badge({ tone = "neutral", className, ...props }: ComponentProps<"span"> & { tone?: BadgeTone }) {
  return (
    <span
      className={clsx(
        "inline-flex shrink-0 items-center gap-1 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-sm",
        tones[tone],
        className,
      )}
      {...props}
    />
  );
}

/** Marks sample content, once per screen. */
export function SampleBadge({ ofNotice = false }: { ofNotice?: boolean }) {
  return useFirstBadge(ofNotice) ? <Badge tone="warning">Пример</Badge> : null;
}
