// Ranks the units of a twin's segments by the mean of two max-normalised BM25 scores, over stems and over character 4-grams. It is exact
// without scoring every unit (MaxScore, Turtle & Flood 1995): n-gram lists are added rarest first. Once the remaining common lists cannot
// lift an unseen unit into the result, only the candidates are completed.
import { BestUnits } from "./best-units.ts";
import { flat, saturation } from "./bm25.ts";
import type { RankedUnit, SearchOptions, UnitHit } from "./found-unit.ts";
import { gallop, matchField } from "./postings.ts";
import type { FieldName, SearchedSegment, Term } from "./term.ts";

/** Scores by unit. Searches are synchronous, so all share one buffer; touched entries are zeroed after each search. */
let scratch = { stems: new Float32Array(0), grams: new Float32Array(0), touched: new Uint32Array(0) };

function scratchFor(places: readonly SearchedSegment[]): typeof scratch {
  const last = places.at(-1);
  const units = last ? last.base + last.segment.ids.length : 0;
  if (scratch.touched.length < units) {
    scratch = { stems: new Float32Array(units), grams: new Float32Array(units), touched: new Uint32Array(units) };
  }
  return scratch;
}

const maxCompleted = 1000;

/** Scores are sums in single precision, so a bound excludes a unit only if it misses by more than the rounding error. */
const almostOne = 1 - 1e-5;

export class Ranking {
  readonly #places: readonly SearchedSegment[];
  readonly #stemTerms: Term[];
  readonly #gramTerms: Term[];
  readonly #options: SearchOptions;
  readonly #scores: Record<FieldName, Float32Array>;
  readonly #touched: Uint32Array;
  #touchedCount = 0;
  #postings = 0;
  #bestStems = 0;
  #bestGrams = 0;
  /** Upper bound of what the remaining n-gram lists can add to a unit's score. */
  #left = 0;

  constructor(places: readonly SearchedSegment[], stemTerms: Term[], gramTerms: Term[], options: SearchOptions) {
    const { stems, grams, touched } = scratchFor(places);
    this.#places = places;
    this.#stemTerms = stemTerms;
    this.#gramTerms = gramTerms;
    this.#options = options;
    this.#scores = { stems, grams };
    this.#touched = touched;
  }

  run(): UnitHit[] {
    return this.#best()
      .map((unit) => this.#describe(unit))
      .sort((one, other) => other.score - one.score || (one.kind < other.kind ? -1 : 1) || one.id - other.id);
  }

  order(): RankedUnit[] {
    return this.#best().map((unit) => {
      const { segment, base } = this.#placeOf(unit);
      return { kind: segment.kind, id: segment.ids[unit - base]!, describe: () => this.#describe(unit) };
    });
  }

