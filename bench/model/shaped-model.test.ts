import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { openHost } from "./asked-models.ts";
import { type Shape, writeShapedModel } from "./shaped-model.ts";
import { TimedHost } from "./timed-host.ts";
import { readVocabulary } from "./vocabulary.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-shaped-"));
});
afterAll(() => rm(folder, { recursive: true }));

const SMALL: Shape = { layers: 2, width: 256, heads: 4, keptHeads: 2, headWidth: 64, feed: 512 };
const missing = noLlama();

test.skipIf(missing !== null)(
  `a file of random weights with a real architecture's shape is loaded and writes to the given length${missing === null ? "" : `: skipped, ${missing}`}`,
  async () => {
    const [tiny, path] = [join(folder, "tiny.gguf"), join(folder, "shaped.gguf")];
    await writeTinyChatModel(tiny);
    await writeShapedModel(path, SMALL, tiny);
    const vocabulary = await readVocabulary(path);
    expect(vocabulary.entries.equals((await readVocabulary(tiny)).entries)).toBe(true);
    // Four and a half bits a weight, not thirty-two.
    expect((await stat(path)).size).toBeLessThan(2_000_000);
    const options = { log: createLog("silent"), threads: 1, priority: 0 };
    const host = (await openHost(path, options, TimedHost)) as TimedHost;
    host.tokenLimit = 8;
    try {
      const asking = { asker: { organizationId: "o", userId: "u" }, signal: new AbortController().signal };
      const turns = [{ role: "user" as const, content: "привет" }];
      const generation = { turns, maxTokens: 100, temperature: 0, seed: 1, stop: [], grammar: null };
      for (let time = 0; time < 2; time++) for await (const _ of host.generate(generation, asking));
      expect(host.timed.map(({ output }) => output)).toEqual([8, 8]);
      expect(host.timed.map(({ anew }) => anew)).toEqual([1, 0]);
    } finally {
      await host.end();
    }
  },
  180_000,
);
