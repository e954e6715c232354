import { clsx } from "clsx";

/** The logo: a copper ring (the person) and a patina disc (the twin) shifted against it. */
export function BrandMark({ className = "h-5" }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 28 20" fill="none" className={clsx("w-auto shrink-0", className)}>
      <circle cx="10" cy="10" r="9" stroke="var(--echo)" strokeWidth="1.75" />
      <circle cx="18.5" cy="10" r="9" fill="var(--primary)" />
    </svg>
  );
}

export function Brand({ className }: { className?: string }) {
  return (
    <span className={clsx("flex items-center gap-2.5 font-semibold text-md tracking-head", className)}>
      <BrandMark />
      Цифровые двойники
    </span>
  );
}
