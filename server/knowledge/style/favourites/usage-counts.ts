import { copyString } from "#server/platform/text/memoize.ts";
import type { StyleMessage } from "../style-profile.ts";

/** Maximum number of distinct texts; beyond it the rarest are dropped. */
const TEXTS = 20_000;

export class Uses {
  owners = 0;
  others = 0;
  /** First chat in which the owner used the text. */
  #chat: string | number | null = null;
  /** Whether he used it in another chat too. */
  spread = false;

  add({ fromOwner, chatId }: Pick<StyleMessage, "fromOwner" | "chatId">): void {
    if (!fromOwner) {
      this.others++;
      return;
    }
    this.#chat ??= chatId;
    if (this.#chat !== chatId) this.spread = true;
    this.owners++;
  }
}

/** Counts in how many messages of the owner and of the others a text stands. */
export class UsageCounts<Counted extends Uses> {
  readonly #make: () => Counted;
  readonly #uses = new Map<string, Counted>();
  /** Sums of all counts, including those of dropped texts. */
  owners = 0;
  others = 0;
  /** Texts with no more uses than this were dropped. */
  #floor = 0;

  constructor(make: () => Counted) {
    this.#make = make;
  }

  [Symbol.iterator](): MapIterator<[text: string, Counted]> {
    return this.#uses.entries();
  }

  add(text: string, message: Pick<StyleMessage, "fromOwner" | "chatId">): Counted {
    let uses = this.#uses.get(text);
    if (uses === undefined) {
      if (this.#uses.size >= TEXTS) this.#dropRare();
      uses = this.#make();
      this.#uses.set(copyString(text), uses);
    }
    uses.add(message);
    if (message.fromOwner) this.owners++;
    else this.others++;
    return uses;
  }

  #dropRare(): void {
    while (this.#uses.size > TEXTS / 2) {
      this.#floor++;
      for (const [text, { owners, others }] of this.#uses) if (owners + others <= this.#floor) this.#uses.delete(text);
    }
  }
}
