/**
 * Finds the owner's favourite words: those that he writes much more often than the people who write to him. Both sides share subjects and
 * common usage, so these cancel out. A word that he writes chiefly within one phrase counts as the phrase, and so does a short exclamation
 * that recurs.
 */
import { isFirstName } from "#server/knowledge/language/words/first-names.ts";
import { findPhrases, placesOf, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { stopWords } from "#server/knowledge/language/words/stop-words.ts";
import type { StyleMessage } from "../style-profile.ts";
import { Neighbour } from "./neighbours.ts";
import { UsageCounts, Uses } from "./usage-counts.ts";

const MIN_USES = 3;
/** Weight of both sides' joint frequency as a prior: a word with few occurrences proves little. */
const PRIOR = 0.1;
/** Threshold of the difference in standard errors; one word in ten exceeds it by chance. */
const SURE = 1.28;
/** Share of a word's uses from which it is a part of its phrase and not a word of its own. */
const WITHIN = 2 / 3;
/** An exclamation of more words is a sentence. */
const EXCLAIMED = 4;
/** Unlike a single word, the same words in a row hardly recur by chance, so only the contacts' use counts against them. */
const OWN_PHRASE = 3;

class WordUses extends Uses {
  readonly before = new Neighbour();
  readonly after = new Neighbour();
}

export class FavouriteWords {
  readonly #words = new UsageCounts(() => new WordUses());
  readonly #exclamations = new UsageCounts(() => new Uses());
  readonly #chats = new Set<string | number>();

  add(message: Pick<StyleMessage, "text" | "fromOwner" | "chatId">): void {
    const { text, fromOwner, chatId } = message;
    if (fromOwner && this.#chats.size < 2) this.#chats.add(chatId);
    const { candidates, exclaimed } = readText(text);
    for (const [word, { before, after }] of candidates) {
      const uses = this.#words.add(word, message);
      if (!fromOwner) continue;
      uses.before.vote(before);
      uses.after.vote(after);
    }
    for (const one of exclaimed) this.#exclamations.add(one, message);
  }

  /** Most distinctive first; empty when no word distinguishes the owner. */
  top(limit: number): { text: string; count: number }[] {
    const { owners, others } = this.#words;
    if (owners === 0 || others === 0) return [];
    // With several people, a word used to only one of them is a topic of theirs.
    const everywhere = this.#chats.size > 1;
    const isHis = (uses: Uses) => uses.owners >= MIN_USES && (uses.spread || !everywhere);
    const favourites = new Map<string, Favourite>();
    const sureOf = (uses: Uses) => surenessOf(uses, { owners, others });
    for (const [text, uses] of this.#exclamations) {
      if (!isHis(uses) || uses.owners < OWN_PHRASE * uses.others) continue;
      // Each word of an exclamation is evidence, so it ranks above a word that is used as often.
      favourites.set(text, { text, count: uses.owners, rank: sureOf(uses) * Math.sqrt(text.split(" ").length) });
    }
    const exclaimed = [...favourites.keys()].map((text) => text.slice(0, -1));
    for (const [word, uses] of this.#words) {
      const sure = isHis(uses) ? sureOf(uses) : Number.NEGATIVE_INFINITY;
      if (sure < SURE) continue;
      const { text, count } = withPhrase(word, uses);
      if (exclaimed.some((one) => isWithin(text, one))) continue;
      favourites.set(text, { text, count, rank: Math.max(sure, favourites.get(text)?.rank ?? sure) });
    }
    const words = [...favourites.keys()].filter((text) => !text.includes(" "));
    return (
      [...favourites.values()]
        // A word that stands in several phrases is a word of its own, and none of these phrases counts beside it.
        .filter(({ text }) => !words.some((word) => word !== text && isWithin(word, text)))
        .sort((a, b) => b.rank - a.rank || (a.text < b.text ? -1 : 1))
        .slice(0, limit)
        .map(({ text, count }) => ({ text, count }))
    );
  }
}

interface Favourite {
  text: string;
  count: number;
  rank: number;
}

const isWithin = (part: string, text: string) => ` ${text} `.includes(` ${part} `);

/** Returns the phrase within which the owner writes a word nearly always; else the word itself. */
function withPhrase(word: string, { owners, before, after }: WordUses): { text: string; count: number } {
  const leads = (one: Neighbour) => one.word !== "" && one.uses >= WITHIN * owners;
  const parts = [leads(before) ? before.word : "", word, leads(after) ? after.word : ""];
  const uses = [before, after].filter(leads).map((one) => one.uses);
  return { text: parts.filter((part) => part !== "").join(" "), count: Math.min(owners, ...uses) };
}

/** Log-odds ratio in standard errors, with an informative prior (Monroe, Colaresi and Quinn 2008, formula 22). */
function surenessOf(
  { owners: own, others: their }: Uses,
  { owners, others }: { owners: number; others: number },
): number {
  const prior = PRIOR * (own + their);
  const odds = (uses: number, all: number) =>
    Math.log((uses + prior) / (all + PRIOR * (owners + others) - uses - prior));
  return (odds(own, owners) - odds(their, others)) / Math.sqrt(1 / (own + prior) + 1 / (their + prior));
}

interface ReadText {
  /** No function words, numbers or names, each once, with the words beside it in its clause; "" where the clause ends. */
  candidates: Map<string, { before: string; after: string }>;
  /** Sentences of two to four words that end with «!», except set phrases, which everybody says. */
  exclaimed: Set<string>;
}

/** Marks that part clauses. */
const PARTS = /[.,!?…:;()\n—–]|\s-\s|\p{Extended_Pictographic}/u;
const ENDS = /[.!?…\n]/u;

function readText(text: string): ReadText {
  const words = wordsOf(text);
  const { typed, gaps } = placesOf(text);
  const candidates: ReadText["candidates"] = new Map();
  const exclaimed = new Set<string>();
  const parts = (at: number) => gaps[at] !== " " && PARTS.test(gaps[at]!);
  let sentence = 0;
  // A name and a number part clauses too, for a phrase around them is about one person or case.
  const isPlain: boolean[] = [];
  for (const [at, word] of words.entries()) {
    const gap = gaps[at]!;
    const begins = at === 0 || (gap !== " " && ENDS.test(gap));
    if (begins) sentence = at;
    isPlain.push(!isNameOrNumber(word, typed[at]!, begins));
    const end = gaps[at + 1]!;
    if (end !== " " && end.trimStart().startsWith("!")) {
      const said = words.slice(sentence, at + 1);
      if (said.length > 1 && said.length <= EXCLAIMED && !isSetPhrase(said)) exclaimed.add(`${said.join(" ")}!`);
    }
  }
  for (const [at, word] of words.entries()) {
    if (!isPlain[at] || word.length < 2 || stopWords.has(word) || candidates.has(word)) continue;
    candidates.set(word, {
      before: isPlain[at - 1] === true && !parts(at) ? words[at - 1]! : "",
      after: isPlain[at + 1] === true && !parts(at + 1) ? words[at + 1]! : "",
    });
  }
  return { candidates, exclaimed };
}

function isNameOrNumber(word: string, typed: string, begins: boolean): boolean {
  if (/\p{N}/u.test(word)) return true;
  const capital = typed[0] !== typed[0]!.toLowerCase();
  return (capital && !begins) || isFirstName(word, capital);
}

function isSetPhrase(words: string[]): boolean {
  const covered = new Set(
    findPhrases(words).flatMap(({ at, length }) => Array.from({ length }, (_, word) => at + word)),
  );
  return words.every((word, at) => covered.has(at) || stopWords.has(word) || isFirstName(word, true));
}
