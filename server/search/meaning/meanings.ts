/** What questions mean, asked within a strict time: an answer never waits long for it, and never fails for it. */
import { LRUCache } from "lru-cache";
import type { Log } from "#server/log.ts";
import { encodeVector } from "./codes.ts";
import { type Embedder, EmbeddingFailure, LONGEST_TEXT } from "./embedder.ts";
import { type MeaningScale, PROBE_ROLES, PROBES, scaleOf } from "./meaning-scale.ts";

export interface Meaning {
  model: string;
  /** Of length 1. */
  vector: Float32Array;
  scale: MeaningScale;
  /** pgvector serves: the nearest are found in the database. */
  inDatabase: boolean;
}

export interface Meanings {
  readonly embedder: Embedder;
  /** Null when it is not known in time: then words alone are searched for. Call it outside any transaction. */
  of(text: string): Promise<Meaning | null>;
}

interface MeaningsOptions {
  timeoutMs: number;
  inDatabase: boolean;
  log: Log;
  /** Milliseconds. */
  now?: () => number;
}

const CACHED_QUESTIONS = 2000;
/** So many failures in a row, and the server is left alone for so long. */
const FAILURES = 3;
const REST_MS = 30_000;
const SCALE_MS = 20_000;

export function createMeanings(embedder: Embedder, options: MeaningsOptions): Meanings {
  const { timeoutMs, inDatabase, log, now = () => performance.now() } = options;
  const known = new LRUCache<string, Float32Array>({ max: CACHED_QUESTIONS });
  let scale: Promise<MeaningScale> | null = null;
  let failures = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;

  /** Learnt once, behind the first question: it is not given up when that question is. */
  function learnScale(): Promise<MeaningScale> {
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
