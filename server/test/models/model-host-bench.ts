/** The process in which local models run. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Asking, type Generation, ModelHost, type ModelHostOptions } from "#server/models/host/model-host.ts";
import { createLog } from "#server/platform/log.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyChatModel, writeTinyReader } from "#server/test/models/tiny-model.ts";

export const CONTEXT = 2048;
export const calm: AbortSignal = new AbortController().signal;
export const by = (organizationId: string, signal = calm): Asking => ({
  asker: { organizationId, userId: `user of ${organizationId}` },
  signal,
});
export const asked = (over: Partial<Generation> = {}): Generation => ({
  turns: [
    { role: "system", content: "Ты кот" },
    { role: "user", content: "Привет! Как дела?" },
  ],
  ...{ maxTokens: 24, temperature: 0, seed: 1, stop: [], grammar: null },
  ...over,
});
/** Long enough for whatever happens meanwhile. */
export const LONG = asked({ maxTokens: 1500 });

export async function textOf(host: ModelHost, generation = asked(), asking = by("a")): Promise<string> {
  let text = "";
  for await (const delta of host.generate(generation, asking)) text += delta;
  return text;
}

export let folder: string;
export let chat: { path: string; contextTokens: number };
let reader: { path: string; contextTokens: number };

export const hosts: ModelHost[] = [];
export function hostOf(over: Partial<ModelHostOptions> = {}): ModelHost {
  const host = new ModelHost({
    load: { generator: chat, embedder: reader, reranker: reader, threads: 1 },
    memoryBytes: 2 * 1024 ** 3,
    log: createLog("silent"),
    ...over,
    limits: { restMs: 50, ...over.limits },
  });
  hosts.push(host);
  return host;
}
export const missing = noLlama();

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareModelHost(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dt-models-"));
    chat = { path: join(folder, "chat.gguf"), contextTokens: CONTEXT };
    reader = { path: join(folder, "multilingual-e5.gguf"), contextTokens: 512 };
    await writeTinyChatModel(chat.path);
    await writeTinyReader(reader.path);
  });
  afterAll(() => rm(folder, { recursive: true }));
}
