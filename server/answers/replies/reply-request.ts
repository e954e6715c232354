import type { StyleRule } from "#contract/corrections.ts";
import type { StyleProfile } from "#contract/quality.ts";
import type { TrackRecord } from "#contract/track-record.ts";
import type { TwinPurpose } from "#contract/twins.ts";
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import type { ToolDesk } from "#server/answers/tools/tool-desk.ts";
import type { CorrectedAnswer } from "#server/knowledge/corrections/active-corrections.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { VisibleSelf } from "#server/knowledge/style/self/visible-self.ts";
import type { Citation, ReadAnswer } from "./extraction/reader.ts";
import type { FillerReply } from "./owner-words/filler-replies.ts";
import type { Friend } from "./owner-words/friend-policy.ts";
import type { RecordedAnswer, TrackRecords } from "./recorded-answer.ts";

interface ReplyTwin {
  name: string;
  /** Name that the twin uses for itself (accounts/twins/public-name.ts); absent when only the owner may see its name. */
  publicName?: string;
  description: string;
  personality: string;
  communicationStyle: string;
  expertise: string[];
  /** Absent: `business`. */
  purpose?: TwinPurpose;
}

/** A past reply of the owner; lists of them are ordered best first. */
export interface ReplyExample {
  id: string;
  /** Message that the owner answered; null when it is not kept or may not be shown, as for published replies. */
  incoming: string | null;
  /** The owner's turn; a line break separates the messages of one burst. */
  reply: string;
  score: number;
  /** Whether the reply was sent to the contact who writes now. */
  sameContact: boolean;
  /**
   * Measured likelihood, 0..1, that the reply fits the message (wording/pair-fit.ts). Absent for a reply that the owner has published or
   * that several people received.
   */
  fit?: number;
  /** Absent for a published reply, which was sent at many times. */
  repliedAt?: Date;
  /** Whether the owner has read the reply and published it unchanged, with its numbers. */
  opened?: boolean;
  /** Number of people who received it in nearly the same words; 1 when absent. */
  people?: number;
  /**
   * Set when the reply may be sent to every contact: the owner published it, or enough people received it. Absent for a reply to one
   * contact only.
   */
  isOpen?: true;
}

export interface Plan {
  /** "quoted": no sentence reliably answers, so the closest passage of a document is shown as a quotation. */
  kind: "knowledge" | "recurring" | "smalltalk" | "quoted" | "unknown";
  /** Confidence in the answer, 0..1. */
  confidence: number;
  /** Explains the plan to the owner, in Russian. */
  reason: string;
  /** What the twin asks for instead of answering, for example «номер заказа». */
  ask?: string;
  /** Confidence from which the level «confident» sends it, where that is not the usual one: a probability has its own threshold. */
  sentFrom?: number;
  /** Whether it was sure enough to be sent before the owner's decisions moved its probability; absent without one. */
  band?: "sure" | "unsure";
  /** How the owner decided on earlier answers of this band; absent without a probability. */
  track?: TrackRecord;
  /** What a person must do, in Russian, when the message asks for an act rather than an answer. */
  action?: string;
  /** Whether each paragraph of the answer is a message of its own; absent otherwise. */
  parted?: boolean;
  /** What of the message the answer leaves open, in the model's words. */
  open?: string;
  /** Verbatim places of the answer that have no source; absent: none. */
  doubtful?: string[];
  /** Whether code words the answer for a tool. */
  scripted?: true;
  /** Whether the owner must review the model's answer, whatever the twin's autonomy: it breaks a rule or has no source. */
  held?: boolean;
}

/** Result of verifying a model's answer (checking/checked-answer.ts). */
export interface AnswerNotes {
  /**
   * "unknown": the model said that it does not know. "held": none of its statements may be sent. Both lead to a «не знаю» reply.
   * "unsure": the sources support too little, or the model missed an answer that they contain; the reply is made without it.
   */
  kind: "answered" | "unknown" | "held" | "unsure";
  /** Statements without a source, in the model's words, from both attempts. */
  unsupported: string[];
  again: boolean;
  /** Whether a sentence was removed from the answer. */
  shortened: boolean;
  /** Whether the answer contains a number calculated from known ones. */
  computed: boolean;
  /** Whether part of the answer is supported only by past replies or by the asker's own words. */
  weak: boolean;
  /** Whether the answer promises to check, to ask or to reply later. */
  defers: boolean;
  /** The model's own account of its answer; absent: it returned plain text. */
  recorded?: RecordedAnswer;
}

export interface SecondLook {
  /** Finds chunks by the model's own words, outside any transaction; best first. */
  find(query: string): Promise<ReplyChunk[]>;
  /** What was found, in addition to `ReplyRequest.chunks`. */
  readonly chunks: ReplyChunk[];
}

