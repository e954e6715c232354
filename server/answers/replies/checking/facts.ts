/**
 * Facts stated by sources. Each kind is extracted only when an answer contains one of that kind: most answers have no phone or day, and
 * extracting all kinds would cost more than the rest of the check.
 */
import { phonesIn } from "#server/knowledge/language/statements/quantities.ts";
import { SourceFacts } from "../wording/source-facts.ts";
import { daysIn, type NamedDays } from "./days.ts";
import { rootsOf } from "./roots.ts";

export class StatedText {
  readonly text: string;
  #phones: readonly string[] | undefined;
  #days: NamedDays | undefined;
  #roots: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get phones(): readonly string[] {
    this.#phones ??= phonesIn(this.text).map(({ digits }) => digits);
    return this.#phones;
  }

  get days(): NamedDays {
    this.#days ??= daysIn(this.text, true);
    return this.#days;
  }

  get roots(): readonly string[] {
    this.#roots ??= rootsOf(this.text);
    return this.#roots;
  }
}

export class Facts {
  readonly named: SourceFacts;
  readonly #texts: readonly StatedText[];
  #phones: ReadonlySet<string> | undefined;
  #days: NamedDays | undefined;
  #roots: ReadonlySet<string> | undefined;

  constructor(texts: readonly StatedText[]) {
    this.#texts = texts;
    this.named = new SourceFacts(texts.map(({ text }) => text));
  }

  get phones(): ReadonlySet<string> {
    this.#phones ??= new Set(this.#texts.flatMap(({ phones }) => phones));
    return this.#phones;
  }

  get days(): NamedDays {
    this.#days ??= {
      week: new Set(this.#texts.flatMap(({ days }) => [...days.week])),
      months: new Set(this.#texts.flatMap(({ days }) => [...days.months])),
      relative: new Set(this.#texts.flatMap(({ days }) => [...days.relative])),
    };
    return this.#days;
  }

  get roots(): ReadonlySet<string> {
    this.#roots ??= new Set(this.#texts.flatMap(({ roots }) => roots));
    return this.#roots;
  }
}
