import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createLog } from "#server/log.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyAdapter } from "#server/test/models/tiny-adapter.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { type Asking, type Generated, type Generation, ModelHost } from "./model-host.ts";

const asking = (organizationId: string): Asking => ({
  asker: { organizationId, userId: `user of ${organizationId}` },
  signal: new AbortController().signal,
});

// Its processes read models beside other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const missing = noLlama();
describe.skipIf(missing !== null)(`adapters${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let folder: string;
  let host: ModelHost;
  let first: string;
  let second: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dt-adapters-"));
    const path = join(folder, "chat.gguf");
    await writeTinyChatModel(path);
    first = join(folder, "first");
    second = join(folder, "second");
    await writeTinyAdapter(first, { seed: 1 });
    await writeTinyAdapter(second, { seed: 2 });
    host = new ModelHost({
      load: { generator: { path, contextTokens: 2048 }, embedder: null, reranker: null, threads: 1 },
      memoryBytes: 2 * 1024 ** 3,
      log: createLog("silent"),
    });
  });
  afterAll(async () => {
    await host.end();
    await rm(folder, { recursive: true });
  });

  async function ask(
    adapter: string | null,
    said = "Привет! Код от домофона сорок два",
    organizationId = "a",
    maxTokens = 24,
  ): Promise<Generated & { text: string }> {
    const turns: Generation["turns"] = [{ role: "user", content: said }];
    const task = { turns, maxTokens, temperature: 0, seed: 1, stop: [], grammar: null, adapter };
    const answer = host.generate(task, asking(organizationId));
    let text = "";
    for (;;) {
      const next = await answer.next();
      if (next.done) return { ...next.value, text };
      text += next.value;
    }
  }

  test("each adapter writes in its own way, always the same, and the model without one stays unchanged", async () => {
    const plain = await ask(null);
    expect(plain.adapted).toBeNull();
    const one = await ask(first);
    const other = await ask(second);
    expect([one.adapted, other.adapted]).toEqual([true, true]);
    expect(new Set([plain.text, one.text, other.text]).size).toBe(3);
    expect((await ask(first)).text).toBe(one.text);
    expect((await ask(null)).text).toBe(plain.text);
  });

  test("what was read with one adapter is not reused with another, nor after another was used", async () => {
    const secret = "Код от домофона сорок два, ключ под ковриком";
    await ask(first, secret);
    // The same words once more are mostly not read anew: this is what must not happen across adapters.
    expect((await ask(first, secret)).reused).toBeGreaterThan(10);
    expect((await ask(second, secret, "b")).reused).toBe(0);
    expect((await ask(first, secret)).reused).toBe(0);
    // Nor is it reused without an adapter.
    await ask(null, "Другое");
    await ask(first, secret);
    const { reused } = await ask(null, secret);
    const { reused: ofOwn } = await ask(null, secret);
    expect(reused).toBeLessThan(ofOwn);
  });

  test("an adapter that is missing, damaged or for another model costs no reply: the model answers without it and says so", async () => {
    const other = join(folder, "other");
    await writeTinyAdapter(other, { width: 32 });
    const damaged = join(folder, "damaged");
    await writeFile(damaged, (await readFile(first)).subarray(0, 500));
    const plain = await ask(null);
    for (const path of [other, damaged, join(folder, "nowhere")]) {
      const answer = await ask(path);
      expect({ path, adapted: answer.adapted, text: answer.text }).toEqual({ path, adapted: false, text: plain.text });
    }
    expect((await ask(first)).adapted).toBe(true);
  });

  test("a reply with an adapter that is deleted meanwhile ends well, and what was read with it is forgotten", async () => {
    const leaving = join(folder, "leaving");
    await writeTinyAdapter(leaving, { seed: 7 });
    const said = "Длинный разговор о том, что никому не скажут";
    const before = await ask(leaving, said);
    const { pid } = host;
    const long = { turns: [{ role: "user" as const, content: said }], maxTokens: 300, temperature: 0, seed: 1 };
    let deltas = 0;
    for await (const _ of host.generate({ ...long, stop: [], grammar: null, adapter: leaving }, asking("a"))) {
      if (deltas++ === 0) await rm(leaving);
    }
    expect(deltas).toBeGreaterThan(200);
    await expect.poll(async () => (await ask(leaving, said)).adapted, { timeout: 20_000, interval: 500 }).toBe(false);
    // The file comes back: what was read before is not there any more.
    await writeTinyAdapter(leaving, { seed: 7 });
    const again = await ask(leaving, said);
    expect({ ...again, reused: 0 }).toEqual({ ...before, reused: 0 });
    expect(again.reused).toBe(0);
    expect(host.pid).toBe(pid);
  });
});
