/** The job that asks for the vectors of what a twin knows: batch by batch, so that a run that was cut short is gone on with. */
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { twins } from "#server/db/schema.ts";
import { RUNS } from "#server/jobs/counted-run.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { contentWords } from "#server/language/question-parts.ts";
import { meaningProgressed } from "#server/twins/twin-runs.ts";
import { nextUsageDay } from "#server/twins/usage.ts";
import { type Codes, encodeVector } from "./codes.ts";
import { type Embedded, EmbeddingFailure } from "./embedder.ts";
import type { Meanings } from "./meanings.ts";
import type { MeaningKind } from "./nearest-units.ts";
import {
  countTokens,
  dropOtherModels,
  readKnown,
  readWaiting,
  storeMeanings,
  tokensSpent,
  type WaitingUnit,
} from "./stored-meanings.ts";

/** Texts of one request. */
const BATCH = 64;
/** «ок», «спасибо»: what has no two words of its own means nothing that could be looked for. */
const LEAST_WORDS = 2;
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

type LearnData = Tenant & { twinId: string };

/** In the transaction that ends a training: what it has learnt is to be found by meaning too. */
export async function requestMeanings(
  tx: Tx,
  { jobs, meanings }: Pick<LearnDeps, "jobs" | "meanings">,
  { organizationId, userId, twinId }: LearnData,
  startAfter?: Date,
): Promise<void> {
  if (meanings === null) return;
  const { model } = meanings.embedder;
  // Another model may manage what this one was given up with.
  const cutOff = sql`case when ${twins.meaningModel} is distinct from ${model} then 0 else ${twins.meaningCutOff} end`;
  await tx.update(twins).set({ meaningModel: model, meaningCutOff: cutOff }).where(eq(twins.id, twinId));
  await jobs.enqueue(tx, "learn-meanings", { organizationId, userId, twinId }, startAfter);
}

/** For the start of the server: twins that were left behind, or learnt with another model. */
export async function resumeMeanings(deps: LearnDeps): Promise<void> {
  const { db, meanings } = deps;
  if (meanings === null) return;
  const behind = sql`(${twins.meaningModel} is distinct from ${meanings.embedder.model}
    or (${twins.meaningRevision} < ${twins.trainedRevision} and ${twins.meaningCutOff} <= ${RUNS}))`;
  const found = await asPlatform(db, (tx) =>
    tx
      .select({ twinId: twins.id, organizationId: twins.orgId, userId: twins.ownerId })
      .from(twins)
      .where(and(isNotNull(twins.lastTrainedAt), behind)),
  );
  for (const twin of found) await asTenant(db, twin, (tx) => requestMeanings(tx, deps, twin));
}

/**
 * Gives each passage and each question of the history its vector of the current model, the newest first; meanwhile, and
 * whatever happens, the twin answers by words. A failure that may pass is shown on the twin and thrown, so that the queue
 * tries again; one that will not pass is shown.
 */
export async function learnMeanings(deps: LearnDeps, data: LearnData, signal: AbortSignal): Promise<void> {
  const { db, meanings } = deps;
  const revision = await asTenant(db, data, (tx) => trainedRevision(tx, data));
  if (revision === null || meanings === null) return;
  const { model } = meanings.embedder;
  const note = (values: { meaningRevision?: number; meaningError: string | null }) =>
    asTenant(db, data, (tx) =>
      tx
        .update(twins)
        .set({ ...values, meaningModel: model })
        .where(eq(twins.id, data.twinId)),
    );
  try {
    await asTenant(db, data, (tx) => dropOtherModels(tx, data.twinId, model));
    for (const kind of ["passage", "open", "exemplar"] as const) {
      if (!(await new KindLearning(deps, data, kind, signal).run())) return;
    }
    await note({ meaningRevision: revision, meaningError: null });
  } catch (error) {
    // Stopped with the server: the queue gives the job to the next start.
    if (signal.aborted) throw error;
    await note({ meaningError: reasonOf(error) });
    if (!(error instanceof EmbeddingFailure) || error.passes) throw error;
  }
}

async function trainedRevision(tx: Tx, { organizationId, twinId }: LearnData): Promise<number | null> {
  const [twin] = await tx
    .select({ revision: twins.trainedRevision })
    .from(twins)
    .where(and(eq(twins.id, twinId), eq(twins.orgId, organizationId)));
  return twin?.revision ?? null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof EmbeddingFailure)) return "Внутренняя ошибка. Мы попробуем ещё раз.";
  if (error.status === 401 || error.status === 403) return "Сервер эмбеддингов не принял ключ доступа.";
  if (error.status === 429) return "Сервер эмбеддингов перегружен. Мы попробуем ещё раз.";
  if (!error.passes) return "Сервер эмбеддингов не принял запрос.";
  return "Сервер эмбеддингов не отвечает. Мы попробуем ещё раз.";
}

