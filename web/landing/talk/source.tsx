import { FileText } from "lucide-react";
import type { ShowcaseAnswer } from "#contract/showcase.ts";

/** The excerpt of a document, with the sentences marked that the answer is based on. */
export function Source({ source }: { source: NonNullable<ShowcaseAnswer["source"]> }) {
  return (
    <li className="max-w-[85%] rounded-md border bg-surface px-4 py-2.5">
      <p className="flex items-center gap-1.5 text-muted text-sm">
        <FileText aria-hidden className="icon shrink-0" />
        <span>Из документа «{source.name}»</span>
      </p>
      <blockquote className="mt-1.5 whitespace-pre-line text-md text-muted [overflow-wrap:anywhere]">
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
