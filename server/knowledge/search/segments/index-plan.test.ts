import { expect, test } from "vitest";
import { fullSegment, type KnownRange, planIndex } from "./index-plan.ts";

/** Creates segments of these sizes over consecutive ids. */
function segments(...sizes: number[]): KnownRange[] {
  let next = 1;
  return sizes.map((units, at) => {
    const range = { from: next, to: next + units - 1, segmentId: at + 1, units, stale: false };
    next += units;
    return range;
  });
}

const stale = (range: KnownRange): KnownRange => ({ ...range, stale: true });
const unindexed = (range: KnownRange): KnownRange => ({ ...range, segmentId: null, stale: true });

test("an index that holds exactly what exists is left alone", () => {
  expect(planIndex(segments(100, 20, 3))).toEqual([]);
});

test("new units beside a much larger segment become a segment of their own", () => {
  const [old, added] = segments(1000, 10);
  expect(planIndex([old!, unindexed(added!)])).toEqual([
    { from: 1001, to: 1010, units: 10, replaces: [], replacesTo: 0 },
  ]);
});

test("new units are merged with small older segments", () => {
  const [big, small, smaller, added] = segments(1000, 30, 12, 10);
  expect(planIndex([big!, small!, smaller!, unindexed(added!)])).toEqual([
    { from: 1001, to: 1052, units: 52, replaces: [2, 3], replacesTo: 1042 },
  ]);
});

test("a full segment is never merged", () => {
  const [full, added] = segments(fullSegment - 5, fullSegment);
  expect(planIndex([full!, unindexed(added!)])[0]?.replaces).toEqual([]);
});

test("a segment whose rows have changed is rebuilt", () => {
  const [first, second, third] = segments(1000, 100, 1000);
  expect(planIndex([first!, stale(second!), third!])).toEqual([
    { from: 1001, to: 1100, units: 100, replaces: [2], replacesTo: 1100 },
  ]);
});

test("a segment whose rows are all gone is removed", () => {
  const [first, second] = segments(1000, 100);
  expect(planIndex([first!, { ...stale(second!), units: 0 }])).toEqual([
    { from: 1001, to: 1100, units: 0, replaces: [2], replacesTo: 1100 },
  ]);
});

test("adding a few units at a time keeps few segments and indexes each unit a few times", () => {
  let known: KnownRange[] = [];
  let indexed = 0;
  for (let at = 0; at < 500; at++) {
    const from = at * 20 + 1;
    const plan = planIndex([...known, { from, to: from + 19, segmentId: null, units: 20, stale: true }]);
    for (const range of plan) {
      indexed += range.units;
      known = known.filter(({ segmentId }) => !range.replaces.includes(segmentId!));
      known.push({ ...range, segmentId: at + 1, stale: false });
    }
    expect(known.length).toBeLessThan(12);
  }
  expect(known.reduce((sum, { units }) => sum + units, 0)).toBe(10_000);
  expect(indexed / 10_000).toBeLessThan(12);
});
