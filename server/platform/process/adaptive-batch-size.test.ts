import { expect, test } from "vitest";
import { AdaptiveBatchSize } from "./adaptive-batch-size.ts";

test("while the foreground is idle a batch takes half a tenth of a second at most, and is tried with a part of its largest size first", () => {
  const portion = new AdaptiveBatchSize(400, { throttle: { isForegroundActive: false } });
  expect(portion.rows).toBe(100);
  portion.record(100, 20);
  expect(portion.rows).toBe(250);
  portion.record(400, 900);
  expect(portion.rows).toBe(25);
  for (let at = 0; at < 20; at++) portion.record(portion.rows, 0.1);
  expect(portion.rows).toBe(400);
});

test("work on a connection of its own may take longer while the foreground is idle", () => {
  const portion = new AdaptiveBatchSize(400, { idlePieceMs: Infinity, throttle: { isForegroundActive: false } });
  portion.record(400, 900);
  expect(portion.rows).toBe(400);
});

test("while people are about a portion takes a few milliseconds by what the one before has taken", () => {
  const portion = new AdaptiveBatchSize(400, { throttle: { isForegroundActive: true } });
  expect(portion.rows).toBe(25);
  portion.record(10, 1);
  expect(portion.rows).toBe(60);
});

test("one slow piece makes the next small, and quicker ones make them larger again step by step", () => {
  const portion = new AdaptiveBatchSize(400, { throttle: { isForegroundActive: true } });
  portion.record(100, 20);
  expect(portion.rows).toBe(30);
  const sizes = [1, 2, 3].map(() => {
    portion.record(portion.rows, 0.1);
    return portion.rows;
  });
  expect(sizes).toEqual([37, 46, 58]);
});

test("a portion is neither larger than the work allows nor so small that it does nothing else than begin and end", () => {
  const portion = new AdaptiveBatchSize(400, { throttle: { isForegroundActive: true } });
  portion.record(400, 0.01);
  expect(portion.rows).toBe(400);
  portion.record(1, 1000);
  expect(portion.rows).toBe(25);
});

test("work whose pieces cost little less when they are smaller sets its own least size", () => {
  const portion = new AdaptiveBatchSize(400, { minRows: 125, throttle: { isForegroundActive: true } });
  portion.record(25, 1000);
  expect(portion.rows).toBe(125);
});

test("a piece without rows tells nothing about how long one takes", async () => {
  const portion = new AdaptiveBatchSize(400, { throttle: { isForegroundActive: true } });
  portion.record(10, 1);
  expect(
    await portion.measure(
      async () => "nothing",
      () => 0,
    ),
  ).toBe("nothing");
  expect(portion.rows).toBe(60);
});
