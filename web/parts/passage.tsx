import type { ReplySource } from "#contract/conversations/conversations.ts";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";

interface PassageProps {
  about: string;
  source: ReplySource;
  /** Whether the passage is collapsed, because it is only the nearest one and need not be an answer. */
  folded?: boolean;
  className?: string;
}

/** A passage of a document that an answer is based on, or that was nearest to a question. */
export function Passage({ about, source: { name, text }, folded = false, className = "" }: PassageProps) {
  const words = (
    <blockquote className="whitespace-pre-wrap text-fg [overflow-wrap:anywhere]">{wholeNumbers(text)}</blockquote>
  );
  if (folded)
    return (
      <details className={`max-w-measure text-muted text-sm ${className}`}>
        <summary className="w-fit cursor-pointer py-1">
          {about} «{name}»
        </summary>
        <div className="border-s-2 ps-3">{words}</div>
      </details>
    );
  return (
    <figure className={`flex max-w-measure flex-col gap-1 border-s-2 ps-3 text-muted text-sm ${className}`}>
      <figcaption>
        {about} «{name}»
      </figcaption>
      {words}
    </figure>
  );
}
