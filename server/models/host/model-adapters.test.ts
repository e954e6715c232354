import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type AdapterBench, openAdapterBench } from "#server/test/models/adapter-bench.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyAdapter } from "#server/test/models/tiny-adapter.ts";

// The model processes load models while other tests run.
const missing = noLlama();

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
describe.skipIf(missing !== null)(`adapters${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let folder: AdapterBench["folder"];
  let first: AdapterBench["first"];
  let second: AdapterBench["second"];
  let ask: AdapterBench["ask"];
  let close: AdapterBench["close"];
  beforeAll(async () => {
    ({ folder, first, second, ask, close } = await openAdapterBench());
  });
  afterAll(() => close());

  test("what was read with one adapter is not reused with another, nor after another was used", async () => {
    const secret = "Код от домофона сорок два, ключ под ковриком";
    await ask(first, secret);
    // Repeated words are mostly reused from the context, which must never happen across adapters.
    expect((await ask(first, secret)).reused).toBeGreaterThan(10);
    expect((await ask(second, secret, "b")).reused).toBe(0);
    expect((await ask(first, secret)).reused).toBe(0);
    // The context is not reused without an adapter either.
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
});
