import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexedUnit } from "#server/knowledge/embeddings/twin-units.ts";
import { gramsOf, stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { randomRuns } from "#server/test/random-runs.ts";
import type { Segment } from "../index-segment.ts";
import { buildSegment } from "../segments/build-segment.ts";
import { inverseFrequency } from "./bm25.ts";
import type { SearchOptions } from "./found-unit.ts";
import { parseQuery } from "./query-terms.ts";
import { search } from "./search-segments.ts";

const everyone = () => true;

/** Artificial words that share syllables; low numbers are far more frequent, as in speech. */
const syllables = ["до", "ста", "ка", "за", "каз", "ма", "ри", "но", "лет", "ве", "чер", "пи", "шу"];
const vocabulary = Array.from({ length: 400 }, (_, n) =>
  [n % 13, Math.floor(n / 13) % 13, (n * 7) % 11].map((at) => syllables[at]).join(""),
);
const word = fc.integer({ min: 0, max: 9999 }).map((n) => vocabulary[Math.floor((n / 10_000) ** 4 * 400)]!);
const text = fc.array(word, { maxLength: 12, size: "max" }).map((list) => list.join(" "));
const unit = fc.record({
  audience: fc.constantFrom(0, 0, 0, -1, 5, 6),
  text,
  kind: fc.constantFrom("message", "chunk"),
});
const collection = fc.oneof(
  fc.array(unit, { maxLength: 30 }),
  fc.array(unit, { minLength: 1500, maxLength: 1500, size: "max" }),
);

type Indexed = IndexedUnit & { kind: string };

/** Scores every unit. Word frequencies cover the units that the asker may see, including deleted ones. */
function bruteForce(all: Indexed[], allows: (audience: number) => boolean) {
  const units = all.filter(({ audience }) => allows(audience));
  const fields = [
    scorer(units, (text) => words(text).map(stemOf).filter(Boolean)),
    scorer(units, (text) => words(text).flatMap(gramsOf)),
  ];
  return (query: string, limit: number, allowed: (unit: Indexed) => boolean): number[] => {
    const { stems, grams } = parseQuery(query);
    const total = new Float64Array(units.length);
    for (const scores of [fields[0]!(stems), fields[1]!(grams)]) {
      const best = Math.max(0, ...scores.filter((_, at) => allowed(units[at]!)));
      if (best > 0) for (const at of scores.keys()) total[at]! += (0.5 * scores[at]!) / best;
    }
    const seen = [...total].filter((score, at) => score > 0 && allowed(units[at]!));
    return seen.sort((one, other) => other - one).slice(0, limit);
  };
}

function scorer(units: Indexed[], termsOf: (text: string) => string[]): (terms: string[]) => number[] {
  const bags = units.map((unit) => {
    const counts = new Map<string, number>();
    const terms = termsOf(unit.text);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return { counts, length: terms.length };
  });
  const averages = new Map<string, number>();
  for (const kind of ["message", "chunk"]) {
    const lengths = bags.filter((_, at) => units[at]!.kind === kind).map((bag) => bag.length);
    averages.set(kind, lengths.reduce((sum, length) => sum + length, 0) / lengths.length || 1);
  }
  return (terms) => {
    const idfs = terms.map((term) => inverseFrequency(units.length, bags.filter((bag) => bag.counts.has(term)).length));
    return bags.map(({ counts, length }, at) => {
      const norm = 1.2 * (0.25 + (0.75 * length) / averages.get(units[at]!.kind)!);
      return terms.reduce((sum, term, n) => {
        const count = counts.get(term) ?? 0;
        return sum + (idfs[n]! * count) / (count + norm);
      }, 0);
    });
  };
}

function split(units: Indexed[], size: number): Segment[] {
  return ["message", "chunk"].flatMap((kind) => {
    const ofKind = units.filter((unit) => unit.kind === kind);
    const parts: Segment[] = [];
    for (let at = 0; at < ofKind.length; at += size) parts.push(buildSegment(kind, ofKind.slice(at, at + size)));
    return parts;
  });
}

test("the pruned search gives the same scores as scoring every unit, whatever the segments, the audience and deleted units", () => {
  const queries = fc.array(text, { minLength: 6, maxLength: 6 });
  const numbers = fc.record({ limit: fc.integer({ min: 1, max: 12 }), size: fc.integer({ min: 10, max: 2000 }) });
  const allows = (audience: number) => audience === 0 || audience === 5;
  const dead = new Map([["message", new Set([0, 1, 2, 3])]]);
  const isDead = (unit: Indexed) => unit.kind === "message" && unit.id < 4;
  fc.assert(
    fc.property(collection, queries, numbers, (list, queries, { limit, size }) => {
      const units = list.map((unit, id) => ({ ...unit, id }));
      const segments = split(units, size);
      const [everything, some] = [bruteForce(units, everyone), bruteForce(units, allows)];
      const cases: [SearchOptions, (unit: Indexed) => boolean][] = [
        [{ allows: everyone, limit }, () => true],
        [{ allows, limit }, (unit) => allows(unit.audience)],
        [{ allows, limit, dead }, (unit) => allows(unit.audience) && !isDead(unit)],
      ];
      for (const query of queries) {
        for (const [options, allowed] of cases) {
          const hits = search(segments, query, options);
          const score = options.allows === everyone ? everything : some;
          const expected = score(query, limit, allowed);
          expect(hits.length).toBe(expected.length);
          for (const [at, hit] of hits.entries()) {
            expect(Math.abs(hit.score - expected[at]!)).toBeLessThan(1e-4);
            expect(allowed(units[hit.id]!)).toBe(true);
          }
        }
      }
    }),
    // Shrinking a collection of this size takes minutes, and the seed is printed anyway.
    { numRuns: randomRuns(30), endOnFailure: true },
  );
});

test("what others may see neither appears nor changes the scores of what may be seen", () => {
  const mine: IndexedUnit[] = [
    { id: 1, audience: 0, text: "доставка в Москву занимает два дня" },
    { id: 2, audience: 7, text: "доставка для вас бесплатна" },
  ];
  const theirs: IndexedUnit[] = [
    { id: 3, audience: 8, text: "доставка доставка доставка" },
    { id: 4, audience: -1, text: "доставка" },
  ];
  const segment = buildSegment("chunk", [...mine, ...theirs]);
  const hits = search([segment], "доставка", { allows: (audience) => audience === 0 || audience === 7, limit: 10 });
  expect(hits.map((hit) => hit.id).sort()).toEqual([1, 2]);
  expect(hits[0]!.score).toBeCloseTo(1, 5);
});

test("a query with another form of the word or a typing error finds the unit", () => {
  const segment = buildSegment("chunk", [
    { id: 1, audience: 0, text: "Возврат товара возможен в течение четырнадцати дней" },
    { id: 2, audience: 0, text: "Оплатить заказ можно картой" },
  ]);
  for (const query of ["как вернуть товары?", "возврт", "ВОЗВРАТЫ"]) {
    expect(search([segment], query, { allows: everyone, limit: 1 })[0]?.id).toBe(1);
  }
});

test("a heading is matched like the text", () => {
  const segment = buildSegment("chunk", [
    { id: 1, audience: 0, text: "Два дня по городу", heading: "Доставка" },
    { id: 2, audience: 0, text: "Два года на всё" },
  ]);
  expect(search([segment], "доставка", { allows: everyone, limit: 2 }).map((hit) => hit.id)).toEqual([1]);
});

test("a query without words, or with unknown words, finds nothing", () => {
  const segment = buildSegment("chunk", [{ id: 1, audience: 0, text: "Доставка" }]);
  for (const query of ["", "?!", "👍", "xyzzy"])
    expect(search([segment], query, { allows: everyone, limit: 5 })).toEqual([]);
});

test("the match of a unit says how much of the query it covers", () => {
  const segment = buildSegment("chunk", [
    { id: 1, audience: 0, text: "Гарантия на ноутбук два года" },
    { id: 2, audience: 0, text: "Доставка курьером" },
  ]);
  const [full] = search([segment], "гарантия ноутбука", { allows: everyone, limit: 1 });
  const [part] = search([segment], "гарантия холодильника", { allows: everyone, limit: 1 });
  expect(full!.match.coverage).toBe(1);
  expect(part!.match.coverage).toBeGreaterThan(0);
  expect(part!.match.coverage).toBeLessThan(0.6);
  expect(part!.match.stems).toBeLessThan(full!.match.stems);
});

test("successive searches do not influence each other", () => {
  const units = Array.from({ length: 500 }, (_, id) => ({
    id,
    audience: 0,
    text: `заказ номер ${id} доставка ${id % 7}`,
  }));
  const segment = buildSegment("message", units);
  const ask = () => search([segment], "заказ 42 доставка", { allows: everyone, limit: 5 });
  const first = ask();
  search([buildSegment("message", units.slice(0, 20))], "доставка 3", { allows: everyone, limit: 5 });
  expect(ask()).toEqual(first);
  expect(first[0]?.id).toBe(42);
});

test("a limit on the work keeps the best unit", () => {
  const units = Array.from({ length: 5000 }, (_, id) => ({
    id,
    audience: 0,
    text: `привет заказ ${id} оплата доставка`,
  }));
  const [hit] = search([buildSegment("message", units)], "заказ 4321", {
    allows: everyone,
    limit: 5,
    maxPostings: 2000,
  });
  expect(hit?.id).toBe(4321);
});
