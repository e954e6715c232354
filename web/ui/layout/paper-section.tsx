import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

interface PaperSectionProps extends Omit<ComponentProps<"section">, "id" | "title"> {
  id: string;
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  /** Whether this section is the focal point of its page; at most one is. */
  lead?: boolean;
}

/**
 * A group of a page that is no self-contained object. It has no card, so that cards beside it stand out
 * (docs/decisions/039-screens-beside-the-specification.md). Its rows are a list with hairlines: `<ul className="divide-y border-t">`.
 */
export function PaperSection({ id, title, description, action, lead = false, children, ...props }: PaperSectionProps) {
  return (
    <section aria-labelledby={id} {...props}>
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className={clsx("scroll-mt-24", lead ? "text-xl" : "text-lg")}>
          {title}
        </h2>
        {action}
      </header>
      {description && <p className="text-md text-muted">{description}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
