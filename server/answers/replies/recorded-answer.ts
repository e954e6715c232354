/** An answer of a capable model with what was found out about it: data alone, for all that write, check, judge and show it. */
import type { TrackRecord } from "#contract/track-record.ts";
import type { ProposedCall } from "#server/answers/tools/tool-desk.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";

export const RECORD_KINDS = ["answered", "partly", "unknown", "remark", "act"] as const;

/**
 * answered: the sources answer everything asked. partly: they answer a part; `open` names the rest. unknown: they answer nothing.
 * remark: nothing was asked, and the text states nothing. act: a person must do something, which `action` names.
 */
export type RecordKind = (typeof RECORD_KINDS)[number];

export interface AnswerRecord {
  kind: RecordKind;
  /** What is sent, one string for each message; empty for «unknown». */
  messages: string[];
  /** Numbers of the sources in the prompt, from 1. */
  sources: number[];
  /** Each number that no source contains, with the arithmetic that gives it: «7 800», «2 * 3900». */
  sums: { value: string; expression: string }[];
  open: string;
  action: string;
  /** Words by which the answer may be found in sources that the prompt does not show; empty: none are needed. */
  search: string;
  /** A tool that must be called before the message can be answered; absent: none. */
  call?: ProposedCall;
}

/**
 * shape: not text for people; machine: it speaks as a program although the asker did not ask who answers; language: neither the asker's
 * nor the owner's; note: it repeats a note of the members about the contact.
 */
export type FormFault = "shape" | "machine" | "language" | "note";

/**
 * unsupported: pieces without a source. promise: a promise that the owner has not made. address: a link or contact that no source has.
 * Other kinds: see `FormFault`.
 */
export type RecordFaultKind = "unsupported" | "promise" | "address" | "cut" | FormFault;

export interface RecordFault {
  kind: RecordFaultKind;
  /** Verbatim pieces of the answer. */
  pieces: string[];
  sentence: string;
}

export interface CheckedRecord {
  /** The messages as they may be shown, without markup. */
  messages: string[];
  faults: RecordFault[];
  /** Promises in words that the owner has not used; only a verifier can tell whether he has made them in others. */
  promises: RecordFault[];
  /** Numbers that stand in the sources, but not beside the same subject and unit. */
  loose: number;
  /** Numbers that were calculated by a valid expression. */
  computed: number;
  /** All numbers of the answer. */
  amounts: number;
}

export interface Verdict {
  /** Indexes of the sentences that do not follow from the sources or contradict them, from 0. */
  unsupported: number[];
  /** What exactly has no source, in the verifier's words. */
  fault: string;
  /** How much of what was asked the answer answers. */
  covers: "all" | "part" | "none";
  /** How surely the owner would send the answer as it stands, 0..10. */
  score: number;
}

export interface Source {
  /** Title of the document, «Ответ владельца» for what the owner has said or corrected. */
  title: string;
  heading: string;
  text: string;
  /** The chunk that it shows; null for the owner's own answers. */
  chunk: ReplyChunk | null;
  /** Whether it is the owner's correction of this very question (ReplyRequest.corrected). */
  isCorrection?: true;
}

export interface RecordPrompt {
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  /** Delimiter around untrusted data; replies must not reveal it. */
  fence: string;
  /** In the order of their numbers, from 1. */
  sources: readonly Source[];
  /** Whether the asker may know more than the prompt shows. */
  isPartial: boolean;
}

export interface Attempt {
  record: AnswerRecord;
  checked: CheckedRecord;
  /** Why nothing may be sent without the owner; empty: it may. */
  faults: readonly RecordFault[];
}

export interface RecordedAnswer extends Attempt {
  /** Null: it was not asked, or did not answer. */
  verdict: Verdict | null;
  /** Whether it states something that no verifier has read. */
  unverified: boolean;
  repaired: boolean;
  /** The answer before its repair; null: it was not repaired. */
  before: (Attempt & { verdict: Verdict | null }) | null;
  prompt: RecordPrompt;
}

/** Apart for answers that were sure enough to be sent and for the others, because each kind errs at its own rate. */
export interface TrackRecords {
  sure: TrackRecord;
  unsure: TrackRecord;
}
