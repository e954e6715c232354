// The models that a benchmark is given: files, run in the same way as by the server, and OpenAI-compatible endpoints.
import { basename } from "node:path";
import type { Generator } from "#server/answers/replies/generator.ts";
import { llmGenerator } from "#server/answers/replies/llm-generator.ts";
import { localGenerator } from "#server/answers/replies/local-generator.ts";
import { ModelHost, type ModelHostOptions } from "#server/models/host/model-host.ts";
import { checkModelFiles } from "#server/models/local/local-models.ts";
import type { Log } from "#server/platform/log.ts";

/** A generous time limit, so that a busy machine does not distort the measurement of the model. */
export const REPLY_MS = 600_000;
const PATIENCE = { firstTokenMs: REPLY_MS, nextTokenMs: REPLY_MS, silentMs: REPLY_MS, waitMs: REPLY_MS };

interface AskedModels {
  log: Log;
  /** Number of threads; with more than there are idle cores every token waits for the slowest thread. null: the server's default. */
  threads: number | null;
  /** The process's nice value. */
  priority: number;
  /** Characters for the variable part of the prompt; null: the server's default. */
  room: number | null;
}

export async function openHost(
  path: string,
  { log, threads, priority }: Omit<AskedModels, "room">,
  Host: new (options: ModelHostOptions) => ModelHost = ModelHost,
): Promise<ModelHost> {
  const { memoryBytes, ...models } = await checkModelFiles({
    ...{ generator: path, embedder: null, reranker: null, threads, contextTokens: 4096 },
    ...{ timeoutSeconds: REPLY_MS / 1000, embeddingTimeoutMs: 1000, rerankerTimeoutMs: REPLY_MS },
  });
  return new Host({ load: { ...models, threads }, memoryBytes, log, limits: { ...PATIENCE, priority } });
}

/** @param given each «FILE.gguf» or «URL#NAME» */
export async function askedModels(given: readonly string[], options: AskedModels): Promise<[string, Generator][]> {
  const asked: [string, Generator][] = [];
  for (const one of given) {
    if (one.endsWith(".gguf")) {
      const host = await openHost(one, options);
      const room = options.room === null ? {} : { room: options.room };
      asked.push([basename(one), localGenerator({ host, log: options.log, totalMs: REPLY_MS, ...room })]);
      continue;
    }
    const [baseUrl, model = "model"] = one.split("#") as [string, string?];
    const limits = { firstTokenMs: REPLY_MS, totalMs: REPLY_MS };
    asked.push([model, llmGenerator({ baseUrl, model, foreign: false, contextTokens: 16_384, ...limits })]);
  }
  return asked;
}
