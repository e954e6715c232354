/**
 * Decides who is a friend of the owner and how a friend's message is answered (docs/decisions/027-answers-without-a-model.md). A friend
 * has many past replies, most of them with «ты». Everyone else is answered as a customer.
 */

import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { addressIn } from "#server/knowledge/language/address.ts";
import { type EverydayAct, everydayAct, NEEDS_OWNER } from "#server/knowledge/language/everyday.ts";
import { commitmentsIn } from "#server/knowledge/language/statements/promises.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { friendlyKind, type OwnWord, ownWords } from "./own-words.ts";

export interface Friend {
  act: EverydayAct;
  /** The owner's phrases to this friend that may be repeated. */
  words: readonly OwnWord[];
}

interface ShortPair {
  incoming: string;
  reply: string;
}

const MIN_PAIRS = { contact: 8, owner: 20 };
const FAMILIAR = 0.6;

/**
 * Returns null for other contacts, and for an audience that may not get the owner's words.
 * @param pairs this audience's pairs from `TwinIndex.spreadReplies`
 */
export function friendOf(audience: Audience, message: string, pairs: readonly ShortPair[]): Friend | null {
  if (audience.kind !== "contact" && audience.kind !== "owner") return null;
  if (pairs.length < MIN_PAIRS[audience.kind]) return null;
  let [familiar, addressed] = [0, 0];
  for (const { incoming, reply } of pairs) {
    for (const text of [incoming, reply]) {
      const said = addressIn(wordsOf(text));
      if (!said.familiar && !said.polite) continue;
      addressed++;
      if (said.familiar && !said.polite) familiar++;
    }
  }
  if (addressed === 0 || familiar / addressed < FAMILIAR) return null;
  return { act: everydayAct(message), words: ownWords(pairs, everydayAct) };
}

export const isAnsweredSocially = <R extends { friend?: Friend | null; plan: { kind: string } }>(
  request: R,
): request is R & { friend: Friend } =>
  !!request.friend && (request.plan.kind === "unknown" || request.plan.kind === "smalltalk");

/** Likelihood (`ReplyEvidence.confidence`) from which the same question is repeated; `LIKE`: a similar one. */
const SAME = 0.85;
const LIKE = 0.55;
const AGREES =
  /^(?:(?:ну|а|ой|о|так)[\s,]+)?(?:да|нет|давай|договорились|идет|идёт|хорошо|ок|окей|ладно|конечно|буду|ага|угу|обязательно)(?!\p{L}|\sладно)/iu;

/**
 * Whether a past reply may be repeated to a friend, because its statements held only on their day. The owner's whereabouts are never
 * repeated; a reply to an invitation only for the same invitation and without agreement. Remarks are answered as usual (decide.ts).
 */
export function mayRepeatReply({ act }: Friend, reply: string, similarity: number): boolean {
  if (act === "telling" || reply.split("\n").every((line) => friendlyKind(line) !== null)) return true;
  if (act === "aboutOwner") return false;
  if (act !== "plan" && act !== "favour") return similarity >= LIKE;
  return similarity >= SAME && !AGREES.test(reply) && commitmentsIn(reply).every(({ defers }) => defers);
}

const REASONS: Record<EverydayAct, string> = {
  congratulation: "Обычная беседа: поздравляют.",
  thanks: "Обычная беседа: благодарность.",
  reproach: "Собеседник обижен: двойник смягчил, ответить по делу можете только вы.",
  grief: "Собеседнику тяжело: двойник посочувствовал, напишите и вы.",
  joke: "Обычная беседа: шутка.",
  plan: "Зовут или договариваются: решаете вы, двойник отложил ответ.",
  favour: "Просят об услуге: решаете вы, двойник отложил ответ.",
  aboutOwner: "Спросили, как вы и что делаете: двойник этого не знает и отложил ответ.",
  joy: "Обычная беседа: хорошая новость.",
  news: "Обычная беседа: новость.",
  question: "Ответа ни в документах, ни в прошлых ответах нет: двойник отложил ответ.",
  telling: "Обычная беседа: рассказ собеседника.",
};

/** Returns the reason shown to the owner, in Russian. */
export const reasonToFriend = ({ act }: Friend): string => REASONS[act];

/** Whether the owner should answer himself, even if the twin replies. */
export const needsOwner = ({ act }: Friend): boolean => NEEDS_OWNER.has(act);
