/** Requests embeddings in the background: within the day's tokens, with retries after temporary failures. */
import { setTimeout as sleep } from "node:timers/promises";
import type { TextRole } from "#server/models/host/protocol.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { EmbeddingFailure, type EmbeddingResult } from "./embedder.ts";
import type { QueryEmbedder } from "./query-embedder.ts";
import { countTokens, tokensSpent } from "./stored-embeddings.ts";

/** Characters assumed per token until the server reports a count. */
const TOKEN_CHARS = 3;
const REQUEST_MS = 60_000;
/** Seconds before each retry of a request; a longer wait is left to the queue's next attempt. */
const REPEATS = [1, 3, 9];
const LONGEST_WAIT = 30;

export interface LearnDeps {
  db: Database;
  jobs: Jobs;
  queryEmbedder: QueryEmbedder | null;
  /** Null: a local model is used, and no tokens are counted. */
  config: { embedding: { dailyTokens: number } | null };
  pause?: (seconds: number, signal: AbortSignal) => Promise<void>;
}

export type LearnData = Tenant & { twinId: string };

export const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(text.length / TOKEN_CHARS), 0);
const wait = (seconds: number, signal: AbortSignal) => sleep(seconds * 1000, undefined, { signal });

export class Learning {
  readonly #deps: LearnDeps;
  readonly #data: LearnData;
  readonly #signal: AbortSignal;

  constructor(deps: LearnDeps, data: LearnData, signal: AbortSignal) {
    this.#deps = deps;
    this.#data = data;
    this.#signal = signal;
  }

  get model(): string {
    return this.#deps.queryEmbedder!.embedder.model;
  }

  get twinId(): string {
    return this.#data.twinId;
  }

  count(tx: Tx, tokens: number): Promise<void> {
    return countTokens(tx, this.#data, tokens, new Date());
  }

  within<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return asTenant(this.#deps.db, this.#data, work);
  }

  /**
   * Returns how many of the first texts the day's remaining tokens suffice for. At the start of a day it is at least one, because a text
   * that is longer than a whole day's budget would otherwise wait forever.
   */
  async affordable(texts: readonly string[]): Promise<number> {
    const spent = await this.within((tx) => tokensSpent(tx, this.#data.twinId, new Date()));
    const { queryEmbedder, config } = this.#deps;
    const daily = queryEmbedder?.dailyTokens ?? config.embedding?.dailyTokens ?? Number.POSITIVE_INFINITY;
    let left = daily - spent;
    const refused = texts.findIndex((text, at) => {
      left -= tokensOf([text]);
      return left < 0 && spent + at > 0;
    });
    return refused < 0 ? texts.length : refused;
  }

  async embed(texts: readonly string[], role: TextRole): Promise<EmbeddingResult> {
    const { pause = wait, queryEmbedder } = this.#deps;
    for (let tried = 0; ; tried++) {
      try {
        const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_MS)]);
        return await queryEmbedder!.embedder.embed(texts, signal, role);
      } catch (error) {
        this.#signal.throwIfAborted();
        const failure = error instanceof EmbeddingFailure ? error : new EmbeddingFailure("no answer in time");
        const seconds = Math.max(failure.retryAfter ?? 0, REPEATS[tried] ?? Number.POSITIVE_INFINITY);
        if (!failure.passes || seconds > LONGEST_WAIT) throw failure;
        await pause(seconds, this.#signal);
      }
    }
  }
}
