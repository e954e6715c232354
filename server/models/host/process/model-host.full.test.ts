/** Model processes that hang, are killed or exceed their memory. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  asked,
  by,
  calm,
  hostOf,
  hosts,
  LONG,
  missing,
  prepareModelHost,
  textOf,
} from "#server/test/models/model-host-bench.ts";
import type { ModelHost, ModelHostOptions } from "../model-host.ts";

prepareModelHost();

describe.skipIf(missing !== null)(`local models${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let host: ModelHost;
  beforeAll(() => {
    host = hostOf({ limits: { nextTokenMs: 2000 } });
  });
  afterAll(async () => {
    for (const one of hosts) await one.end();
  });

  test("the same turns and seed give the same text, in deltas", async () => {
    const deltas: string[] = [];
    for await (const delta of host.generate(asked(), by("a"))) deltas.push(delta);
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.join("")).toMatch(/^[а-я. ]{20,}$/);
    expect(await textOf(host)).toBe(deltas.join(""));
    const warm = asked({ temperature: 1, seed: 5 });
    expect(await textOf(host, warm)).toBe(await textOf(host, warm));
    expect(await textOf(host, { ...warm, seed: 6 })).not.toBe(await textOf(host, warm));
  });

  test("requests beyond the queue are refused with a time, and waiting for a turn is limited", async () => {
    const leaving = new AbortController();
    const waiting = Array.from({ length: 5 }, (_, at) => textOf(host, LONG, by(`${at % 2}`, leaving.signal)));
    const refused = textOf(host, LONG, by("1", leaving.signal)).then(() => textOf(host, LONG, by("1")));
    const more = Array.from({ length: 3 }, () => textOf(host, LONG, by("0")).catch((error: unknown) => error));
    expect(await Promise.race(more)).toMatchObject({ name: "ModelFailure", reason: "busy", retryAfter: 20 });
    leaving.abort(new Error("left"));
    await Promise.allSettled([...waiting, refused, ...more]);
  });

  test.skipIf(process.platform === "win32")(
    "a process that hangs is ended when no token comes in its time",
    async () => {
      await host.facts(calm);
      const hung = (async () => {
        for await (const _ of host.generate(LONG, by("a"))) process.kill(host.pid!, "SIGSTOP");
      })();
      const begun = performance.now();
      await expect(hung).rejects.toMatchObject({ reason: "hung" });
      // The missing token ends it: the limit for a heartbeat is ten times as long.
      expect(performance.now() - begun).toBeLessThan(10_000);
    },
  );
});

describe("a process that misbehaves", () => {
  const odd = (how: string, limits: ModelHostOptions["limits"] = {}) =>
    hostOf({
      program: new URL("../../../test/models/odd-host.ts", import.meta.url),
      load: { generator: { path: how, contextTokens: 64 }, embedder: null, reranker: null, threads: 1 },
      limits: { restMs: 60_000, ...limits },
    });

  test.each([
    ["ends", "crashed", "resting"],
    ["rubbish", "malformed", "resting"],
    ["missing", "missing", "missing"],
  ])("one that %s fails as %s, and is not begun at once again", async (how, reason, then) => {
    const host = odd(how);
    await expect(textOf(host)).rejects.toMatchObject({ reason });
    await expect(textOf(host)).rejects.toMatchObject({ reason: then });
    await host.end();
  });

  test("one without a sign of life is ended, though it may take its time for an answer", async () => {
    const host = odd("mute", { silentMs: 4000, nextTokenMs: 60_000 });
    await expect(textOf(host)).rejects.toMatchObject({ reason: "hung" });
    await host.end();
  });
});
