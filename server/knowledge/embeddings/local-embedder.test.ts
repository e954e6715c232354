import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ModelHost } from "#server/models/host/model-host.ts";
import { createLog } from "#server/platform/log.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyReader } from "#server/test/models/tiny-model.ts";
import { testApp } from "#server/test/test-app.ts";
import { localEmbedder } from "./local-embedder.ts";

const missing = noLlama();
const calm = new AbortController().signal;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-embedder-"));
});
afterAll(() => rm(folder, { recursive: true }));

test.skipIf(missing !== null)(
  `a twin learns what its knowledge means with a model file on this machine${missing === null ? "" : `: skipped, ${missing}`}`,
  async () => {
    const embedder = join(folder, "multilingual-e5-tiny.gguf");
    await writeTinyReader(embedder);
    const files = { generator: null, reranker: null, threads: 1, contextTokens: 4096, rerankerTimeoutMs: 300 };
    const t = await testApp({ modelFiles: { ...files, embedder, timeoutSeconds: 5, embeddingTimeoutMs: 60_000 } });
    try {
      const owner = await t.signUp();
      const { twinId } = await makeThings(t, owner);
      await t.jobsIdle();
      const { embeddings } = (await owner.get(`/api/digital-twins/${twinId}/training`)).json();
      expect(embeddings).toMatchObject({ ready: true, error: null });
      expect(embeddings.units).toBeGreaterThan(0);
      const asked = await t.services.queryEmbedder!.of("Сколько стоит доставка?");
      expect(asked).toMatchObject({ model: "file:multilingual-e5-tiny.gguf" });
      expect(Math.hypot(...asked!.vector)).toBeCloseTo(1, 5);
      const { embed } = t.services.queryEmbedder!.embedder;
      const [one, other] = (await embed(["доставка", "доставка"], calm, ["query", "passage"])).vectors;
      expect(one).not.toEqual(other);
    } finally {
      await t.close();
    }
  },
);

test("a failing model is a temporary failure of embeddings, and a missing one a permanent failure", async () => {
  const program = new URL("../../test/models/odd-host.ts", import.meta.url);
  for (const [path, passes] of [
    ["ends", true],
    ["missing", false],
  ] as const) {
    const load = { generator: { path, contextTokens: 64 }, embedder: null, reranker: null, threads: 1 };
    const host = new ModelHost({ load, memoryBytes: 1e9, log: createLog("silent"), program });
    const failed = localEmbedder(host, "file:x.gguf").embed(["текст"], calm);
    await expect(failed).rejects.toMatchObject({ passes, message: expect.stringContaining("local model") });
    await host.end();
  }
});
