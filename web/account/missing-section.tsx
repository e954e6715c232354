import type { ReactNode } from "react";
import { Badge } from "#web/ui/badge.tsx";

/** In the place of a card that has nothing to offer here: no surface and no button, only what it is and what is missing. */
export function MissingSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="rounded-lg border border-dashed p-4 md:px-5">
      <h2 id={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 scroll-mt-24 text-base text-muted">
        {title}
        <Badge>Недоступно</Badge>
      </h2>
      <p className="mt-1 max-w-prose text-md text-muted">{children}</p>
    </section>
  );
}

/** Of the account that everybody shares. */
export const SHARED_ACCOUNT = "Демонстрационный аккаунт общий для всех. В своём аккаунте это можно включить.";
