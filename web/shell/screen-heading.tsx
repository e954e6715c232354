import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useScreenHeading } from "./navigation.ts";

interface ScreenHeadingProps {
  /** The h1, which also becomes the document's title. */
  title: string;
  className?: string;
  children?: ReactNode;
}

/** The one h1 of a screen without the shell's header; inside the shell `Page` has it. */
export function ScreenHeading({ title, className, children }: ScreenHeadingProps) {
  const heading = useScreenHeading(title);
  return (
    <h1 ref={heading} tabIndex={-1} className={clsx(className)}>
      {children ?? title}
    </h1>
  );
}
