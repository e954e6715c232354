import { copyFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createLog } from "#server/log.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyAdapter } from "#server/test/models/tiny-adapter.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { type Asking, type Generated, type Generation, ModelHost } from "../model-host.ts";

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

  test.runIf(process.platform === "linux")(
    "memory does not grow with the number of adapters that were used",
    async () => {
      const path = join(folder, "wide");
      // Such a piece of memory goes back to the system when it is freed.
      await writeTinyAdapter(path, { rank: 12_000 });
      const { size } = await stat(path);
      expect(size).toBeGreaterThan(40 * 1024 ** 2);
      const resident: number[] = [];
      for (let one = 0; one < 3; one++) {
        const copy = `${path} ${one}`;
        await copyFile(path, copy);
        expect((await ask(copy, "Да", "a", 1)).adapted).toBe(true);
        resident.push(Number((await readFile(`/proc/${host.pid}/statm`, "utf8")).split(" ")[1]) * 4096);
        await rm(copy);
      }
      expect(resident[2]! - resident[0]!).toBeLessThan(1.2 * size);
    },
  );
});
