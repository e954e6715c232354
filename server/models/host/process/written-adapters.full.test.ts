/** Adapters of a local model: one test per way of using them. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type AdapterBench, asking, openAdapterBench } from "#server/test/models/adapter-bench.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyAdapter } from "#server/test/models/tiny-adapter.ts";

// The model processes load models while other tests run.
const missing = noLlama();

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
describe.skipIf(missing !== null)(`adapters${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let folder: AdapterBench["folder"];
  let host: AdapterBench["host"];
  let first: AdapterBench["first"];
  let second: AdapterBench["second"];
  let ask: AdapterBench["ask"];
  let close: AdapterBench["close"];
  beforeAll(async () => {
    ({ folder, host, first, second, ask, close } = await openAdapterBench());
  });
  afterAll(() => close());

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
    // The file is restored, but the context that was read with it is not used again.
    await writeTinyAdapter(leaving, { seed: 7 });
    const again = await ask(leaving, said);
    expect({ ...again, reused: 0 }).toEqual({ ...before, reused: 0 });
    expect(again.reused).toBe(0);
    expect(host.pid).toBe(pid);
  });
});
