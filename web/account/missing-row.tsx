import type { ReactNode } from "react";

/** A subdued row in place of a setting that is unavailable here, saying what is missing. It follows the available settings. */
export function MissingRow({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="pt-3 text-sm text-subtle first:pt-0">
      <h3 id={id} className="inline text-sm">
        {title}
      </h3>
      : {children}
    </section>
  );
}
