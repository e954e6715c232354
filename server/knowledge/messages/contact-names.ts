/** Finds names of a twin's contacts in texts that the owner is about to publish. */
import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";

/** Case endings of names; the stems before them are compared. */
const ENDINGS = new Set(
  "а я у ю е и ы ом ем ой ей ою ею ь й ью ию ии ия ого его ому ему ым им ая яя ую юю ова овой овым ину ине ины иной s".split(
    " ",
  ),
);
const LONGEST_ENDING = 4;
// Names with a shorter stem («Ли», «Ян») are compared only in full, because the stem would match inside other words.
const SHORTEST_STEM = 3;

/** The vowel dropped in declension: «Павел», «Павлу». */
const FLEETING = /(?<=[бвгджзклмнпрстфхц])[ео](?=[лнрцк]$)/u;

const NAME_WORD = /\p{L}+/gu;
const plain = (word: string) => word.toLowerCase().replaceAll("ё", "е");

export class ContactNames {
  readonly #words = new Set<string>();
  readonly #stems = new Set<string>();
  readonly #isName = memoize(
    MB / 4,
    (word) => this.#words.has(word) || [...stemsOf(word)].some((stem) => this.#stems.has(stem)),
    estimateTextBytes,
  );

  constructor(names: Iterable<string>) {
    for (const name of names) {
      for (const [word] of plain(name).matchAll(NAME_WORD)) {
        if (word.length < 2) continue;
        this.#words.add(word);
        for (const stem of stemsOf(word)) this.#stems.add(stem);
        const shortened = word.replace(FLEETING, "");
        if (shortened !== word) this.#stems.add(shortened);
      }
    }
  }

  occurIn(text: string): boolean {
    for (const [word] of plain(text).matchAll(NAME_WORD)) if (this.#isName(word)) return true;
    return false;
  }
}

function* stemsOf(word: string): Generator<string> {
  if (word.length >= SHORTEST_STEM) yield word;
  for (let ending = 1; ending <= LONGEST_ENDING && word.length - ending >= SHORTEST_STEM; ending++) {
    if (ENDINGS.has(word.slice(-ending))) yield word.slice(0, -ending);
  }
}
