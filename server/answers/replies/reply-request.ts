import type { StyleRule } from "#contract/corrections.ts";
import type { StyleProfile } from "#contract/quality.ts";
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import type { CorrectedAnswer } from "#server/knowledge/corrections/active-corrections.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { Scorer } from "#server/knowledge/style/scorer/stored-scorer.ts";
import type { FillerReply } from "./owner-words/filler-replies.ts";
import type { Friend } from "./owner-words/friend-policy.ts";
import type { Citation, ReadAnswer } from "./reading/reader.ts";

export interface ReplyTwin {
  name: string;
  /** What it calls itself (accounts/twins/public-name.ts); absent: its name is for its owner's eyes alone. */
  publicName?: string;
  description: string;
  personality: string;
  communicationStyle: string;
  expertise: string[];
}

/** A past reply of the owner; lists of them are ordered best first. */
export interface ReplyExample {
  id: string;
  /** The message that the owner answered; null where it is not kept or may not be shown, as for an open reply. */
  incoming: string | null;
  /** The owner's turn; a line break separates the messages of one burst. */
  reply: string;
  score: number;
  /** It was said to the contact who writes now. */
  sameContact: boolean;
  /**
   * 0..1: how likely it fits the message, measured (wording/pair-fit.ts); absent where something else vouches for it: the owner has opened
   * it, or several people got it.
   */
  fit?: number;
  /** Absent for an open reply, which recurs at many times. */
  repliedAt?: Date;
  /** The owner has read it and published it as it is, numbers included. */
  opened?: boolean;
  /** Number of people who received it in nearly the same words; absent: one. */
  people?: number;
  /** It may be said to every contact: the owner has published it, or enough people received it. Absent: it is one contact's letter. */
  isOpen?: true;
}

export interface Plan {
  /** "quoted": no sentence surely answers, and what a document says nearest to the question is shown as a quotation. */
  kind: "knowledge" | "recurring" | "smalltalk" | "quoted" | "unknown";
  /** 0..1 */
  confidence: number;
  /** A Russian sentence for the owner that explains the plan. */
  reason: string;
  /** What to ask back instead of answering: «номер заказа». */
  ask?: string;
  /** The model's answer may not be said, or nothing supports it: the owner must look at it, whatever the twin's autonomy. */
  held?: boolean;
}

/** What the check found in a model's answer (checking/checked-answer.ts). */
export interface AnswerNotes {
  /**
   * "unknown": the model does not know and said so; "held": nothing that it stated may be said. The reply to both is that it is not
   * known. "unsure": the sources support too little of it, or it saw no answer where there is one, and the reply was made without it.
   */
  kind: "answered" | "unknown" | "held" | "unsure";
  /** What no source holds, in the model's words; from both attempts. */
  unsupported: string[];
  /** The model was asked twice. */
  again: boolean;
  /** Something was cut from the answer. */
  shortened: boolean;
  /** A number in it was calculated from known ones. */
  computed: boolean;
  /** Part of it is held only by past replies or by the asker's own words. */
  weak: boolean;
  /** It promises to look, to ask or to come back. */
  defers: boolean;
}

export interface ReplyRequest {
  twin: ReplyTwin;
  profile: StyleProfile | null;
  /** Whether the style profile covers only the contacts of this contact's style group; absent: all contacts. */
  groupStyle?: boolean;
  message: string;
  /** The turns of this conversation, oldest first, without `message`. */
  history: HistoryTurn[];
  /** What the calling program says beside the message; treated as data like everything that is not ours. */
  notes?: string;
  /**
   * Texts that no answer may repeat: what members have noted about the contact who writes now. Only the check of an answer reads them
   * (checking/confidential.ts): they are in no prompt and are no source (docs/decisions/026-answer-verification.md).
   */
  confidential?: readonly string[];
  /** The contact's name, as given by the contact or by the owner; absent if unknown. */
  contactName?: string;
  /** When the message is answered, in the time zone of the owner's hours. */
  now?: { at: Date; timeZone: string };
  /** The form of address that the owner wants for this contact; absent or null: it is taken from the messages. */
  address?: Address | null;
  chunks: ReplyChunk[];
  replyExamples: ReplyExample[];
  /** The owner's latest exchanges with this contact and with similar ones, newest first; absent where no generator reads them. */
  exchanges?: readonly ReplyExample[];
  /** Scores how much a reply sounds like the owner writing to this contact; null or absent: too little is known of his manner. */
  scorer?: Scorer | null;
  /** null or absent: no such question has a correction. */
  corrected?: CorrectedAnswer | null;
  /** Style rules that the owner has ordered; they go before the profile. */
  rules?: readonly StyleRule[];
  /** From retrieval, 0..1 each: how likely the best of each kind answers at all. */
  confidence: { chunks: number; replyExamples: number };
  /** The answer found in the chunks; null: none; absent: not looked for. */
  answer?: ReadAnswer | null;
  /**
   * What a document says nearest to the message, and how likely its chunk is what is asked for, 0..1; null or absent: nothing is near.
   */
  quotation?: (Citation & { likelihood: number }) | null;
  /**
   * What documents say nearest to a question that nothing surely answers, `quotation` first; shown as quotations. Absent or empty:
   * nothing is near.
   */
  nearest?: readonly Citation[];
  /** Pieces of the chunks, the likeliest first, for a model whose prompt has no room for all; absent or empty: ranked by words alone. */
  pieces?: readonly Citation[];
  /** What must be asked for before the state of the asker's own thing can be given: «номер заказа». */
  asksFor?: string | null;
  /**
   * Set where a friend of the owner writes and the message may get a social reply; null or absent: it is answered like any other contact's.
   */
  friend?: Friend | null;
  plan: Plan;
  /** The owner's filler replies for messages that nothing answers; absent where they are not wanted. */
  fillers?: readonly FillerReply[];
  /**
   * Set where the owner answers what the twin cannot. "will": the twin may say that his answer follows; "asked": this very question already
   * waits for him. Absent: the owner will not answer, and the twin promises nothing.
   */
  ownerAnswers?: "will" | "asked";
  /**
   * The owner reads what is not sure before it is sent, so a guess is worth showing to him. Absent: the asker reads the reply at once.
   */
  drafted?: boolean;
  /** The account that a model is asked on; absent where no model can be asked. */
  payer?: Payer;
  /** No caller waits for the answer, so it may use only a part of the day's budget. */
  background?: boolean;
  /** Derived from conversation and message: the same seed and request give the same embedded reply. */
  seed?: string;
  /**
   * Id of the twin's voice that a local model must write with, or null for none; absent: the voice that is switched on, if it is usable.
   */
  voice?: string | null;
}

/** A request before the plan is made. */
export type ReplyEvidence = Omit<
  ReplyRequest,
  "plan" | "fillers" | "exchanges" | "scorer" | "pieces" | "ownerAnswers" | "drafted"
>;
