import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: LucideIcon;
  /** A literal sentence of the specification: «Нет цифровых двойников». */
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  /** Whether it is in a section without a card, at the place of the first row instead of in the middle. */
  open?: boolean;
  className?: string;
}

export function EmptyState({ icon: Icon, title, description, action, open = false, className }: EmptyStateProps) {
  return (
    <div
      className={clsx(
        "flex flex-col gap-3",
        open ? "items-start border-t py-4" : "items-center px-4 py-10 text-center",
        className,
      )}
    >
      {Icon && !open && <Icon aria-hidden className="size-7 text-subtle" strokeWidth={1.5} />}
      <div>
        <p className="font-medium text-base">{title}</p>
        {description && <p className="mt-1 max-w-prose text-balance text-md text-muted">{description}</p>}
      </div>
      {action && <div className="mt-1">{action}</div>}
    </div>
  );
}
