import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import type { MeasuredStyle } from "./style-groups.ts";
import { takeStyleThread } from "./style-thread.ts";
import type { PackedMessages } from "./style-worker.ts";

const page = (...texts: string[]): PackedMessages => ({
  chatId: 1,
  contactId: 1,
  person: 1,
  texts: new TextEncoder().encode(JSON.stringify(texts)),
  sentAt: Float64Array.from(texts, (_, at) => at * 86_400_000),
  fromOwner: Uint8Array.from(texts, () => 1),
  said: Uint8Array.from(texts, () => 0),
});

async function measure({ worker }: ReturnType<typeof takeStyleThread>, ...texts: string[]): Promise<MeasuredStyle> {
  worker.postMessage(page(...texts));
  await once(worker, "message");
  worker.postMessage(null);
  return (await once(worker, "message"))[0];
}

afterEach(() => vi.unstubAllEnvs());

test("a thread under `npm run dev` posts only its results", async () => {
  vi.stubEnv("WATCH_REPORT_DEPENDENCIES", "1");
  const thread = takeStyleThread();
  expect((await measure(thread, "Привет!")).style.messages).toBe(1);
  await thread.end();
});

test("a reused thread remembers nothing of the previous history, and two histories use separate threads", async () => {
  const first = takeStyleThread();
  expect((await measure(first, "Привет!", "Уже иду.")).style.messages).toBe(2);
  first.giveBack();
  await first.end();

  const second = takeStyleThread();
  const beside = takeStyleThread();
  expect(second.worker).toBe(first.worker);
  expect(beside.worker).not.toBe(second.worker);
  const [measured, other] = await Promise.all([measure(second, "Ладно"), measure(beside, "да", "нет", "да")]);
  expect([measured.style.messages, other.style.messages]).toEqual([1, 3]);
  second.giveBack();
  beside.giveBack();
  await Promise.all([second.end(), beside.end()]);
  expect(beside.worker.threadId).toBe(-1);

  // A failed thread is not handed out again.
  const third = takeStyleThread();
  expect(third.worker).toBe(second.worker);
  third.worker.postMessage({});
  await expect(third.died).rejects.toThrow();
  await third.end();
  const fourth = takeStyleThread();
  expect(fourth.worker).not.toBe(third.worker);
  // A thread that exits without an error is not awaited.
  await fourth.worker.terminate();
  await expect(fourth.died).rejects.toThrow("has left");
  await fourth.end();
});
