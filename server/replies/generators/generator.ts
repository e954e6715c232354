import type { StyleRule } from "#contract/corrections.ts";
import type { StyleProfile } from "#contract/quality.ts";
import type { Corrected } from "#server/corrections/learnt.ts";
import type { Address } from "#server/language/address.ts";
import type { HistoryTurn } from "#server/language/history-turn.ts";
import type { ReplyPassage } from "#server/search/passage.ts";
import type { Payer } from "#server/twins/model-budget.ts";
import type { Quotation } from "../reading/quotation.ts";
import type { Aside } from "../wording/asides.ts";

export interface ReplyTwin {
  name: string;
  /** What it calls itself (twins/public-name.ts); absent: its name is for its owner's eyes alone. */
  publicName?: string;
  description: string;
  personality: string;
  communicationStyle: string;
  expertise: string[];
}

/** A past reply of the owner, best first. */
export interface ReplyExemplar {
  id: string;
  /** What the owner answered; null where nobody's own words are kept, as of a reply that recurs. */
  incoming: string | null;
  /** The owner's turn; a line break parts messages of one burst. */
  reply: string;
  score: number;
  /** It was said to the contact who writes now. */
  sameContact: boolean;
  /** The owner has read it and opened it to all as it is, numbers included. */
  opened?: boolean;
  /** So many people got it in nearly the same words; absent: one. */
  people?: number;
}

export interface Plan {
  /** quoted: no sentence surely answers, and what a document says nearest to it is shown as a quotation. */
  kind: "knowledge" | "recurring" | "smalltalk" | "quoted" | "unknown";
  /** 0..1 */
  confidence: number;
  /** A Russian sentence for the owner. */
  reason: string;
  /** What to ask back instead of answering: «номер заказа». */
  ask?: string;
  /** A model has answered what may not be said, or what nothing bears out: the owner looks, at whatever autonomy. */
  held?: boolean;
}

/** What the check of a model's answer has found (checking/checked-answer.ts). */
export interface AnswerNotes {
  /** unknown: it does not know, and said so; held: nothing of what it stated may be said. Both are then said as not known. */
  kind: "answered" | "unknown" | "held";
  /** What no source holds, as the model had it; of both times. */
  unsupported: string[];
  /** It was asked twice. */
  again: boolean;
  /** Something was cut from what was said. */
  shortened: boolean;
  /** A number in it is reckoned from those that are known. */
  computed: boolean;
  /** Something in it only past replies hold, or only who asks. */
  weak: boolean;
  /** It leaves something open: to look, to ask, to come back. */
  defers: boolean;
}

export interface ReplyRequest {
  twin: ReplyTwin;
  profile: StyleProfile | null;
  /** Whether the profile is of those only whom the owner writes to as to this contact; absent: of everybody. */
  groupManner?: boolean;
  message: string;
  /** Of this conversation, oldest first, without `message`. */
  history: HistoryTurn[];
  /** What the program that asks says beside the message: data like everything that is not ours. */
  notes?: string;
  /** What the owner has noted about the contact who writes now. */
  contactFacts?: readonly string[];
  /** What the contact is called, by themselves or by the owner; absent where nobody is known. */
  contactName?: string;
  /** When the message is answered, in the time zone of the owner's hours. */
  now?: { at: Date; timeZone: string };
  /** How the owner wants this contact spoken to; absent or null: as it is found. */
  address?: Address | null;
  passages: ReplyPassage[];
  exemplars: ReplyExemplar[];
  /** What the owner said last to this contact and to those whom he writes to alike, the newest first; absent where nobody reads it. */
  exchanges?: readonly ReplyExemplar[];
  /** null or absent: no such question was corrected. */
  corrected?: Corrected | null;
  /** Habits that the owner has ordered; they outrank the profile. */
  rules?: readonly StyleRule[];
  /** 0..1 each, from retrieval: whether the best of each answers at all. */
  confidence: { passages: number; exemplars: number };
  /** What the passages say to the message; null: nothing; absent: not looked for. */
  answer?: { text: string; passages: ReplyPassage[]; toRemark?: boolean } | null;
  /** What a document says nearest to the message, and how likely its passage is what is asked for, 0..1; null or absent: nothing. */
  quotation?: (Quotation & { likelihood: number }) | null;
  /** What must be known before the state of the asker's own thing can be told: «номер заказа». */
  asksFor?: string | null;
  plan: Plan;
  /** What the owner would say where nothing is known; absent where that is not asked for. */
  asides?: readonly Aside[];
  /**
   * The owner answers what the twin cannot: `will`: his answer follows, so the twin may say so; `asked`: this very question waits for
   * him already. Absent: nobody sees to it, and the twin promises nothing.
   */
  ownerAnswers?: "will" | "asked";
  /** For whose twin it is: a model is asked on their account. Absent where no model can be asked. */
  payer?: Payer;
  /** Nobody waits for the answer: it may take no more than a part of the day's budget. */
  background?: boolean;
  /** Of conversation and message: the same seed and request give the same embedded reply. */
  seed?: string;
}

/** What is known before the plan is made. */
export type ReplyEvidence = Omit<ReplyRequest, "plan" | "asides" | "exchanges" | "ownerAnswers">;

export interface Generator {
  readonly name: "embedded" | "llm";
  /**
   * The reply as text deltas, what a model says checked against its sources. Unguarded: `guard-output.ts` reads it before anyone else does. The first of them, which may be empty, is
   * there before a model is asked, and after whatever it may cost was taken from the day's budget.
   * @throws Problem 429 when that is spent, 502 when a model fails; the signal's reason when aborted.
   */
  generate(request: ReplyRequest, signal: AbortSignal): AsyncIterable<string>;
  /** What the check found in the reply to this very request; absent, or undefined: it was not checked, or is not whole. */
  notes?(request: ReplyRequest): AnswerNotes | undefined;
  /** Whether the reply to this very request is the embedded engine's, because the model did not answer. Absent: it never is. */
  fellBack?(request: ReplyRequest): boolean;
}
