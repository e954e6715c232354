import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waitForRoom } from "./wait-for-room.ts";

const MEGABYTE = 2 ** 20;

test("a start waits for room, says so once, and goes on without help", async () => {
  const free = [0, 10 * MEGABYTE, 47 * MEGABYTE, 48 * MEGABYTE];
  const said: string[] = [];
  await waitForRoom("/data", {
    say: (line) => said.push(line),
    freeBytes: async () => free.shift()!,
    lookMs: 0,
  });
  expect(free).toEqual([]);
  expect(said).toEqual([
    "На диске с /data свободно 0\u00a0байт, для запуска нужно 48\u00a0МБ. Освободите место: запуск продолжится сам.",
  ]);
});

test("a folder that does not exist yet is looked for where it will be", async () => {
  const said: string[] = [];
  await waitForRoom(join(tmpdir(), "not", "there", "yet"), { say: (line) => said.push(line) });
  expect(said).toEqual([]);
});
