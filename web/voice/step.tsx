import { type ReactNode, useId } from "react";

interface StepProps {
  number: number;
  title: string;
  description?: string;
  children: ReactNode;
}

export function Step({ number, title, description, children }: StepProps) {
  const id = useId();
  return (
    <li>
      <section aria-labelledby={id} className="flex gap-4 p-4 md:p-5">
        <span
          aria-hidden
          className="grid size-8 shrink-0 place-items-center rounded-full bg-primary-soft font-medium text-md text-primary-text tabular-nums"
        >
          {number}
        </span>
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-base">
            <span className="sr-only">{number}. </span>
            {title}
          </h2>
          {description && <p className="text-md text-muted">{description}</p>}
          <div className="mt-3 flex flex-col gap-3 text-md">{children}</div>
        </div>
      </section>
    </li>
  );
}