export interface AccompanyingChunks {
  /** Contacts and opening hours, which an answer in part or to a complaint needs. */
  standing: readonly ReplyChunk[];
  /** What stands before and after the nearest hits in their documents. */
  neighbours: readonly ReplyChunk[];
}

export interface ReplyRequest {
  twin: ReplyTwin;
  profile: StyleProfile | null;
  /** Whether the style profile covers only this contact's style group; absent: all contacts. */
  groupStyle?: boolean;
  /** Who the owner is, as far as this asker may know it; absent where it was not read. */
  self?: VisibleSelf;
  message: string;
  /** The turns of this conversation, oldest first, without `message`. */
  history: HistoryTurn[];
  /** Text that the calling program sends with the message. It is untrusted, so the prompt treats it as data. */
  notes?: string;
  /**
   * Members' notes about the current contact, which no answer may repeat. Only the check of an answer reads them
   * (checking/confidential.ts): no prompt contains them and none is a source (docs/decisions/026-answer-verification.md).
   */
  confidential?: readonly string[];
  /** The contact's name, as given by the contact or by the owner; absent if unknown. */
  contactName?: string;
  /** Time at which the message is answered, with the time zone of the owner's working hours. */
  now?: { at: Date; timeZone: string };
  /** Form of address that the owner has set for this contact; absent or null: derived from the messages. */
  address?: Address | null;
  chunks: ReplyChunk[];
  /** All chunks that this asker may see, in a stable order, for a model that reads them whole; absent or empty: they do not fit. */
  everything?: readonly ReplyChunk[];
  /** Chunks to be shown beside the found ones; absent: everything is shown, or the generator reads few chunks. */
  accompanying?: AccompanyingChunks;
  /** Lets a capable model that was shown a part of the knowledge look for more; absent: it sees everything, or nothing can be searched. */
  secondLook?: SecondLook;
  /** What may be called for this answer; absent: the twin has no tools, or this asker gets none. */
  tools?: ToolDesk;
  replyExamples: ReplyExample[];
  /** The owner's latest exchanges with this and similar contacts, newest first; absent when no generator reads them. */
  exchanges?: readonly ReplyExample[];
  /** Null or absent: no correction covers this question. */
  corrected?: CorrectedAnswer | null;
  /** Style rules set by the owner; they override the style profile. */
  rules?: readonly StyleRule[];
  /** Likelihood, 0..1, that the best chunk and the best reply example answer the message. */
  confidence: { chunks: number; replyExamples: number };
  /** Answer found in the chunks; null: none found; absent: the chunks were not searched. */
  answer?: ReadAnswer | null;
  /** Passage of a document closest to the message, with the likelihood (0..1) that its chunk answers it. Null or absent: none is close. */
  quotation?: (Citation & { likelihood: number }) | null;
  /** Passages closest to a question without a reliable answer, `quotation` first; shown as quotations. Absent or empty: none is close. */
  nearest?: readonly Citation[];
  /** Pieces of the chunks, likeliest first, for a prompt without room for all; absent or empty: the pieces are ranked by words alone. */
  pieces?: readonly Citation[];
  /** What the twin must ask for before it can report on the asker's own order or case, for example «номер заказа». */
  asksFor?: string | null;
  /** Set when a friend of the owner writes and may get a social reply; null or absent: the message is answered like any other. */
  friend?: Friend | null;
  plan: Plan;
  /** The owner's filler replies, for messages without an answer; absent when they are not wanted. */
  fillers?: readonly FillerReply[];
  /**
   * "will": the owner answers later, and the twin may say so. "asked": this question already waits for the owner. Absent: the owner will
   * not answer, and the twin promises nothing.
   */
  ownerAnswers?: "will" | "asked";
  /**
   * Whether the owner reviews uncertain replies before they are sent, so that even a guess is useful. Absent: the asker sees every reply.
   */
  drafted?: boolean;
  /** How the owner decided on the twin's earlier answers; absent where nobody decides on answers. */
  trackRecords?: TrackRecords;
  /** Account that pays for the model; absent when no model can be used. */
  payer?: Payer;
  /** Set when no caller waits for the answer; it may then use only part of the day's budget. */
  background?: boolean;
  /** Derived from conversation and message, so that repeating a request gives the same embedded reply. */
  seed?: string;
}

export type ReplyEvidence = Omit<
  ReplyRequest,
  "plan" | "fillers" | "exchanges" | "pieces" | "ownerAnswers" | "drafted" | "trackRecords" | "secondLook" | "tools"
>;
