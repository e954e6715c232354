import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";

/** Decorative: the text beside it says what is going on. */
export function Spinner({ className = "icon" }: { className?: string }) {
  return <LoaderCircle aria-hidden className={clsx("animate-spin", className)} />;
}

export function LoadingStatus({ children, className }: { children: string; className?: string }) {
  return (
    <p role="status" className={clsx("flex items-center justify-center gap-3 text-muted", className)}>
      <Spinner />
      {children}
    </p>
  );
}
