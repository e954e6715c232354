import { clsx } from "clsx";
import { FileText, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { ReplySource } from "#contract/conversations/conversations.ts";
import { ReplyCitations } from "#web/parts/chat/reply-citations.tsx";
import type { ReadReply } from "#web/parts/chat/request-reply.ts";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";

interface InlineSourcesProps {
  sources: readonly ReplySource[];
  /** Label before the chips; when absent, only screen readers get one. */
  about?: string | undefined;
  /** Whether the chips share the line with other details of the answer. */
  quiet?: boolean;
  /** Whether a single chip shares the line with the text before it, to which its name gives way. */
  beside?: boolean;
}

export function InlineSources({ sources, about, quiet = false, beside = false }: InlineSourcesProps) {
  const [open, setOpen] = useState<number | null>(null);
  const id = useId();
  const shown = open === null ? undefined : sources[open];
  if (sources.length === 0) return null;
  return (
    <div className={quiet || beside ? "contents" : "flex min-w-0 flex-col gap-2"}>
      <div
        className={clsx(
          "flex min-w-0 flex-wrap items-center",
          quiet ? "gap-x-3" : "gap-1.5",
          beside && (about || sources.length > 1 ? "basis-full" : "flex-1 basis-32"),
        )}
      >
        <span id={`${id}-about`} className={about ? "text-muted text-sm" : "sr-only"}>
          {about ?? "Источники"}
        </span>
        <ul aria-labelledby={`${id}-about`} className="contents">
          {sources.map(({ name }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer's sources never change
            <li key={place} className="min-w-0">
              <button
                type="button"
                title={name}
                aria-expanded={open === place}
                aria-controls={open === place ? `${id}-passage` : undefined}
                onClick={() => setOpen(open === place ? null : place)}
                className={clsx(
                  "flex max-w-full items-center gap-1.5 text-sm pointer-coarse:min-h-control",
                  quiet
                    ? "min-h-7 rounded-sm text-muted underline-offset-2 hover:text-fg hover:underline"
                    : "min-h-8 rounded-full border px-3 text-fg transition-colors hover:bg-hover",
                  !quiet && (open === place ? "bg-hover" : "bg-surface"),
                )}
              >
                <FileText aria-hidden className="icon text-muted" />
                <span className="truncate">{name}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {shown && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields; a landmark for each passage would be too many
        <div
          role="group"
          id={`${id}-passage`}
          aria-label={shown.name}
          ref={scrollTo}
          className={clsx(
            "flex max-w-measure items-start gap-1 rounded-md border bg-sunken ps-3 text-start text-fg",
            (quiet || beside) && "basis-full",
          )}
        >
          <div className="min-w-0 flex-1 py-2.5">
            <p className="text-muted text-sm">
              {shown.documentId === "" ? "Ваши слова, на которых основан ответ" : "Фрагмент документа"}
            </p>
            <blockquote className="mt-1 whitespace-pre-wrap text-md [overflow-wrap:anywhere]">
              {wholeNumbers(shown.text)}
            </blockquote>
          </div>
          <button
            type="button"
            aria-label={`Свернуть: ${shown.name}`}
            onClick={() => setOpen(null)}
            className="grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover"
          >
            <X aria-hidden className="icon" />
          </button>
        </div>
      )}
    </div>
  );
}

const scrollTo = (passage: HTMLElement | null) => passage?.scrollIntoView({ block: "nearest" });

export function InlineCitations({ reply: { sources = [], ...reply }, time }: { reply: ReadReply; time?: ReactNode }) {
  return (
    <>
      <ReplyCitations reply={reply} time={time} />
      <InlineSources sources={sources} quiet />
    </>
  );
}
