import { clsx } from "clsx";
import type { ReactNode } from "react";

export function MarkDisc({ className, children }: { className: string; children?: ReactNode }) {
  return (
    <div
      className={clsx(
        "before:absolute before:inset-0 before:-translate-x-[7%] before:rounded-full before:border-2 before:border-echo",
        className,
      )}
    >
      <div className="relative flex aspect-square flex-col items-center justify-center rounded-full bg-(--disc) text-center text-on-primary dark:text-fg">
        {children}
      </div>
    </div>
  );
}
