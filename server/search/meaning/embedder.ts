/** Asks an OpenAI-compatible server for the vectors of texts. */

import { createVault, redact } from "#server/language/redact.ts";
import { prefixesFor } from "#server/models/embedding-prefixes.ts";
import { isForeign } from "#server/models/model-address.ts";
import type { TextRole } from "#server/models/protocol.ts";
import { retryAfter, statusOf, summary } from "#server/models/provider-errors.ts";

export interface EmbedderSettings {
  /** With the version: https://api.openai.com/v1 */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** What the model's family wants before each text (server/models/embedding-prefixes.ts), unless the server adds it itself. */
  prefixes?: "auto" | "none";
  /** Whether phones, cards and the like are redacted; by the address when not given. */
  foreign?: boolean;
}

export interface Embedded {
  /** One for each text, all of one length, finite and not zero. */
  vectors: number[][];
  /** As the server counts them; undefined where it does not. */
  tokens: number | undefined;
}

export interface Embedder {
  /** Vectors of different models do not compare. */
  readonly model: string;
  /**
   * @param roles whether each text, or all, asks or is looked for: some families of models want to be told; a question unless told
   * @throws EmbeddingFailure; the signal's reason when aborted
   */
  embed(texts: readonly string[], signal: AbortSignal, roles?: TextRole | readonly TextRole[]): Promise<Embedded>;
}

/** The server did not give vectors. The message may be logged: it quotes nothing that was sent. */
export class EmbeddingFailure extends Error {
  /** HTTP's, where the server answered with a failure. */
  readonly status: number | undefined;
  /** Seconds that the server wants to be left alone. */
  readonly retryAfter: number | undefined;

  constructor(message: string, status?: number, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later; a refused key or model will not. */
  get passes(): boolean {
    return this.status === undefined || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Of one text; what is longer goes by its beginning. */
export const LONGEST_TEXT = 2000;

export function createEmbedder(settings: EmbedderSettings): Embedder {
  const { baseUrl, apiKey, model, foreign = isForeign(baseUrl) } = settings;
  const prefixes = settings.prefixes === "none" ? prefixesFor("") : prefixesFor(model);
  const open = async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({
      name: "embedding",
      baseURL: baseUrl,
      ...(apiKey === null ? {} : { apiKey }),
      // A redirect would carry the key and the letters to an address that nobody allowed.
      fetch: (input, init) => fetch(input, { ...init, redirect: "error" }),
    }).embeddingModel(model);
  };
  let opened: ReturnType<typeof open> | undefined;
  const sent = (text: string) => {
    const cut = text.slice(0, LONGEST_TEXT);
    // The same tag always: a number's placeholder must not move the vector.
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
