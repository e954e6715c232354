/** Embeds questions within a strict time limit: an answer never waits long and never fails because of it. */
import { LRUCache } from "lru-cache";
import type { Log } from "#server/platform/log.ts";
import { encodeVector } from "./codes.ts";
import { type Embedder, EmbeddingFailure, LONGEST_TEXT } from "./embedder.ts";
import { type EmbeddingScale, PROBE_ROLES, PROBES, scaleOf } from "./embedding-scale.ts";

export interface QueryEmbedding {
  model: string;
  /** Embedding normalised to length 1. */
  vector: Float32Array;
  scale: EmbeddingScale;
  inDatabase: boolean;
}

export interface QueryEmbedder {
  readonly embedder: Embedder;
  /** Tokens that one twin's learning may take a day; absent: as the settings say. */
  readonly dailyTokens?: number;
  /** Returns null when the embedding is late; the search then uses words alone. Call it outside any transaction. */
  of(text: string): Promise<QueryEmbedding | null>;
}

interface QueryEmbedderOptions {
  timeoutMs: number;
  inDatabase: boolean;
  log: Log;
  now?: () => number;
}

const CACHED_QUESTIONS = 2000;
/** After this many consecutive failures, the server is not called for `REST_MS`. */
const FAILURES = 3;
const REST_MS = 30_000;
const SCALE_MS = 20_000;

export function createQueryEmbedder(embedder: Embedder, options: QueryEmbedderOptions): QueryEmbedder {
  const { timeoutMs, inDatabase, log, now = () => performance.now() } = options;
  const known = new LRUCache<string, Float32Array>({ max: CACHED_QUESTIONS });
  let scale: Promise<EmbeddingScale> | null = null;
  let failures = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;

  /** Learnt once, during the first question; it continues even if that question is aborted. */
  function learnScale(): Promise<EmbeddingScale> {
    scale ??= embedder.embed(PROBES.flat(), AbortSignal.timeout(SCALE_MS), PROBE_ROLES).then(({ vectors }) =>
      scaleOf(
        vectors.map(unitVector),
        vectors.map((vector) => encodeVector(vector).codes),
      ),
    );
    scale.catch(() => {
      scale = null;
    });
    return scale;
  }

  async function ask(text: string, signal: AbortSignal): Promise<Float32Array> {
    const { vectors } = await embedder.embed([text], signal, "query");
    const vector = unitVector(vectors[0]!);
    known.set(text, vector);
    return vector;
  }

  function failed(error: unknown): void {
    failures++;
    if (failures < FAILURES) return;
    restsUntil = now() + REST_MS;
    const reason = error instanceof EmbeddingFailure ? error.message : "too late";
    log.warn({ reason, model: embedder.model }, "embeddings are away: search goes by words");
  }

  return {
    embedder,
    async of(text) {
      const asked = text.trim().slice(0, LONGEST_TEXT);
      if (asked === "" || now() < restsUntil) return null;
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const found = Promise.all([known.get(asked) ?? ask(asked, signal), learnScale()]);
        const [vector, scale] = await Promise.race([found, untilAborted(signal, found)]);
        failures = 0;
        return { model: embedder.model, vector, scale, inDatabase };
      } catch (error) {
        failed(error);
        return null;
      }
    },
  };
}

function untilAborted(signal: AbortSignal, settled: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => reject(signal.reason);
    signal.addEventListener("abort", late, { once: true });
    settled.finally(() => signal.removeEventListener("abort", late)).catch(() => {});
  });
}

export function unitVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}
