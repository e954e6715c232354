import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** A named region that scrolls separately and contains nothing to focus, so that it must be focusable itself. */
export function ScrollRegion({ className, ...props }: ComponentProps<"section"> & { "aria-label": string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the arrow keys could not scroll here
      tabIndex={0}
      className={clsx("overflow-y-auto focus-visible:outline-offset-[-2px]", className)}
      {...props}
    />
  );
}
