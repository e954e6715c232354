/** Asking for vectors in the background: within the day's tokens, repeated where a failure may pass. */
import { setTimeout as sleep } from "node:timers/promises";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { TextRole } from "#server/models/protocol.ts";
import { type Embedded, EmbeddingFailure } from "./embedder.ts";
import type { Meanings } from "./meanings.ts";
import { countTokens, tokensSpent } from "./stored-meanings.ts";

/** Before the server has counted them, and where it does not, this many characters are taken for a token. */
const TOKEN_CHARS = 3;
const REQUEST_MS = 60_000;
/** Waited for before each repetition of a request, seconds; who wants longer is left to the queue's next try. */
const REPEATS = [1, 3, 9];
const LONGEST_WAIT = 30;

export interface LearnDeps {
  db: Database;
  jobs: Jobs;
  meanings: Meanings | null;
  /** Without an endpoint it is learnt on a machine of one's own, and no day's tokens are counted. */
  config: { embedding: { dailyTokens: number } | null };
  /** Before a request is repeated; tests give one that does not wait. */
  pause?: (seconds: number, signal: AbortSignal) => Promise<void>;
}

export type LearnData = Tenant & { twinId: string };

export const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(text.length / TOKEN_CHARS), 0);
const wait = (seconds: number, signal: AbortSignal) => sleep(seconds * 1000, undefined, { signal });

/** What the day still pays for, and asking for vectors. */
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
    return this.#deps.meanings!.embedder.model;
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

  /** How many of the texts the day still pays for; of a whole day at least one, or it would wait for ever. */
  async affordable(texts: readonly string[]): Promise<number> {
    const spent = await this.within((tx) => tokensSpent(tx, this.#data.twinId, new Date()));
    let left = (this.#deps.config.embedding?.dailyTokens ?? Number.POSITIVE_INFINITY) - spent;
    const refused = texts.findIndex((text, at) => {
      left -= tokensOf([text]);
      return left < 0 && spent + at > 0;
    });
    return refused < 0 ? texts.length : refused;
  }

  async embed(texts: readonly string[], role: TextRole): Promise<Embedded> {
    const { pause = wait, meanings } = this.#deps;
    for (let tried = 0; ; tried++) {
      try {
        const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_MS)]);
        return await meanings!.embedder.embed(texts, signal, role);
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
