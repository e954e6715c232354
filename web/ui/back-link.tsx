import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

/** Link back to the parent screen, with that screen's name as its text; the first element of the content. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="mb-2 inline-flex min-h-control items-center gap-2 font-medium text-md text-muted hover:text-fg"
    >
      <ArrowLeft aria-hidden className="icon" />
      {children}
    </Link>
  );
}
