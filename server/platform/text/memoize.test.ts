import { expect, test } from "vitest";
import { estimateTextBytes, memoize, memoizeByObject } from "./memoize.ts";

test("what is asked again and again is computed once, however many others come in between", () => {
  const computed: string[] = [];
  const known = memoize(10, (text) => {
    computed.push(text);
    return text.length;
  });
  for (let at = 0; at < 100; at++) {
    expect(known("часто")).toBe(5);
    known(`редко ${at}`);
  }
  expect(computed.filter((text) => text === "часто")).toHaveLength(1);
});

test("results are bounded by what they weigh, so that long words push others out earlier than short ones", () => {
  const kept = (word: (at: number) => string) => {
    let computed = 0;
    const known = memoize(100 * estimateTextBytes("а"), () => ++computed, estimateTextBytes);
    for (let at = 0; at < 150; at++) known(word(at));
    computed = 0;
    for (let at = 149; at >= 0; at--) known(word(at));
    return 150 - computed;
  };
  const short = kept((at) => String.fromCharCode(0x430 + at));
  const long = kept((at) => String.fromCharCode(0x430 + at).repeat(40));
  expect(short).toBeGreaterThanOrEqual(100);
  expect(long).toBeLessThan(60);
});

test("a result may be nothing", () => {
  let computed = 0;
  const known = memoize(10, () => {
    computed++;
    return null;
  });
  known("а");
  known("а");
  expect(computed).toBe(1);
});

test("what is derived from an object is computed once, even if it is nothing, and is not taken for what a changed copy gives", () => {
  let computed = 0;
  const total = memoizeByObject(({ items }: { items: readonly number[] }) => {
    computed++;
    return items.length === 0 ? null : items.reduce((sum, item) => sum + item);
  });
  const [order, empty] = [{ items: [350, 150] }, { items: [] }];
  expect([total(order), total(order), total(empty), total(empty)]).toEqual([500, 500, null, null]);
  expect(computed).toBe(2);
  expect(total({ ...order, items: [1] })).toBe(1);
  expect(JSON.stringify(order)).toBe('{"items":[350,150]}');
});
