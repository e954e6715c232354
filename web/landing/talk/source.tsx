import { FileText } from "lucide-react";
import type { ShowcaseAnswer } from "#contract/showcase.ts";

interface SourceProps {
  source: NonNullable<ShowcaseAnswer["source"]>;
  /** Whether a phone shows only the beginning, so that nothing is cut off before the first question. */
  short?: boolean;
}

/** An excerpt of a document, in which the sentences behind the answer are highlighted. */
export function Source({ source, short }: SourceProps) {
  return (
    <li className="rounded-md border bg-surface px-4 py-2.5">
      <p className="flex items-center gap-1.5 text-muted text-sm">
        <FileText aria-hidden className="icon shrink-0" />
        <span>Из документа «{source.name}»</span>
      </p>
      <blockquote
        className={`mt-1.5 whitespace-pre-line text-md text-muted [overflow-wrap:anywhere] ${short ? "max-md:line-clamp-2" : ""}`}
      >
        {source.parts.map(({ text, cited }, at) =>
          cited ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer's excerpt never changes
            <mark key={at} className="rounded-sm bg-echo-soft text-fg">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </blockquote>
    </li>
  );
}
