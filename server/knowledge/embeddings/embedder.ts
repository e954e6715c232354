/** Client for the embeddings of an OpenAI-compatible server. */

import { createVault, redact } from "#server/knowledge/language/redact.ts";
import { prefixesFor } from "#server/models/host/embedding-prefixes.ts";
import type { TextRole } from "#server/models/host/protocol.ts";
import { isForeign } from "#server/models/remote/model-address.ts";
import { retryAfter, statusOf, summary } from "#server/models/remote/provider-errors.ts";

interface EmbedderSettings {
  /** Base URL with the version: https://api.openai.com/v1 */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** "auto": adds the prefix that the model's family expects (server/models/host/embedding-prefixes.ts); "none": the server adds it. */
  prefixes?: "auto" | "none";
  /** Whether phone numbers, cards and similar data are redacted; by default this depends on the address. */
  foreign?: boolean;
  /** Must follow no redirect. Absent: plain `fetch` without redirects. */
  fetch?: typeof fetch;
}

export interface EmbeddingResult {
  /** One vector per text, all of the same length, finite and not zero. */
  vectors: number[][];
  /** Token count from the server; undefined when it reports none. */
  tokens: number | undefined;
}

export interface Embedder {
  /** Embeddings of different models cannot be compared. */
  readonly model: string;
  /**
   * @param roles whether each text, or all of them, is a query or a passage; some models distinguish them. Default: query
   * @throws EmbeddingFailure; the signal's reason when aborted
   */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
    roles?: TextRole | readonly TextRole[],
  ): Promise<EmbeddingResult>;
}

/** The server returned no embeddings. The message quotes nothing that was sent, so it may be logged. */
export class EmbeddingFailure extends Error {
  readonly status: number | undefined;
  /** Seconds to wait, when the server asks for it. */
  readonly retryAfter: number | undefined;

  constructor(message: string, status?: number, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether a retry may succeed; with a rejected key or model it will not. */
  get passes(): boolean {
    return this.status === undefined || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Characters; of a longer text only the beginning is embedded. */
export const LONGEST_TEXT = 2000;

export function createEmbedder(settings: EmbedderSettings): Embedder {
  const { baseUrl, apiKey, model, foreign = isForeign(baseUrl) } = settings;
  const prefixes = prefixesFor(model);
  const open = async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({
      name: "embedding",
      baseURL: baseUrl,
      ...(apiKey === null ? {} : { apiKey }),
      // A redirect would send the key and the texts to an address that was not allowed.
      fetch: settings.fetch ?? ((input, init) => fetch(input, { ...init, redirect: "error" })),
    }).embeddingModel(model);
  };
  let opened: ReturnType<typeof open> | undefined;
  const sent = (text: string) => {
    const cut = text.slice(0, LONGEST_TEXT);
    // The placeholder is constant, so that its number does not change the embedding.
    return foreign ? redact(cut, createVault("000000")) : cut;
  };
  return {
    model,
    async embed(texts, signal, roles = "query") {
      signal.throwIfAborted();
      try {
        opened ??= open();
        const { embeddings, usage } = await (await opened).doEmbed({
          values: texts.map((text, at) => `${prefixes[typeof roles === "string" ? roles : roles[at]!]}${sent(text)}`),
          abortSignal: signal,
        });
        check(embeddings, texts.length);
        return { vectors: embeddings, tokens: usage?.tokens };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof EmbeddingFailure) throw error;
        throw new EmbeddingFailure(summary(error), statusOf(error), retryAfter(error));
      }
    },
  };
}

function check(vectors: readonly (readonly number[])[], texts: number): void {
  const dimensions = vectors[0]?.length ?? 0;
  const good = (vector: readonly number[]) =>
    vector.length === dimensions && vector.every(Number.isFinite) && vector.some((value) => value !== 0);
  if (vectors.length !== texts || dimensions === 0 || !vectors.every(good))
    throw new EmbeddingFailure("the vectors are not what was asked for");
}
