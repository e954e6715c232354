import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: LucideIcon;
  /** The literal sentence: «Нет цифровых двойников». */
  title: string;
  description?: ReactNode;
  /** One button or link. */
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ icon: Icon, title, description, action, className }: EmptyStateProps) {
  return (
    <div className={clsx("flex flex-col items-center gap-3 px-4 py-10 text-center", className)}>
      {Icon && <Icon aria-hidden className="size-7 text-subtle" strokeWidth={1.5} />}
      <div>
        <p className="font-medium text-base">{title}</p>
        {description && <p className="mt-1 max-w-prose text-balance text-md text-muted">{description}</p>}
      </div>
      {action && <div className="mt-1">{action}</div>}
    </div>
  );
}
