import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";

/** The way back from a screen that another one leads to. @param children what that screen is called there */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      href={to}
      className="-mt-2 mb-3 inline-flex min-h-control items-center gap-2 font-medium text-md text-muted hover:text-fg"
    >
      <ArrowLeft aria-hidden className="icon" />
      {children}
    </Link>
  );
}
