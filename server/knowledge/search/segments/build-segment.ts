import type { IndexedUnit } from "#server/knowledge/embeddings/twin-units.ts";
import { gramsOf, normalize, plainWords, stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { copyString } from "#server/platform/text/memoize.ts";
import { type Field, findTerm, makeDirectory, maxUnits, type Segment, termKey } from "../index-segment.ts";

class Terms {
  readonly #numbers = new Map<string, number>();
  keys = new Float64Array(1024);

  get size(): number {
    return this.#numbers.size;
  }

  numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(term, number);
      if (number >= this.keys.length) this.keys = grown(this.keys, new Float64Array(this.keys.length * 2));
      this.keys[number] = termKey(term);
    }
    return number;
  }
}

/** Words with their terms, shared by consecutive segments so that each word is analysed only once. */
export class Vocabulary {
  readonly stems = new Terms();
  readonly grams = new Terms();
  readonly #places = new Map<string, number>();
  /** Per word: the number of its grams, its stem (−1 for a stop word), and the grams. */
  terms = new Int32Array(1024);
  #end = 0;

  get size(): number {
    return this.#places.size;
  }

  placeOf(written: string): number {
    const known = this.#places.get(written);
    if (known !== undefined) return known;
    const word = normalize(written);
    const stem = stemOf(word);
    const grams = gramsOf(word);
    const place = this.#end;
    this.#end += grams.length + 2;
    while (this.#end > this.terms.length) this.terms = grown(this.terms, new Int32Array(this.terms.length * 2));
    this.terms[place] = grams.length;
    this.terms[place + 1] = stem ? this.stems.numberOf(stem) : -1;
    grams.forEach((gram, at) => {
      this.terms[place + 2 + at] = this.grams.numberOf(gram);
    });
    this.#places.set(copyString(written), place);
    return place;
  }
}

/** Collects the units of one segment. Check `isFull` before each `add`. */
export class SegmentBuilder {
  readonly #kind: string;
  readonly #limits: { units: number; postings: number };
  readonly #vocabulary: Vocabulary;
  readonly #ids: number[] = [];
  readonly #audiences: number[] = [];
  readonly #stems: FieldBuilder;
  readonly #grams: FieldBuilder;

  constructor(
    kind: string,
    limits: { units?: number; postings?: number } = {},
    vocabulary: Vocabulary = new Vocabulary(),
  ) {
    this.#kind = kind;
    this.#limits = { units: Math.min(limits.units ?? 50_000, maxUnits), postings: limits.postings ?? 4_000_000 };
    this.#vocabulary = vocabulary;
    this.#stems = new FieldBuilder(vocabulary.stems);
    this.#grams = new FieldBuilder(vocabulary.grams);
  }

  get size(): number {
    return this.#ids.length;
  }

  get isFull(): boolean {
    return this.size >= this.#limits.units || this.#grams.postings >= this.#limits.postings;
  }

  add(unit: IndexedUnit): void {
    if (this.size >= maxUnits) throw new RangeError(`a segment holds at most ${maxUnits} units`);
    if (!Number.isSafeInteger(unit.id)) throw new RangeError(`the id ${unit.id} is not a safe integer`);
    this.#ids.push(unit.id);
    this.#audiences.push(unit.audience);
    this.#stems.beginUnit();
    this.#grams.beginUnit();
    if (unit.heading) this.#addText(unit.heading);
    this.#addText(unit.text);
    this.#stems.endUnit();
    this.#grams.endUnit();
  }

  #addText(text: string): void {
    for (const word of plainWords(text) ?? words(text)) {
      const place = this.#vocabulary.placeOf(word);
      const { terms } = this.#vocabulary;
      const end = place + 2 + terms[place]!;
      if (terms[place + 1]! >= 0) this.#stems.addTerm(terms[place + 1]!);
      for (let at = place + 2; at < end; at++) this.#grams.addTerm(terms[at]!);
    }
  }

  build(): Segment {
    const order = Uint32Array.from(this.#ids.keys());
    const ids = this.#ids;
    const audiences = this.#audiences;
    order.sort((a, b) => audiences[a]! - audiences[b]! || ids[a]! - ids[b]!);

    const distinct: number[] = [];
    const starts: number[] = [];
    order.forEach((unit, place) => {
      if (distinct.at(-1) === audiences[unit]) return;
      distinct.push(audiences[unit]!);
      starts.push(place);
    });
    return {
      kind: this.#kind,
      ids: Float64Array.from(order, (unit) => ids[unit]!),
      audiences: Float64Array.from(distinct),
      audienceStarts: Uint32Array.from([...starts, ids.length]),
      stems: this.#stems.build(order),
      grams: this.#grams.build(order),
    };
  }
}

/** Postings of one field in order of arrival; `build` sorts them into lists by term. */
class FieldBuilder {
  readonly #vocabulary: Terms;
  /** Per term: the unit in which it was last seen, and the index of that posting. */
  #lastUnit = new Int32Array(1024).fill(-1);
  #lastPosting = new Uint32Array(1024);
  #terms = new Uint32Array(4096);
  #counts = new Uint8Array(4096);
  readonly #unitStarts: number[] = [];
  readonly #lengths: number[] = [];
  #length = 0;
  postings = 0;

