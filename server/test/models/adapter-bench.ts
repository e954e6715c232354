/** A tiny chat model with two adapters, in a process of its own: what tests of adapters start from. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Asking, type Generated, type Generation, ModelHost } from "#server/models/host/model-host.ts";
import { createLog } from "#server/platform/log.ts";
import { writeTinyAdapter } from "./tiny-adapter.ts";
import { writeTinyChatModel } from "./tiny-model.ts";

export const asking = (organizationId: string): Asking => ({
  asker: { organizationId, userId: `user of ${organizationId}` },
  signal: new AbortController().signal,
});

export type AdapterBench = Awaited<ReturnType<typeof openAdapterBench>>;

export async function openAdapterBench() {
  const folder = await mkdtemp(join(tmpdir(), "dt-adapters-"));
  const path = join(folder, "chat.gguf");
  await writeTinyChatModel(path);
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  await writeTinyAdapter(first, { seed: 1 });
  await writeTinyAdapter(second, { seed: 2 });
  const host = new ModelHost({
    load: { generator: { path, contextTokens: 2048 }, embedder: null, reranker: null, threads: 1 },
    memoryBytes: 2 * 1024 ** 3,
    log: createLog("silent"),
  });
  return {
    ...{ folder, host, first, second },
    async ask(
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
    },
    async close() {
      await host.end();
      await rm(folder, { recursive: true });
    },
  };
}
