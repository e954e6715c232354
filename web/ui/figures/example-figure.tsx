import { clsx } from "clsx";
import type { ComponentProps } from "react";

/**
 * «Пример» behind a fixed figure of the specification, which stands beside measured ones. It is a style: seen, and read out with the figure,
 * but no part of the text, which the specification fixes, and not taken for the badge of sample rows.
 */
export const EXAMPLE_FIGURE =
  "after:ms-1.5 after:inline-block after:rounded-full after:bg-warning-soft after:px-1.5 after:py-0.5 after:align-middle after:font-medium after:text-warning-text after:text-xs after:tracking-normal after:content-['Пример']";

/** For rows and lists, where a badge would draw more attention than the figure itself. */
const QUIET = "after:ms-1 after:inline-block after:font-normal after:text-xs after:content-['пример']";
/** Places the label under the figure. */
const BELOW = "flex flex-col items-center leading-tight after:font-normal after:text-xs after:content-['пример']";
const looks = { badge: EXAMPLE_FIGURE, quiet: QUIET, below: BELOW };

interface ExampleFigureProps extends ComponentProps<"span"> {
  look?: keyof typeof looks;
}

export function ExampleFigure({ look = "badge", className, ...props }: ExampleFigureProps) {
  return <span className={clsx(looks[look], className)} {...props} />;
}
