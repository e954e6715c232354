/** Embedder of the model on this machine: works like a remote one, but no text leaves the server, so nothing is redacted. */
import { ModelFailure } from "#server/models/host/failures.ts";
import type { ModelHost } from "#server/models/host/model-host.ts";
import { type Embedder, EmbeddingFailure, LONGEST_TEXT } from "./embedder.ts";

/** Questions and background learning alternate at the model, so a question waits for one text, not for the whole batch. */
const asker = (name: "questions" | "learning") => ({ organizationId: name, userId: name });

export function localEmbedder(host: ModelHost, model: string): Embedder {
  return {
    model,
    async embed(texts, signal, roles = "query") {
      const asking = { asker: asker(texts.length === 1 ? "questions" : "learning"), signal };
      try {
        const asked = texts.map((text, at) => ({
          text: text.slice(0, LONGEST_TEXT),
          role: typeof roles === "string" ? roles : roles[at]!,
        }));
        const { vectors, tokens } = await host.embed(asked, asking);
        return { vectors: vectors.map((vector) => Array.from(vector)), tokens };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelFailure)) throw error;
        throw new EmbeddingFailure(error.message, error.reason === "missing" ? 404 : undefined, error.retryAfter);
      }
    },
  };
}
