import type { ReactNode } from "react";

/** In the place of a setting that has nothing to offer here: a quiet line that says what is missing. It comes behind the settings that work. */
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
