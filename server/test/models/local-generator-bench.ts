/** What tests of answers by a model on this machine start from: a request, a tiny model, and hosts that end with their test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { ModelAbility } from "#contract/models/remote-model.ts";
import { localGenerator } from "#server/answers/replies/local-generator.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { ModelHost, type ModelHostOptions } from "#server/models/host/model-host.ts";
import { createLog } from "#server/platform/log.ts";
import { writeTinyChatModel } from "./tiny-model.ts";

export const chunk = (text: string): ReplyChunk => ({
  ...{ id: text, documentId: "d", name: "Доставка", heading: "", text, score: 1 },
  sentences: [{ text, score: 1 }],
});
export const asked = (over: Partial<ReplyRequest> = {}): ReplyRequest => ({
  twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Сколько стоит доставка?", history: [], replyExamples: [] },
  chunks: [chunk("Доставка стоит 350 рублей.")],
  confidence: { chunks: 0.9, replyExamples: 0 },
  plan: { kind: "knowledge", confidence: 0.9, reason: "Ответ найден в документе «Доставка»." },
  payer: { organizationId: "o", userId: "u", twinId: "t" },
  ...over,
});
export const calm: AbortSignal = new AbortController().signal;

export const generatorOf = (host: ModelHost, ability: ModelAbility = "answers") =>
  localGenerator({ host, log: createLog("silent"), totalMs: 60_000, ability: () => ability });

export async function reply(generator: ReturnType<typeof localGenerator>, request: ReplyRequest): Promise<string> {
  let text = "";
  for await (const delta of generator.generate(request, calm)) text += delta;
  return text;
}

export interface TinyModel {
  folder: string;
  /** The model's file. */
  path: string;
  /** @param model another file than the tiny one */
  hostOf(model?: string, over?: Partial<ModelHostOptions>): ModelHost;
}

/** To be called at the top of a test file: the folder lives as long as its tests. */
export function prepareTinyModel(): TinyModel {
  const hosts: ModelHost[] = [];
  const bench: TinyModel = {
    folder: "",
    path: "",
    hostOf(model = bench.path, over = {}) {
      const load = { generator: { path: model, contextTokens: 8192 }, embedder: null, reranker: null, threads: 1 };
      const limits = { priority: 0, restMs: 50 };
      const host = new ModelHost({ load, memoryBytes: 2 * 1024 ** 3, log: createLog("silent"), limits, ...over });
      hosts.push(host);
      return host;
    },
  };
  beforeAll(async () => {
    bench.folder = await mkdtemp(join(tmpdir(), "dt-local-"));
    bench.path = join(bench.folder, "chat.gguf");
    await writeTinyChatModel(bench.path);
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.end();
  });
  afterAll(() => rm(bench.folder, { recursive: true }));
  return bench;
}
