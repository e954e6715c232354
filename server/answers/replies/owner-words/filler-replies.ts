/**
 * Selects past replies of the owner that may be sent when nothing is known: questions back, short reactions, «не знаю». They state,
 * promise and order nothing, so they cannot be wrong or binding elsewhere (docs/decisions/027-answers-without-a-model.md).
 */

import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { addressIn } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { slotsOf } from "#server/knowledge/language/slots.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import {
  type FoundPhrase,
  FUNCTION_WORDS,
  findPhrases,
  type PhraseKind,
  wordsOf,
} from "#server/knowledge/language/words/lexicon.ts";
import type { ShortReply } from "#server/knowledge/search/twin-hits.ts";
import type { TwinIndex } from "#server/knowledge/search/twin-index.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";

export type FillerKind = "question" | "reaction" | "unsure";

export interface FillerReply {
  kind: FillerKind;
  reply: string;
  /** Whether it was sent to the contact who writes now. */
  sameContact: boolean;
  /** Number of words of the conversation that the reply repeats. */
  heard: number;
}

const words = (text: string) => new Set(text.trim().split(/\s+/));

const LONGEST = 120;
const MAX_REACTION_WORDS = 4;
/** Question words; questions in messengers often have no question mark. */
const ASKS = words("what whats what's which wich why how who whos who's where when");
const LONGEST_UNMARKED = 8;
/** Bot commands, and group messages that start with a name. */
const OF_A_GROUP = /^\s*[!/.]\p{L}|^\s*\S{2,32}[:|]\s|^\s*[^\s_|\d]*[_|\d]\S*,\s/u;
/** Words that answer a question or agree to something at the start of a reply. */
const VERDICTS =
  words(`да нет неа не ага угу конечно можно нельзя есть верно точно именно правильно согласен согласна ок окей ладно хорошо давай давайте договорились идет
  буду будем готов готова yes yeah yep yup no nope not ok okay k sure alright deal right correct exactly agreed can't don't never`);
/** First-person verbs that reveal nothing about the owner. */
const FEELINGS = words(
  "думаю надеюсь знаю понимаю вижу помню верю боюсь слышу чувствую шучу сочувствую поздравляю сожалею завидую горжусь радуюсь удивляюсь",
);
const OF_ONESELF = words(`я мы мне нам меня нас мой моя мое мои моего моей моему моим моих наш наша наше наши
  i i'm i'll i'd i've im ive we we're we'll we've us me my mine our`);
/** Forms of address that do not fit another person. */
const CALLED = words(
  "мам мамуль пап папуль ба бабуль дед дедуль сын сынок доча дочь бро брат братан сестра зай зая зайка котик кот милый милая дорогой дорогая любимый любимая mom dad bro honey dear",
);
/** Phrases that respond to a particular phrase, which a remark does not contain. */
const ANSWERS = new Set<PhraseKind>(["greeting", "farewell", "thanks", "welcome", "howAreYou"]);
const FEELS = /^(?:oh |ah |well |yeah )?i (?:see|know|guess|hope|bet|wish|agree|understand)(?: so| right)?$/;
const ORDERS =
  words(`try run use install remove delete open check type edit add set reboot restart go get do ask read look click send pay call buy stop start put make take give
  copy move close change enable disable download update upgrade search follow join leave tell show see wait keep turn boot plug press select choose compile build apt sudo`);
const IMPERATIVE = /(?:[аяеу]й|[йи]ся|ись)$/;

export function fillerKind(reply: string): FillerKind | null {
  if (reply.length > LONGEST || !/\p{L}/u.test(reply) || OF_A_GROUP.test(reply)) return null;
  const kind = formOf(reply);
  // Last, because searching for slots is expensive.
  return kind === null || slotsOf(reply).length > 0 || claimsToBeHuman(reply) ? null : kind;
}

/** A short reply to a question is its answer («дома» to «где ты?») and not a reaction, so it must not be reused. */
export function fillerKindOf({ incoming, reply }: Pick<ShortReply, "incoming" | "reply">): FillerKind | null {
  const kind = fillerKind(reply);
  return kind === "reaction" && wantOf(incoming) === "question" ? null : kind;
}

