/** Counters of bounded size for one pass over any number of messages. */
import { copyString } from "#server/platform/text/memoize.ts";

/** Quantiles of whole numbers ≥ 0: exact below 1,024, above that to 1/16 of the value. */
export class Distribution {
  readonly #counts = new Map<number, number>();
  size = 0;

  add(value: number): void {
    const whole = Math.max(0, Math.round(value));
    const step = whole < 1024 ? 1 : 2 ** (Math.floor(Math.log2(whole)) - 4);
    const key = Math.floor(whole / step) * step;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.size++;
  }

  quantile(q: number): number {
    let left = q * this.size;
    for (const [value, count] of [...this.#counts].sort((a, b) => a[0] - b[0])) {
      left -= count;
      if (left <= 0) return value;
    }
    return 0;
  }

  quartiles(): { p25: number; median: number; p75: number } {
    return { p25: this.quantile(0.25), median: this.quantile(0.5), p75: this.quantile(0.75) };
  }

  copy(): Distribution {
    const copy = new Distribution();
    copy.join(this);
    return copy;
  }

  join(other: Distribution): void {
    for (const [value, count] of other.#counts) this.#counts.set(value, (this.#counts.get(value) ?? 0) + count);
    this.size += other.size;
  }
}

/** Counts texts. At 4,096 distinct texts, those that occurred once are dropped. */
export class Tally {
  readonly #counts = new Map<string, number>();
  #people = new Map<string, number>();

  add(text: string): void {
    const count = this.#counts.get(text);
    if (count === undefined && this.#counts.size >= 4096) {
      for (const [rare, met] of this.#counts) if (met === 1) this.#counts.delete(rare);
    }
    this.#counts.set(count === undefined ? copyString(text) : text, (count ?? 0) + 1);
  }

  /** Declares that everything added so far was sent to one person. */
  ofOnePerson(): void {
    this.#people = new Map([...this.#counts.keys()].map((text) => [text, 1]));
  }

  /** Adds the other tally. The two must have no person in common. */
  join(other: Tally): void {
    for (const [text, count] of other.#counts) this.#counts.set(text, (this.#counts.get(text) ?? 0) + count);
    for (const [text, people] of other.#people) this.#people.set(text, (this.#people.get(text) ?? 0) + people);
  }

  /** Sorts by frequency; equal counts are sorted by text. */
  top(limit: number): { text: string; count: number; people?: number }[] {
    return [...this.#counts]
      .map(([text, count]) => ({ text, count }))
      .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
      .slice(0, limit)
      .map((one) => (this.#people.has(one.text) ? { ...one, people: this.#people.get(one.text)! } : one));
  }
}

const EXAMPLE_LENGTH = 160;

const isShowable = (text: string) => text.length > 1 && !/\d{3}|@|:\/\/|www\./.test(text);

function shown(text: string): string {
  const line = text.slice(0, EXAMPLE_LENGTH * 2).replace(/\s+/g, " ");
  return line.length <= EXAMPLE_LENGTH ? line : `${line.slice(0, EXAMPLE_LENGTH - 1).trimEnd()}…`;
}

interface Example {
  text: string;
  /** Time or delay of the message; 0 when not needed. */
  value: number;
}

/** Keeps the two latest distinct texts per habit that may be shown. */
export class RecentExamples {
  readonly #shelf = new Map<string, Example[]>();
  /** Copied, because a kept slice would keep its whole page in memory. */
  #judged = "";
  #fit = false;

  offer(habit: string, text: string, value = 0): void {
    if (text !== this.#judged) {
      this.#judged = copyString(text);
      this.#fit = isShowable(text);
    }
    if (!this.#fit) return;
    const kept = this.#shelf.get(habit);
    if (kept === undefined) this.#shelf.set(habit, [{ text: this.#judged, value }]);
    else if (kept[0]!.text !== text) this.#shelf.set(habit, [{ text: this.#judged, value }, kept[0]!]);
  }

  join(other: RecentExamples): void {
    for (const [habit, kept] of other.#shelf) {
      for (const { text, value } of kept.toReversed()) this.offer(habit, text, value);
    }
  }

  of(habit: string): string[] {
    return this.withValues(habit).map(({ text }) => text);
  }

  withValues(habit: string): Example[] {
    return (this.#shelf.get(habit) ?? []).map(({ text, value }) => ({ text: shown(text), value }));
  }
}

export const round = (value: number) => Math.round(value * 1e4) / 1e4;
export const ratio = (part: number, whole: number) => (whole === 0 ? 0 : round(part / whole));
export const ratioOrNull = (part: number, whole: number) => (whole === 0 ? null : round(part / whole));
