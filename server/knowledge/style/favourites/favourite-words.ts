/**
 * Finds the owner's favourite words: those that he writes much more often than the people who write to him. Both sides share subjects and
 * common usage, so these cancel out.
 */
import { isFirstName } from "#server/knowledge/language/words/first-names.ts";
import { placesOf, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { stopWords } from "#server/knowledge/language/words/stop-words.ts";
import { copyString } from "#server/platform/text/memoize.ts";
import type { StyleMessage } from "../style-profile.ts";

/** Maximum number of distinct words; beyond it the rarest are dropped. */
const WORDS = 20_000;
const MIN_USES = 3;
/** Weight of both sides' joint frequency as a prior: a word with few occurrences proves little. */
const PRIOR = 0.1;
/** Threshold of the difference in standard errors; one word in ten exceeds it by chance. */
const SURE = 1.28;

interface Uses {
  owners: number;
  others: number;
  /** First chat in which the owner used the word. */
  chat: string | number;
  /** Whether he used it in another chat too. */
  spread: boolean;
}

export class FavouriteWords {
  readonly #uses = new Map<string, Uses>();
  readonly #chats = new Set<string | number>();
  #owners = 0;
  #others = 0;
  /** Words with no more uses than this were dropped. */
  #floor = 0;

  add({ text, fromOwner, chatId }: Pick<StyleMessage, "text" | "fromOwner" | "chatId">): void {
    if (fromOwner && this.#chats.size < 2) this.#chats.add(chatId);
    for (const word of new Set(countedWords(text))) {
      const uses = this.#of(word, chatId);
      if (!fromOwner) {
        uses.others++;
        this.#others++;
        continue;
      }
      if (uses.owners === 0) uses.chat = chatId;
      else if (uses.chat !== chatId) uses.spread = true;
      uses.owners++;
      this.#owners++;
    }
  }

  #of(word: string, chat: string | number): Uses {
    let uses = this.#uses.get(word);
    if (uses === undefined) {
      if (this.#uses.size >= WORDS) this.#dropRare();
      uses = { owners: 0, others: 0, chat, spread: false };
      this.#uses.set(copyString(word), uses);
    }
    return uses;
  }

  #dropRare(): void {
    while (this.#uses.size > WORDS / 2) {
      this.#floor++;
      for (const [word, { owners, others }] of this.#uses) if (owners + others <= this.#floor) this.#uses.delete(word);
    }
  }

  /** Most distinctive first; empty when no word distinguishes the owner. */
  top(limit: number): { text: string; count: number }[] {
    const [owners, others] = [this.#owners, this.#others];
    if (owners === 0 || others === 0) return [];
    // With several people, a word used to only one of them is a topic of theirs.
    const everywhere = this.#chats.size > 1;
    return [...this.#uses]
      .filter(([, uses]) => uses.owners >= MIN_USES && (uses.spread || !everywhere))
      .map(([text, uses]) => ({ text, count: uses.owners, sure: surenessOf(uses, owners, others) }))
      .filter(({ sure }) => sure >= SURE)
      .sort((a, b) => b.sure - a.sure || (a.text < b.text ? -1 : 1))
      .slice(0, limit)
      .map(({ text, count }) => ({ text, count }));
  }
}

/** Log-odds ratio in standard errors, with an informative prior (Monroe, Colaresi and Quinn 2008, formula 22). */
function surenessOf({ owners: own, others: their }: Uses, owners: number, others: number): number {
  const prior = PRIOR * (own + their);
  const odds = (uses: number, all: number) =>
    Math.log((uses + prior) / (all + PRIOR * (owners + others) - uses - prior));
  return (odds(own, owners) - odds(their, others)) / Math.sqrt(1 / (own + prior) + 1 / (their + prior));
}

/** Returns the candidates: no function words, numbers or names. */
function countedWords(text: string): string[] {
  const words = wordsOf(text);
  const { typed, gaps } = placesOf(text);
  return words.filter((word, at) => {
    if (word.length < 2 || stopWords.has(word) || /\p{N}/u.test(word)) return false;
    const first = typed[at]![0]!;
    const capital = first !== first.toLowerCase();
    const begins = at === 0 || /[.!?…\n]/.test(gaps[at]!);
    return !(capital && !begins) && !isFirstName(word, capital);
  });
}
