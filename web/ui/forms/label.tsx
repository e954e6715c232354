import { clsx } from "clsx";
import type { ComponentProps } from "react";

export function Label({ className, ...props }: ComponentProps<"label">) {
  // biome-ignore lint/a11y/noLabelWithoutControl: the caller passes htmlFor
  return <label className={clsx("font-medium text-fg text-md", className)} {...props} />;
}
