import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

interface ChatBubbleProps extends ComponentProps<"li"> {
  /** Colour by author: copper for the user who writes to the twin or for it, patina for the twin, neutral for a contact. */
  author: "owner" | "twin" | "contact";
  authorLabel: string;
  children: ReactNode;
  /** Texts that were sent just before, as messages of their own, each in a bubble of the same look. */
  before?: readonly ReactNode[];
  above?: ReactNode;
  /** Aligns the bubble to the end of the line instead of the author's usual side. */
  atEnd?: boolean;
  footer?: ReactNode;
  current?: boolean;
  className?: string;
}

const looks = {
  owner: "bg-echo-soft",
  twin: "bg-primary-soft",
  contact: "bg-hover",
} as const;

/** One message of a thread, rendered as an item of `<ol>` or `<ul>`. */
export function ChatBubble({
  author,
  authorLabel,
  children,
  before = [],
  above,
  atEnd = author === "owner",
  footer,
  current = false,
  className,
  ...props
}: ChatBubbleProps) {
  return (
    <li
      {...props}
      aria-current={current || undefined}
      className={clsx("flex flex-col gap-1 rounded-lg", atEnd ? "items-end" : "items-start", className)}
    >
      {above}
      {[...before, children].map((text, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one answer keep their order
          key={at}
          className={clsx(
            "max-w-[min(85%,var(--measure))] whitespace-pre-wrap rounded-lg px-4 py-2.5 text-base text-fg [overflow-wrap:anywhere]",
            looks[author],
            atEnd ? "rounded-ee-sm" : "rounded-es-sm",
          )}
        >
          <span className="sr-only">{authorLabel}: </span>
          {text}
        </div>
      ))}
      {footer && <div className="flex max-w-full flex-wrap items-center gap-1 px-1 text-sm text-subtle">{footer}</div>}
    </li>
  );
}

/** Three dots while the twin writes, with their meaning in words for screen readers. */
export function TypingDots({ label = "Двойник печатает" }: { label?: string }) {
  return (
    <span role="status" className="inline-flex h-6 items-center gap-1">
      <span className="sr-only">{label}</span>
      {[0, 1, 2].map((dot) => (
        <span
          key={dot}
          aria-hidden
          className="size-1.5 animate-typing rounded-full bg-primary"
          style={{ animationDelay: `${dot * 160}ms` }}
        />
      ))}
    </span>
  );
}
