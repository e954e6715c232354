import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { ModelFailure } from "#server/models/host/failures.ts";
import { ModelHost } from "#server/models/host/model-host.ts";
import { createLog } from "#server/platform/log.ts";
import { localReranker, RERANKED } from "./reranker.ts";

const log = createLog("silent");
const asker = { organizationId: "o", userId: "u" };
const TEXTS = Array.from({ length: RERANKED + 10 }, (_, at) => `Отрывок ${at}`);

/** A host with a fixed time per text that records how many texts it was asked for. */
function timedHost(msEach: number, loadMs = 0) {
  const asked: number[] = [];
  const host = {
    facts: async (signal: AbortSignal) => {
      if (loadMs > 0) await after(loadMs, null, { signal });
      return { threads: 1, generator: null, embedder: null, reranker: { contextTokens: 512 } };
    },
    rerank: async (_query: string, texts: readonly string[], { signal }: { signal: AbortSignal }) => {
      asked.push(texts.length);
      if (msEach > 0) await after(msEach * texts.length, null, { signal });
      return texts.map((_, at) => at / texts.length);
    },
  };
  return { host, asked };
}

test("the first hits are scored within the time limit, and a slow machine scores fewer the next time", async () => {
  const quick = timedHost(0);
  expect(await localReranker({ ...quick, timeoutMs: 1000, log }).scores("?", TEXTS, asker)).toHaveLength(RERANKED);
  const slow = timedHost(30);
  const reranker = localReranker({ ...slow, timeoutMs: 250, log });
  const begun = performance.now();
  expect(await reranker.scores("?", TEXTS, asker)).toBeNull();
  expect(performance.now() - begun).toBeLessThan(2000);
  for (let tries = 0; tries < 3 && slow.asked.at(-1)! > 5; tries++) await reranker.scores("?", TEXTS, asker);
  expect(slow.asked).toEqual([20, 10, 5]);
  expect(await reranker.scores("?", TEXTS, asker)).not.toBeNull();
});

test("no request waits for the loading of the model beyond the time limit, and loading does not count as slow", async () => {
  const { host, asked } = timedHost(0, 300);
  const reranker = localReranker({ host, timeoutMs: 20, log });
  expect(await reranker.scores("?", TEXTS, asker)).toBeNull();
  expect(asked).toEqual([]);
});

test("after three failures the model is left alone for half a minute", async () => {
  let asked = 0;
  let now = 0;
  const { host } = timedHost(0);
  const rerank = async () => {
    asked++;
    throw new ModelFailure("unavailable");
  };
  const reranker = localReranker({ host: { ...host, rerank }, timeoutMs: 1000, log, now: () => now });
  for (let tries = 0; tries < 5; tries++) expect(await reranker.scores("?", TEXTS, asker)).toBeNull();
  expect(asked).toBe(3);
  now = 31_000;
  await reranker.scores("?", TEXTS, asker);
  expect(asked).toBe(4);
});

test("the end of the process is a failure of the reranker alone", async () => {
  const program = new URL("../../test/models/odd-host.ts", import.meta.url);
  for (const path of ["ends", "missing", "rubbish", "mute"]) {
    const load = { generator: { path, contextTokens: 64 }, embedder: null, reranker: null, threads: 1 };
    const host = new ModelHost({ load, memoryBytes: 1e9, log, program, limits: { priority: 0, restMs: 1 } });
    expect(await localReranker({ host, timeoutMs: 1500, log }).scores("?", TEXTS, asker)).toBeNull();
    await host.end();
  }
});
