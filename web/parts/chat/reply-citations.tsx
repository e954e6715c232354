import { FileText } from "lucide-react";
import type { ReactNode } from "react";
import type { Reply, ReplySource } from "#contract/conversations/conversations.ts";
import { confidenceLabel, QUOTATION_LABEL } from "#web/parts/confidence-label.ts";
import type { ReadReply } from "./request-reply.ts";

const basisText: Record<Reply["basis"], string | null> = {
  knowledge: "Из документа",
  recurring: "Из ваших ответов",
  smalltalk: null,
  quoted: QUOTATION_LABEL,
  corrected: "По вашему исправлению",
  unknown: "Двойник не знает",
};

/** What an action has answered is a source without a document; what code words for it is no answer of the owner's. */
function basisOf({ basis, sources = [], calls = [], scripted, action }: ReadReply): string | null | undefined {
  const isOfSystem =
    calls.some(({ outcome }) => outcome === "done") && sources.every(({ documentId }) => documentId === "");
  if (basis === "knowledge" && isOfSystem) return "Из вашей системы";
  if (scripted) return "Действие";
  return action === undefined ? basis && basisText[basis] : "Просят о действии";
}

interface ReplyCitationsProps {
  reply: ReadReply;
  time?: ReactNode;
  onSource?: ((source: ReplySource) => void) | undefined;
}

export function ReplyCitations({ reply, time, onSource }: ReplyCitationsProps) {
  const basis = basisOf(reply);
  const sure = reply.basis === "unknown" ? null : confidenceLabel(reply);
  const facts = [...new Set([basis, sure])].filter(Boolean);
  const replyExample = reply.replyExamples?.[0];
  return (
    <>
      {(facts.length > 0 || time) && (
        <p title={reply.reason}>
          {facts.join(" · ")}
          {facts.length > 0 && time && " · "}
          {time}
        </p>
      )}
      {reply.sources && reply.sources.length > 0 && (
        <ul aria-label="Источники" className="flex flex-wrap gap-1.5">
          {reply.sources.map((source, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer's sources never change
            <li key={place} className="min-w-0">
              <button
                type="button"
                onClick={() => onSource?.(source)}
                className="flex min-h-8 max-w-full items-center gap-1.5 rounded-full border bg-surface px-3 text-fg text-sm transition-colors hover:bg-hover pointer-coarse:min-h-control"
              >
                <FileText aria-hidden className="icon text-muted" />
                <span className="truncate">{source.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {replyExample && <p className="line-clamp-2 w-full">Похоже на ваш ответ: {replyExample.reply}</p>}
    </>
  );
}
