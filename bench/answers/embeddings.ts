// Search by meaning for a bench: a model's file, or an OpenAI-compatible address with the model's name behind `#`.

import { createEmbedder } from "#server/knowledge/embeddings/embedder.ts";
import { localEmbedder } from "#server/knowledge/embeddings/local-embedder.ts";
import { createQueryEmbedder, type QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { openLocalModels } from "#server/models/local/local-models.ts";
import type { Log } from "#server/platform/log.ts";

/** Patient: what is measured is how well it finds, not how soon. */
const TIMEOUT_MS = 30_000;

export async function openEmbeddings(given: string, log: Log): Promise<QueryEmbedder> {
  const options = { timeoutMs: TIMEOUT_MS, inDatabase: false, log };
  if (!given.endsWith(".gguf")) {
    const [baseUrl, model = "model"] = given.split("#") as [string, string?];
    return createQueryEmbedder(createEmbedder({ baseUrl, apiKey: null, model, foreign: false }), options);
  }
  const files = { generator: null, embedder: given, reranker: null, threads: 2, contextTokens: 512 };
  const host = await openLocalModels(
    { ...files, timeoutSeconds: 600, embeddingTimeoutMs: TIMEOUT_MS, rerankerTimeoutMs: TIMEOUT_MS },
    log,
  );
  return createQueryEmbedder(localEmbedder(host!, given), options);
}
