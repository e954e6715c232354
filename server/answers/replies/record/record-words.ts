/** The words of an answer with a record: whole, or the embedded engine's when it is unknown or may not be sent unread. */

import type { RecordedAnswer } from "../recorded-answer.ts";
import type { AnswerNotes, ReplyRequest } from "../reply-request.ts";
import { embeddedReply } from "../wording/embedded-reply.ts";

/** Messages that are sent one after another at most; more of them would be a flood. */
const MOST_MESSAGES = 3;

/** Each paragraph is a message (see `Plan.parted`). A held answer is shown whole to the owner who reviews it, and to nobody else. */
export function wordsOf(request: ReplyRequest, answer: RecordedAnswer): string {
  if (isShown(request, answer)) return joined(answer.checked.messages);
  return embeddedReply({
    ...request,
    corrected: null,
    nearest: [],
    plan: { kind: "unknown", confidence: 0, reason: "" },
  });
}

/** Several messages have one paragraph each, the last one all that are too many; a single one keeps its own paragraphs. */
function joined(messages: readonly string[]): string {
  if (messages.length < 2) return messages.join("");
  const last = MOST_MESSAGES - 1;
  const kept = messages.length > last ? [...messages.slice(0, last), messages.slice(last).join("\n")] : messages;
  return kept.map(inOneParagraph).join("\n\n");
}

const inOneParagraph = (message: string): string => message.replace(/\n{2,}/g, "\n");

/** Whether the answer is several messages, and is said at all. */
export const isParted = (request: ReplyRequest, answer: RecordedAnswer): boolean =>
  answer.checked.messages.length > 1 && isShown(request, answer);

function isShown({ drafted }: ReplyRequest, { record, faults }: RecordedAnswer): boolean {
  const mayBeShown = faults.length === 0 || (drafted === true && !faults.some(({ kind }) => UNSHOWN.has(kind)));
  return record.kind !== "unknown" && mayBeShown;
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
