import type { ReplySource } from "#contract/conversations/conversations.ts";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";

interface PassageProps {
  /** What it is, before the document's name. */
  about: string;
  source: ReplySource;
  /** Whether it is read by who opens it: it stood near, which does not make it an answer. */
  folded?: boolean;
  className?: string;
}

/** Words of a document that an answer stands on, or that stood nearest to a question. */
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
