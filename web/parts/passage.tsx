import type { ReplySource } from "#contract/conversations/conversations.ts";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";

interface PassageProps {
  /** What it is, before the document's name. */
  about: string;
  source: ReplySource;
  className?: string;
}

/** Words of a document that an answer stands on, or that stood nearest to a question. */
export function Passage({ about, source: { name, text }, className = "" }: PassageProps) {
  return (
    <figure className={`flex max-w-measure flex-col gap-1 border-s-2 ps-3 text-muted text-sm ${className}`}>
      <figcaption>
        {about} «{name}»
      </figcaption>
      <blockquote className="whitespace-pre-wrap text-fg [overflow-wrap:anywhere]">{wholeNumbers(text)}</blockquote>
    </figure>
  );
}
