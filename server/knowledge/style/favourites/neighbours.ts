import { copyString } from "#server/platform/text/memoize.ts";

/**
 * The word that the owner writes most often at one side of another, found in one pass by a majority vote (Boyer and Moore 1981). It is
 * right where one neighbour stands beside more than half of the uses; its count begins when the neighbour takes the lead.
 */
export class Neighbour {
  /** "" where the clause ends. */
  word = "";
  #lead = 0;
  uses = 0;

  vote(word: string): void {
    if (this.#lead === 0 && word !== this.word) {
      this.word = copyString(word);
      this.uses = 0;
    }
    if (word === this.word) {
      this.#lead++;
      this.uses++;
    } else this.#lead--;
  }
}
