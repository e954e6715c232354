import { NUMBER, type Slot, slotsOf } from "#server/knowledge/language/slots.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";

/** The facts in the sources of one reply, read once for all candidate replies. */
export class SourceFacts {
  readonly #sources: readonly string[];
  #read: { text: string; words: ReadonlySet<string>; numbers: ReadonlySet<string> } | undefined;

  constructor(sources: readonly string[]) {
    this.#sources = sources;
  }

  /** Read on first use, because most replies contain no slot. */
  get #known() {
    if (this.#read === undefined) {
      const joined = this.#sources.join("\n");
      this.#read = {
        text: joined.toLowerCase().replaceAll("ё", "е"),
        words: new Set(wordsOf(joined)),
        numbers: new Set((joined.match(NUMBER) ?? []).map(numberKey)),
      };
    }
    return this.#read;
  }

  /**
   * Returns the slots of `text` that no source contains. Names are compared in any grammatical case, numbers by value, the rest by word.
   */
  unsupported(text: string): Slot[] {
    return slotsOf(text).filter((slot) => {
      const plain = slot.text.toLowerCase().replaceAll("ё", "е");
      if (slot.kind === "person" || slot.kind === "private") return true;
      if (slot.kind === "number" && /\d/.test(plain)) return !this.#known.numbers.has(numberKey(plain));
      if (slot.kind === "name") return !hasName(plain, this.#known.words);
      if (slot.kind === "link" || slot.kind === "email" || slot.kind === "handle")
        return !this.#known.text.includes(plain);
      return !this.#known.words.has(plain);
    });
  }
}

const numberKey = (number: string) =>
  number
    .replace(/[ \u00a0]/g, "")
    .replace(/[.,](?=\d{3}(?:\D|$))/g, "")
    .replace(",", ".");

const CASE_ENDING =
  /^(?:|а|я|ы|и|е|у|ю|й|ь|о|ой|ей|ом|ем|ою|ею|ью|ий|ии|ия|ию|ого|его|ому|ему|ым|им|ых|их|ая|яя|ую|юю|ами|ями|s|'s)$/;

/** Whether a source has the name in any grammatical case: «Марине» is «Марина», not «Мария», and «Иванов» is not «Иван». */
function hasName(name: string, sourceWords: ReadonlySet<string>): boolean {
  if (sourceWords.has(name)) return true;
  for (const word of sourceWords) {
    if (word[0] !== name[0]) continue;
    let same = 0;
    while (same < word.length && word[same] === name[same]) same++;
    if (same >= 2 && CASE_ENDING.test(word.slice(same)) && CASE_ENDING.test(name.slice(same))) return true;
  }
  return false;
}
