import { clsx } from "clsx";
import type { ReactNode, Ref } from "react";

interface SectionProps {
  id: string;
  title: ReactNode;
  /** Whether the section has the surface colour instead of the page's background; sections alternate. */
  raised?: boolean;
  className?: string;
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export function Section({ id, title, raised = false, className, headingRef, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={clsx("scroll-mt-4 border-t", raised && "bg-surface")}>
      <div
        className={clsx(
          "mx-auto w-full max-w-[calc(var(--content)+2*var(--page-x))] px-page py-14 md:py-20",
          className,
        )}
      >
        <h2 id={id} ref={headingRef} {...(headingRef ? { tabIndex: -1 } : {})} className="text-2xl focus:outline-none">
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}
