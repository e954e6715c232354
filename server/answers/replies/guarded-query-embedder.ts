import { EmbeddingFailure } from "#server/knowledge/search/embeddings/embedder.ts";
import type { QueryEmbedder } from "#server/knowledge/search/embeddings/query-embedder.ts";

/**
 * The same embedder with a check before each request: where it throws, the search uses words alone. @param demand throws where the
 * request is forbidden
 */
export function guardedQueryEmbedder(queryEmbedder: QueryEmbedder, demand: () => Promise<void>): QueryEmbedder {
  const { embedder } = queryEmbedder;
  return {
    embedder: {
      model: embedder.model,
      async embed(texts, signal, roles) {
        await demand().catch((cause: unknown) => {
          // 403 keeps the caller from retrying.
          throw Object.assign(new EmbeddingFailure("only local models may be asked", 403), { cause });
        });
        return embedder.embed(texts, signal, roles);
      },
    },
    async of(text) {
      try {
        await demand();
      } catch {
        return null;
      }
      return queryEmbedder.of(text);
    },
  };
}
