/** The words of an answer with a record: whole, or the embedded engine's when it is unknown or may not be sent unread. */

import type { RecordedAnswer } from "../recorded-answer.ts";
import type { AnswerNotes, ReplyRequest } from "../reply-request.ts";
import { embeddedReply } from "../wording/embedded-reply.ts";

/** A line break separates the messages. A held answer is shown whole where the owner reviews it before it is sent, and to nobody else. */
export function wordsOf(request: ReplyRequest, { record, checked, faults }: RecordedAnswer): string {
  const mayBeShown = faults.length === 0 || (request.drafted === true && !faults.some(({ kind }) => UNSHOWN.has(kind)));
  if (record.kind !== "unknown" && mayBeShown) return checked.messages.join("\n");
  return embeddedReply({
    ...request,
    corrected: null,
    nearest: [],
    plan: { kind: "unknown", confidence: 0, reason: "" },
  });
}

/** Not even a draft shows these. */
const UNSHOWN: ReadonlySet<string> = new Set(["shape", "machine", "note"]);

export function notesOf(answer: RecordedAnswer): AnswerNotes {
  const { record, checked, faults, repaired } = answer;
  return {
    kind: record.kind === "unknown" ? "unknown" : faults.length > 0 ? "held" : "answered",
    unsupported: faults.flatMap(({ pieces }) => pieces),
    again: repaired,
    shortened: false,
    computed: checked.computed > 0,
    weak: checked.loose > 0,
    defers: record.kind === "partly" || record.kind === "act",
    recorded: answer,
  };
}