function formOf(reply: string): FillerKind | null {
  const said = wordsOf(reply);
  if (said.some((word) => CALLED.has(word))) return null;
  const phrases = findPhrases(said);
  if (phrases.some(({ kind }) => ANSWERS.has(kind))) return null;
  if (isUnsure(said, phrases)) return "unsure";
  const sentences = reply
    .split(/\n|(?<=[.!?…])\s+/)
    .filter((text) => /\p{L}/u.test(text))
    .map((text) => ({ text, said: text === reply ? said : wordsOf(text) }));
  if (!sentences.every((sentence) => asks(sentence) || reacts(sentence))) return null;
  return sentences.some(asks) ? "question" : "reaction";
}

function isUnsure(said: string[], phrases: readonly FoundPhrase[]): boolean {
  if (phrases.every(({ kind }) => kind !== "unsure")) return false;
  const covering = phrases.filter(({ kind }) => kind === "unsure" || kind === "filler");
  const covered = new Set(covering.flatMap(({ at, length }) => Array.from({ length }, (_, word) => at + word)));
  return said.every((word, at) => covered.has(at) || FUNCTION_WORDS.has(word) || SORRY.has(word));
}

interface Sentence {
  text: string;
  said: readonly string[];
}

function asks({ text, said }: Sentence): boolean {
  if (VERDICTS.has(said[0]!)) return false;
  return /\?[^\w?]*$/u.test(text) || (ASKS.has(said[0]!) && said.length <= LONGEST_UNMARKED);
}

function reacts({ said }: Sentence): boolean {
  if (said.length > MAX_REACTION_WORDS || VERDICTS.has(said[0]!)) return false;
  const { familiar, polite } = addressIn(said);
  // The words address the reader: «Позвони», «подождите», «ты прав».
  if (familiar || polite) return false;
  return (
    FEELS.test(said.join(" ")) || said.every((word) => !OF_ONESELF.has(word) && !ORDERS.has(word) && !isDeed(word))
  );
}

/** Whether the word looks like a first-person, past or imperative verb; nouns with such endings match too. */
const isDeed = (word: string) =>
  word.length > 2 &&
  !FUNCTION_WORDS.has(word) &&
  !FEELINGS.has(word) &&
  (/(?:[ую]|[ую]сь|[аяеиуы]л[аи]?|[аяеиуы]л(?:ся|ась|ись))$/.test(word) || IMPERATIVE.test(word));

const SORRY = words("право правда увы сожалению прости простите извини извините сорри sorry mate really");

const SPREAD = 60;
const RECENT_TURNS = 4;
/**
 * Maximum rarity, 0..1, of a word that does not occur in the conversation. A question must not mention anything particular; a reaction
 * may have a word of its own. With the contact to whom it was sent, any word is allowed.
 */
const RAREST: Record<FillerKind, number> = { question: 0.75, reaction: 0.9, unsure: 1 };

interface FillerRequest {
  audience: Audience;
  message: string;
  history: readonly HistoryTurn[];
}

/** Returns short replies for fillers and replies to friends; strangers and members get none. */
export async function spreadReplies(index: TwinIndex, audience: Audience, seed: string): Promise<ShortReply[]> {
  if (audience.kind === "stranger" || audience.kind === "member") return [];
  return index.spreadReplies(audience, SPREAD, seededRandom(`${seed}\naside`));
}

/** Returns the owner's filler replies that fit this contact and message. @param spread from `spreadReplies` */
export async function findFillerReplies(
  index: TwinIndex,
  spread: readonly ShortReply[],
  { audience, message, history }: FillerRequest,
): Promise<FillerReply[]> {
  const found = spread.flatMap((one) => {
    const kind = fillerKindOf(one);
    return kind === null ? [] : [{ ...one, kind, stems: contentStems(one.reply) }];
  });
  const heard = new Set(
    contentStems([...history.slice(-RECENT_TURNS).map(({ content }) => content), message].join("\n")),
  );
  const rarity = await index.rarity(audience);
  return found.flatMap(({ kind, reply, contactId, stems }): FillerReply[] => {
    const own = stems.filter((stem) => !heard.has(stem));
    const sameContact = audience.kind === "contact" && audience.contactId === contactId;
    const mostRare = kind === "reaction" && sameContact ? 1 : RAREST[kind];
    if (own.some((stem) => rarity(stem) > mostRare)) return [];
    return [{ kind, reply, sameContact, heard: stems.length - own.length }];
  });
}

const contentStems = (text: string) => contentWords(text).flatMap((word) => stemOf(word) || []);
