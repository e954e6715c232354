import { FileText } from "lucide-react";
import type { ShowcaseAnswer } from "#contract/showcase.ts";

interface SourceProps {
  source: NonNullable<ShowcaseAnswer["source"]>;
  /** On a phone only its beginning, so that nothing is cut at the edge of the talk before the first question. */
  short?: boolean;
}

/** The excerpt of a document, with the sentences marked that the answer is based on. */
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
