import { Lock } from "lucide-react";
import type { ReactNode } from "react";

export function ReadOnlyNote({ reason, id }: { reason: string; id?: string }) {
  return (
    <p id={id} className="flex gap-2.5 rounded-lg bg-sunken px-4 py-3 text-md text-muted">
      <Lock aria-hidden className="icon mt-0.5" />
      <span className="min-w-0">{reason}</span>
    </p>
  );
}

/** Controls that the user may see but not use: the reason comes first, and all are disabled. null changes nothing. */
export function ReadOnly({ reason, children }: { reason: string | null; children: ReactNode }) {
  if (reason === null) return children;
  return (
    <>
      <ReadOnlyNote reason={reason} />
      <fieldset disabled className="contents">
        {children}
      </fieldset>
    </>
  );
}