  #best(): number[] {
    try {
      const candidates = this.#addUpTerms();
      this.#bestGrams = this.#highest(this.#scores.grams, candidates);
      return this.#bestOf(candidates, this.#options.limit).inOrder();
    } finally {
      const { stems, grams } = this.#scores;
      for (let at = 0; at < this.#touchedCount; at++) {
        const unit = this.#touched[at]!;
        stems[unit] = 0;
        grams[unit] = 0;
      }
    }
  }

  #allTouched(): Uint32Array {
    return this.#touched.subarray(0, this.#touchedCount);
  }

  #addUp(term: Term, name: FieldName): void {
    const { stems, grams } = this.#scores;
    const scores = this.#scores[name];
    const touched = this.#touched;
    let touchedCount = this.#touchedCount;
    const { idf } = term;
    for (const { place, from, to } of term.spans) {
      const { units, counts, lengths } = place.segment[name];
      const slope = place.slopes[name];
      const { base } = place;
      for (let posting = from; posting < to; posting++) {
        const unit = units[posting]!;
        const count = counts[posting]!;
        const at = base + unit;
        if (grams[at] === 0 && stems[at] === 0) touched[touchedCount++] = at;
        // `saturation` inlined: this line runs for every posting.
        scores[at]! += (idf * count) / (count + flat + slope * lengths[unit]!);
      }
    }
    this.#touchedCount = touchedCount;
    this.#postings += term.postings;
  }

  /** Returns the units with complete scores, which include the results. */
  #addUpTerms(): Uint32Array {
    const most = this.#options.maxPostings ?? Number.POSITIVE_INFINITY;
    const openStems = this.#addUpStems(most / 2);
    const allStems = openStems === this.#stemTerms.length;
    const terms = this.#gramTerms;
    let added = 0;
    this.#left = terms.reduce((sum, term) => sum + term.most, 0);
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at]!;
      // The check visits all touched units, so it runs only when it can succeed and saves more than it costs.
      const mayEnd = allStems && this.#left < added && term.postings * 4 > this.#touchedCount;
      if (mayEnd && this.#unseenCannotEnter()) return this.#completeWith(at, this.#allTouched().slice());
      if (this.#exceeds(most, term)) return this.#completePromising(openStems, at);
      this.#addUp(term, "grams");
      added += term.most;
      this.#left -= term.most;
    }
    this.#left = 0;
    return allStems ? this.#allTouched() : this.#completePromising(openStems, terms.length);
  }

  #addUpStems(most: number): number {
    let open = 0;
    for (const term of this.#stemTerms) {
      if (this.#exceeds(most, term)) break;
      this.#addUp(term, "stems");
      open++;
    }
    this.#bestStems = this.#highest(this.#scores.stems, this.#allTouched());
    return open;
  }

  #exceeds(most: number, term: Term): boolean {
    return this.#touchedCount > 0 && this.#postings + term.postings > most;
  }

  /** Completes only the best units so far: not exact, but with bounded cost. */
  #completePromising(openStems: number, openGrams: number): Uint32Array {
    this.#bestGrams = this.#highest(this.#scores.grams, this.#allTouched());
    const promising = Uint32Array.from(this.#bestOf(this.#allTouched(), maxCompleted).inOrder()).sort();
    for (const term of this.#stemTerms.slice(openStems)) this.#addTo(promising, term, "stems");
    this.#bestStems = this.#highest(this.#scores.stems, promising);
    return this.#completeWith(openGrams, promising);
  }

  /**
   * Whether a unit outside all added lists can be neither the best of the n-gram field, which sets the scale, nor a result. Scores are
   * compared on the scale of the n-gram field.
   */
  #unseenCannotEnter(): boolean {
    this.#bestGrams = this.#highest(this.#scores.grams, this.#allTouched());
    if (this.#left > this.#bestGrams) return false;
    const best = this.#bestOf(this.#allTouched(), this.#options.limit);
    return best.isFull && this.#left <= best.threshold;
  }

  /** Adds the lists from `open` on to the candidates only, and drops those that cannot win any more. */
  #completeWith(open: number, candidates: Uint32Array): Uint32Array {
    let running = this.#stillRunning(candidates).sort();
    for (let at = open; at < this.#gramTerms.length; at++) {
      const term = this.#gramTerms[at]!;
      this.#addTo(running, term, "grams");
      this.#left = at + 1 < this.#gramTerms.length ? this.#left - term.most : 0;
      if (running.length > this.#options.limit) running = this.#stillRunning(running);
    }
    return running;
  }

  /** Keeps, in place, the candidates that may still be a result or the best of the n-gram field. */
  #stillRunning(candidates: Uint32Array): Uint32Array {
    const { stems, grams } = this.#scores;
    this.#bestGrams = this.#highest(grams, candidates);
    const { threshold } = this.#bestOf(candidates, this.#options.limit);
    const highestScale = this.#stemScale(this.#bestGrams + this.#left);
    let kept = 0;
    for (let at = 0; at < candidates.length; at++) {
      const unit = candidates[at]!;
      const atMost = grams[unit]! + this.#left;
      if (atMost < this.#bestGrams && stems[unit]! * highestScale + atMost < threshold * almostOne) continue;
      candidates[kept++] = unit;
    }
    return candidates.subarray(0, kept);
  }

  /** @param candidates ascending */
  #addTo(candidates: Uint32Array, term: Term, name: FieldName): void {
    const scores = this.#scores[name];
    let next = 0;
    for (const { place, from, to } of term.spans) {
      const { units, counts, lengths } = place.segment[name];
      const last = place.base + units[to - 1]!;
      const first = place.base + units[from]!;
      let posting = from;
      while (next < candidates.length && candidates[next]! < first) next++;
      for (; next < candidates.length && candidates[next]! <= last; next++) {
        const unit = candidates[next]! - place.base;
        posting = gallop(units, posting, to, unit);
        if (units[posting] !== unit) continue;
        const weight = saturation(counts[posting]!, lengths[unit]!, place.slopes[name]);
        scores[candidates[next]!]! += term.idf * weight;
      }
    }
  }

  #highest(scores: Float32Array, among: Uint32Array): number {
    let highest = 0;
    for (let at = 0; at < among.length; at++) {
      const score = scores[among[at]!]!;
      if (score > highest && this.#isAlive(among[at]!)) highest = score;
    }
    return highest;
  }

  #bestOf(among: Uint32Array, limit: number): BestUnits {
    const { stems, grams } = this.#scores;
    const scale = this.#stemScale(this.#bestGrams);
    const best = new BestUnits(limit);
    let { threshold } = best;
    for (let at = 0; at < among.length; at++) {
      const unit = among[at]!;
      const score = stems[unit]! * scale + grams[unit]!;
      if (score > threshold && this.#isAlive(unit)) {
        best.offer(unit, score);
        threshold = best.threshold;
      }
    }
    return best;
  }

  /** Factor that makes both fields count equally. */
  #stemScale(bestGrams: number): number {
    return this.#bestStems > 0 ? (bestGrams || 1) / this.#bestStems : 0;
  }

  #describe(unit: number): UnitHit {
    const stems = matchField(unit, this.#stemTerms, "stems");
    const grams = matchField(unit, this.#gramTerms, "grams");
    const { segment, base } = this.#placeOf(unit);
    return {
      kind: segment.kind,
      id: segment.ids[unit - base]!,
      score: 0.5 * ratio(stems.score, this.#bestStems) + 0.5 * ratio(grams.score, this.#bestGrams),
      match: {
        stems: ratio(stems.score, stems.ideal),
        grams: ratio(grams.score, grams.ideal),
        coverage: ratio(stems.covered, stems.ideal),
      },
    };
  }

  #isAlive(unit: number): boolean {
    const { dead } = this.#options;
    if (!dead || dead.size === 0) return true;
    const { segment, base } = this.#placeOf(unit);
    return !dead.get(segment.kind)?.has(segment.ids[unit - base]!);
  }

  #placeOf(unit: number): SearchedSegment {
    let at = this.#places.length - 1;
    while (this.#places[at]!.base > unit) at--;
    return this.#places[at]!;
  }
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? Math.min(part / whole, 1) : 0;
}
