import { expect, test } from "vitest";
import { FairSlots } from "./fair-slots.ts";
import { ReadingLimitExceeded, ReadingThreads } from "./threads.ts";

const file = new URL("../../test/processes/threads/odd-reader.ts", import.meta.url);
const threads = (withinMs = 60_000) => new ReadingThreads<string, number>({ file, withinMs });

test("a reader that never ends is stopped, and the next text is read all the same", async () => {
  const within = threads(1_000);
  await expect(within.read("org", "forever")).rejects.toBeInstanceOf(ReadingLimitExceeded);
  await expect.poll(() => within.read("org", "length").catch(() => 0), { timeout: 20_000 }).toBe(6);
});

test("a reader that takes all memory ends its thread and not the process", async () => {
  const few = threads();
  await expect(few.read("org", "hoard")).rejects.toBeInstanceOf(ReadingLimitExceeded);
  expect(await few.read("org", "length")).toBe(6);
});

test("a reader's own error is passed on unchanged", async () => {
  await expect(threads().read("org", "refuse")).rejects.toThrow("not a letter");
});

test("organisations take turns: a thousand emails of one delay another's by one email", async () => {
  const turns = new FairSlots(2);
  const order: string[] = [];
  const step = (name: string, whose: string) =>
    turns.take(whose, async () => {
      order.push(name);
      await new Promise((resolve) => setTimeout(resolve, 1));
    });
  const flood = Array.from({ length: 20 }, (_, at) => step(`a${at}`, "a"));
  await Promise.all([...flood, step("b0", "b"), step("b1", "b"), step("c0", "c")]);
  for (const name of ["b0", "b1", "c0"]) expect(order.indexOf(name)).toBeLessThan(6);
  expect(order.filter((name) => name.startsWith("a"))).toEqual(Array.from({ length: 20 }, (_, at) => `a${at}`));
});

test("one organisation never takes all slots, so another one begins at once", async () => {
  const turns = new FairSlots(2);
  const held = Promise.withResolvers<void>();
  const hostile = [turns.take("a", () => held.promise), turns.take("a", () => held.promise)];
  expect(await turns.take("b", async () => "read")).toBe("read");
  held.resolve();
  await Promise.all(hostile);
});
