// Search by meaning for a bench: a model's file, or an OpenAI-compatible address with the model's name behind `#`.
import type { Log } from "#server/log.ts";
import { openLocalModels } from "#server/models/local-models.ts";
import { createEmbedder } from "#server/search/meaning/embedder.ts";
import { localEmbedder } from "#server/search/meaning/local-embedder.ts";
import { createMeanings, type Meanings } from "#server/search/meaning/meanings.ts";

/** Patient: what is measured is how well it finds, not how soon. */
const TIMEOUT_MS = 30_000;

export async function openMeanings(given: string, log: Log): Promise<Meanings> {
  const options = { timeoutMs: TIMEOUT_MS, inDatabase: false, log };
  if (!given.endsWith(".gguf")) {
    const [baseUrl, model = "model"] = given.split("#") as [string, string?];
    return createMeanings(createEmbedder({ baseUrl, apiKey: null, model, foreign: false }), options);
  }
  const files = { generator: null, embedder: given, reranker: null, threads: 2, contextTokens: 512 };
  const host = await openLocalModels({ ...files, timeoutSeconds: 600, embeddingTimeoutMs: TIMEOUT_MS }, log);
  return createMeanings(localEmbedder(host!, given), options);
}
