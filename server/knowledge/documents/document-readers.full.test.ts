/** Replaced reader processes, and documents that unpack to too much data. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { prepareReaders, readersWith, rules } from "#server/test/knowledge/document-readers-bench.ts";

prepareReaders();

test("a process reads several documents, is renewed after some, and leaves when it has nothing to do", async () => {
  const readers = readersWith({ documents: 2, idleMs: 300 });
  const pidAfter = async () => {
    await readers.read("one", "rules.pdf", [rules()]);
    return readers.idlePids[0];
  };
  const first = await pidAfter();
  expect(first).toBeGreaterThan(0);
  expect(await pidAfter()).toBeUndefined();
  const second = await pidAfter();
  expect(second).not.toBe(first);
  await pause(600);
  expect(readers.idlePids).toEqual([]);
});