  constructor(vocabulary: Terms) {
    this.#vocabulary = vocabulary;
  }

  beginUnit(): void {
    this.#unitStarts.push(this.postings);
    this.#length = 0;
  }

  addTerm(term: number): void {
    this.#length++;
    const unit = this.#unitStarts.length - 1;
    while (term >= this.#lastUnit.length) {
      this.#lastUnit = grown(this.#lastUnit, new Int32Array(this.#lastUnit.length * 2).fill(-1));
      this.#lastPosting = grown(this.#lastPosting, new Uint32Array(this.#lastPosting.length * 2));
    }
    if (this.#lastUnit[term] === unit) {
      const posting = this.#lastPosting[term]!;
      if (this.#counts[posting]! < 255) this.#counts[posting]!++;
      return;
    }
    if (this.postings >= this.#terms.length) {
      this.#terms = grown(this.#terms, new Uint32Array(this.#terms.length * 2));
      this.#counts = grown(this.#counts, new Uint8Array(this.#counts.length * 2));
    }
    this.#lastUnit[term] = unit;
    this.#lastPosting[term] = this.postings;
    this.#terms[this.postings] = term;
    this.#counts[this.postings] = 1;
    this.postings++;
  }

  endUnit(): void {
    this.#lengths.push(Math.min(this.#length, 65_535));
  }

  /** @param order the old number of the unit at each new position */
  build(order: Uint32Array): Field {
    // Selects the terms of this segment, because the vocabulary also contains those of others.
    const used = Uint32Array.from(this.#lastUnit.keys()).filter((term) => this.#lastUnit[term]! >= 0);
    const known = this.#vocabulary.keys;
    // Two terms with the same hash become one, so sorted keys are made distinct.
    const sorted = Float64Array.from(used, (term) => known[term]!).sort();
    let distinct = 0;
    for (let at = 0; at < sorted.length; at++)
      if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[distinct++] = sorted[at]!;
    const keys = sorted.slice(0, distinct);
    const field: Field = {
      keys,
      directory: makeDirectory(keys),
      starts: new Uint32Array(distinct + 1),
      units: new Uint16Array(this.postings),
      counts: new Uint8Array(this.postings),
      peakCounts: new Uint8Array(distinct),
      shortest: new Uint16Array(distinct).fill(65_535),
      lengths: Uint16Array.from(order, (unit) => this.#lengths[unit]!),
      totalLength: this.#lengths.reduce((sum, length) => sum + length, 0),
    };
    const place = new Uint32Array(this.#lastUnit.length);
    for (const term of used) place[term] = findTerm(field, known[term]!);
    this.#fillPostings(field, place, order);
    return field;
  }

  #fillPostings(field: Field, place: Uint32Array, order: Uint32Array): void {
    const { starts, units, counts, peakCounts, shortest, lengths } = field;
    const terms = this.#terms;
    for (let posting = 0; posting < this.postings; posting++) starts[place[terms[posting]!]! + 1]!++;
    for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
    const cursors = starts.slice();
    for (let unit = 0; unit < order.length; unit++) {
      const from = this.#unitStarts[order[unit]!]!;
      const to = this.#unitStarts[order[unit]! + 1] ?? this.postings;
      const length = lengths[unit]!;
      for (let posting = from; posting < to; posting++) {
        const term = place[terms[posting]!]!;
        const count = this.#counts[posting]!;
        const target = cursors[term]!++;
        units[target] = unit;
        counts[target] = count;
        if (count > peakCounts[term]!) peakCounts[term] = count;
        if (length < shortest[term]!) shortest[term] = length;
      }
    }
  }
}

function grown<T extends Int32Array | Uint32Array | Uint8Array | Float64Array>(from: T, into: T): T {
  into.set(from as never);
  return into;
}

/** Builds one segment of at most 65,535 units. */
export function buildSegment(kind: string, units: Iterable<IndexedUnit>, vocabulary?: Vocabulary): Segment {
  const builder = new SegmentBuilder(kind, { units: maxUnits, postings: Number.POSITIVE_INFINITY }, vocabulary);
  for (const unit of units) builder.add(unit);
  return builder.build();
}
