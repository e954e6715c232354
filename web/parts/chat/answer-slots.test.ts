import { expect, test } from "vitest";
import { takeAnswerSlot } from "./answer-slots.ts";

const never = new AbortController().signal;
/** Locks are granted in the order of requests, so an answer about them comes after what was to be granted. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await navigator.locks.query();
};

test("three answers are written at once, and a fourth begins when one of them ends, whichever it is", async () => {
  const held = await Promise.all([takeAnswerSlot(never), takeAnswerSlot(never), takeAnswerSlot(never)]);
  const begun: string[] = [];
  const waiting = ["fourth", "fifth"].map(async (name) => {
    const release = await takeAnswerSlot(never);
    begun.push(name);
    return release;
  });
  await settle();
  expect(begun).toEqual([]);
  held[1]!();
  await settle();
  expect(begun).toEqual(["fourth"]);
  held[0]!();
  held[2]!();
  for (const release of await Promise.all(waiting)) release();
  await settle();
  // Nothing is left locked by those who waited in several queues.
  const again = await Promise.all([takeAnswerSlot(never), takeAnswerSlot(never), takeAnswerSlot(never)]);
  for (const release of again) release();
});

test("an answer that is stopped while it waits gives up its place", async () => {
  const held = await Promise.all([takeAnswerSlot(never), takeAnswerSlot(never), takeAnswerSlot(never)]);
  const leaving = new AbortController();
  const waiting = takeAnswerSlot(leaving.signal);
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  for (const release of held) release();
  await settle();
  const again = await Promise.all([takeAnswerSlot(never), takeAnswerSlot(never), takeAnswerSlot(never)]);
  for (const release of again) release();
});
