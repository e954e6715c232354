import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { SampleBadge } from "../badge.tsx";

export function SampleNotice({ children }: { children: ReactNode }) {
  return (
    <div role="note" className="flex items-start gap-3 rounded-lg border bg-surface px-4 py-3 text-md md:px-5">
      <Info aria-hidden className="icon mt-0.5 shrink-0 text-muted" />
      <p className="min-w-0 flex-1 text-muted">{children}</p>
      <SampleBadge ofNotice />
    </div>
  );
}