const tokensOf = (text: string) => Math.ceil(text.length / TOKEN_CHARS);
const wait = (seconds: number, signal: AbortSignal) => sleep(seconds * 1000, undefined, { signal });

/** All of one kind, a short transaction before and after each request. */
class KindLearning {
  readonly #deps: LearnDeps;
  readonly #meanings: Meanings;
  readonly #data: LearnData;
  readonly #kind: MeaningKind;
  readonly #signal: AbortSignal;

  constructor(deps: LearnDeps, data: LearnData, kind: MeaningKind, signal: AbortSignal) {
    this.#deps = deps;
    this.#meanings = deps.meanings!;
    this.#data = data;
    this.#kind = kind;
    this.#signal = signal;
  }

  /** @returns false when the twin is gone or the day's tokens are spent */
  async run(): Promise<boolean> {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      this.#signal.throwIfAborted();
      const page = await this.#within((tx) => readWaiting(tx, this.#data.twinId, this.#kind, before, BATCH));
      if (page.length === 0) return true;
      before = page.at(-1)!.id;
      const telling = page.filter(({ text }) => this.#kind === "passage" || contentWords(text).length >= LEAST_WORDS);
      if (telling.length > 0 && !(await this.#learn(telling))) return false;
    }
  }

  #within<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return asTenant(this.#deps.db, this.#data, work);
  }

  async #learn(units: readonly WaitingUnit[]): Promise<boolean> {
    const known = await this.#within((tx) => readKnown(tx, this.#data.twinId, units));
    const texts = new Map(units.map(({ hash, text }) => [hash, text]));
    const unknown = [...texts].filter(([hash]) => !known.has(hash));
    const asked = unknown.slice(0, await this.#affordable(unknown.map(([, text]) => text)));
    let tokens = 0;
    if (asked.length > 0) {
      const embedded = await this.#embed(asked.map(([, text]) => text));
      for (const [at, [hash]] of asked.entries()) known.set(hash, encodeVector(embedded.vectors[at]!));
      tokens = embedded.tokens ?? asked.reduce((sum, [, text]) => sum + tokensOf(text), 0);
    }
    const learnt = units.filter(({ hash }) => known.has(hash));
    const isThere = await this.#store(
      learnt.map((unit) => ({ ...unit, ...known.get(unit.hash)! })),
      tokens,
    );
    if (!isThere || asked.length === unknown.length) return isThere;
    await this.#goOnTomorrow();
    return false;
  }

  /** How many of the texts the day still pays for; of a whole day at least one, or it would wait for ever. */
  async #affordable(texts: readonly string[]): Promise<number> {
    const spent = await this.#within((tx) => tokensSpent(tx, this.#data.twinId, new Date()));
    let left = (this.#deps.config.embedding?.dailyTokens ?? Number.POSITIVE_INFINITY) - spent;
    const refused = texts.findIndex((text, at) => {
      left -= tokensOf(text);
      return left < 0 && spent + at > 0;
    });
    return refused < 0 ? texts.length : refused;
  }

  async #embed(texts: readonly string[]): Promise<Embedded> {
    const { pause = wait } = this.#deps;
    for (let tried = 0; ; tried++) {
      try {
        const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_MS)]);
        return await this.#meanings.embedder.embed(texts, signal, this.#kind === "passage" ? "passage" : "query");
      } catch (error) {
        this.#signal.throwIfAborted();
        const failure = error instanceof EmbeddingFailure ? error : new EmbeddingFailure("no answer in time");
        const seconds = Math.max(failure.retryAfter ?? 0, REPEATS[tried] ?? Number.POSITIVE_INFINITY);
        if (!failure.passes || seconds > LONGEST_WAIT) throw failure;
        await pause(seconds, this.#signal);
      }
    }
  }

  #store(units: readonly (WaitingUnit & Codes)[], tokens: number): Promise<boolean> {
    return this.#within(async (tx) => {
      const isThere = await storeMeanings(tx, this.#data, this.#kind, this.#meanings.embedder.model, units);
      if (isThere && units.length > 0) await meaningProgressed(tx, this.#data.twinId);
      if (isThere && tokens > 0) await countTokens(tx, this.#data, tokens, new Date());
      return isThere;
    });
  }

  #goOnTomorrow(): Promise<void> {
    return this.#within(async (tx) => {
      const meaningError = "Дневной предел токенов исчерпан: остальное двойник выучит завтра.";
      await tx.update(twins).set({ meaningError }).where(eq(twins.id, this.#data.twinId));
      await requestMeanings(tx, this.#deps, this.#data, nextUsageDay(new Date()));
    });
  }
}
