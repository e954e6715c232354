import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

/**
 * A self-contained object on white: a form, a draft, a plan, a chat. Read-only content has no card
 * (docs/decisions/039-screens-beside-the-specification.md).
 */
export function Card({ className, ...props }: ComponentProps<"section">) {
  return <section className={clsx("min-w-0 rounded-lg border bg-surface", className)} {...props} />;
}

interface CardHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  id?: string;
  /** Whether this card is the focal point of its page; at most one is. */
  lead?: boolean;
}

/** The title row, without a line below it; its Card should carry `aria-labelledby` with its id. */
export function CardHeader({ title, description, action, id, lead = false }: CardHeaderProps) {
  return (
    <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 md:px-5">
      <div className="min-w-0">
        <h2 id={id} className={clsx("scroll-mt-24", lead ? "text-xl" : "text-base")}>
          {title}
        </h2>
        {description && <p className="text-md text-muted">{description}</p>}
      </div>
      {action}
    </header>
  );
}

export function CardBody({ className, ...props }: ComponentProps<"div">) {
  return <div className={clsx("p-4 [header+&]:pt-0! md:p-5", className)} {...props} />;
}
