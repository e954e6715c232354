/**
 * The words by which an owner is known: those that he writes much more often than the people who write to him. Both sides share the
 * subjects, so what they talk about cancels out, and so does common usage.
 */
import { isFirstName } from "#server/knowledge/language/words/first-names.ts";
import { placesOf, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { stopWords } from "#server/knowledge/language/words/stop-words.ts";
import { copyString } from "#server/platform/text/memoize.ts";
import type { StyleMessage } from "../style-profile.ts";

/** Different words that are counted; beyond, the rarest are dropped. */
const WORDS = 20_000;
/** Least of the owner's messages that hold the word. */
const MIN_USES = 3;
/** Weight of what both sides write together as a prior, as a share of it: a word that was met a few times tells little. */
const PRIOR = 0.1;
/** Standard errors between the two sides' odds: chance alone brings one word in ten so far. */
const SURE = 1.28;

interface Uses {
  /** Messages of each side that hold the word. */
  owners: number;
  others: number;
  /** The first chat in which the owner wrote it, and whether he did in a further one. */
  chat: string | number;
  spread: boolean;
}

export class FavouriteWords {
  readonly #uses = new Map<string, Uses>();
  readonly #chats = new Set<string | number>();
  #owners = 0;
  #others = 0;
  /** Words with fewer uses have been dropped. */
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

  /** The most telling first; empty where no word is told apart from what the others write. */
  top(limit: number): { text: string; count: number }[] {
    const [owners, others] = [this.#owners, this.#others];
    if (owners === 0 || others === 0) return [];
    // With several people, a word for one of them alone is that person's subject.
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

/** The log-odds ratio of the two sides in standard errors, with an informative prior (Monroe, Colaresi and Quinn 2008, formula 22). */
function surenessOf({ owners: own, others: their }: Uses, owners: number, others: number): number {
  const prior = PRIOR * (own + their);
  const odds = (uses: number, all: number) =>
    Math.log((uses + prior) / (all + PRIOR * (owners + others) - uses - prior));
  return (odds(own, owners) - odds(their, others)) / Math.sqrt(1 / (own + prior) + 1 / (their + prior));
}

/** Candidates for favourite words: no function words, numbers or names. */
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
