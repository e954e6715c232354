import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link, useSearch } from "wouter";
import { returnAddress } from "#web/paths.ts";

interface AuthLinkProps {
  to: string;
  className?: string;
  children: ReactNode;
}

/** A link between sign-in screens that keeps the URL to return to afterwards. */
export function AuthLink({ to, className, children }: AuthLinkProps) {
  const address = returnAddress(useSearch());
  return (
    <Link
      href={address === undefined ? to : `${to}?return=${encodeURIComponent(address)}`}
      className={clsx(
        "inline-block rounded-sm py-1 font-medium text-primary-text underline decoration-1 underline-offset-4 hover:decoration-2",
        className,
      )}
    >
      {children}
    </Link>
  );
}
