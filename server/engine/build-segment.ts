import { gramsOf, normalize, plainWords, stemOf, words } from "./analyze.ts";
import { type Field, findTerm, makeDirectory, mostUnits, type Segment, termKey, type Unit } from "./index-segment.ts";

/** Collects units and turns them into a segment. Check `isFull` before each `add`. */
export class SegmentBuilder {
  readonly #kind: string;
  readonly #limits: { units: number; postings: number };
  readonly #ids: number[] = [];
  readonly #audiences: number[] = [];
  readonly #stems = new FieldBuilder();
  readonly #grams = new FieldBuilder();
  /** The terms of each distinct word, as it is written: the stem (−1 for a stop word), then the n-grams. */
  readonly #wordTerms = new Map<string, number[]>();

  constructor(kind: string, limits: { units?: number; postings?: number } = {}) {
    this.#kind = kind;
    this.#limits = { units: Math.min(limits.units ?? 50_000, mostUnits), postings: limits.postings ?? 4_000_000 };
  }

  get size(): number {
    return this.#ids.length;
  }

  get isFull(): boolean {
    return this.size >= this.#limits.units || this.#grams.postings >= this.#limits.postings;
  }

  add(unit: Unit): void {
    if (this.size >= mostUnits) throw new RangeError(`a segment holds at most ${mostUnits} units`);
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
      const terms = this.#termsOf(word);
      if (terms[0]! >= 0) this.#stems.addTerm(terms[0]!);
      for (let at = 1; at < terms.length; at++) this.#grams.addTerm(terms[at]!);
    }
  }

  #termsOf(written: string): number[] {
    let terms = this.#wordTerms.get(written);
    if (!terms) {
      const word = normalize(written);
      const stem = stemOf(word);
      terms = [stem ? this.#stems.termNumber(stem) : -1];
      for (const gram of gramsOf(word)) terms.push(this.#grams.termNumber(gram));
      this.#wordTerms.set(written, terms);
    }
    return terms;
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

/** Postings of one field in the order of arrival, turned into lists by term at the end. */
class FieldBuilder {
  readonly #numbers = new Map<string, number>();
  /** Of each term: the unit it was last seen in and where that posting stands. */
  #lastUnit = new Int32Array(1024).fill(-1);
  #lastPosting = new Uint32Array(1024);
  #terms = new Uint32Array(4096);
  #counts = new Uint8Array(4096);
  readonly #unitStarts: number[] = [];
  readonly #lengths: number[] = [];
  #length = 0;
  postings = 0;

  termNumber(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(term, number);
      if (number >= this.#lastUnit.length) {
        this.#lastUnit = grown(this.#lastUnit, new Int32Array(this.#lastUnit.length * 2).fill(-1));
        this.#lastPosting = grown(this.#lastPosting, new Uint32Array(this.#lastPosting.length * 2));
      }
    }
    return number;
  }

  beginUnit(): void {
    this.#unitStarts.push(this.postings);
    this.#length = 0;
  }

  addTerm(term: number): void {
    this.#length++;
    const unit = this.#unitStarts.length - 1;
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

  /** @param order the old number of the unit at each new place */
  build(order: Uint32Array): Field {
    const size = this.#numbers.size;
    const byNumber = new Float64Array(size);
    let next = 0;
    for (const term of this.#numbers.keys()) byNumber[next++] = termKey(term);
    // Two terms with one hash become one term: sorted keys are made distinct.
    const sorted = byNumber.slice().sort();
    let distinct = 0;
    for (let at = 0; at < size; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[distinct++] = sorted[at]!;
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
    const place = Uint32Array.from(byNumber, (key) => findTerm(field, key));
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

function grown<T extends Int32Array | Uint32Array | Uint8Array>(from: T, into: T): T {
  into.set(from as never);
  return into;
}

/** All units as one segment, for small sets such as the newest units of a twin. At most 65,535 units. */
export function buildSegment(kind: string, units: Iterable<Unit>): Segment {
  const builder = new SegmentBuilder(kind, { units: mostUnits, postings: Number.POSITIVE_INFINITY });
  for (const unit of units) builder.add(unit);
  return builder.build();
}
