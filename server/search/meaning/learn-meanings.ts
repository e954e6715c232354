/** The job that asks for the vectors of what a twin knows: batch by batch, so that a run that was cut short is gone on with. */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { asPlatform, asTenant, type Tx } from "#server/db/database.ts";
import { twins } from "#server/db/schema.ts";
import { RUNS } from "#server/jobs/counted-run.ts";
import { contentWords } from "#server/language/question-parts.ts";
import { meaningProgressed } from "#server/twins/twin-runs.ts";
import { nextUsageDay } from "#server/twins/usage.ts";
import { type Codes, encodeVector } from "./codes.ts";
import { EmbeddingFailure } from "./embedder.ts";
import { learnPieces } from "./learn-pieces.ts";
import { type LearnData, type LearnDeps, Learning, tokensOf } from "./learning.ts";
import type { MeaningKind } from "./nearest-units.ts";
import {
  countTokens,
  dropOtherModels,
  readKnown,
  readWaiting,
  storeMeanings,
  type WaitingUnit,
} from "./stored-meanings.ts";

/** Texts of one request. */
const BATCH = 64;
/** «ок», «спасибо»: what has no two words of its own means nothing that could be looked for. */
const LEAST_WORDS = 2;

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

/** What belongs to rooms that search knows nothing of. */
export interface AlsoLearnt {
  /** What was corrected, before all else; false: the day's tokens are spent. */
  lessons?: (learning: Learning) => Promise<boolean>;
  /** What a passage may be quoted by, learnt last. */
  piecesOf?: (text: string) => readonly string[];
}

/**
 * Gives each passage and each question of the history its vector of the current model, the newest first; meanwhile, and
 * whatever happens, the twin answers by words. A failure that may pass is shown on the twin and thrown, so that the queue
 * tries again; one that will not pass is shown.
 */
export async function learnMeanings(
  deps: LearnDeps,
  data: LearnData,
  signal: AbortSignal,
  { lessons, piecesOf }: AlsoLearnt = {},
): Promise<void> {
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
    const learning = new Learning(deps, data, signal);
    if (lessons && !(await lessons(learning))) return await goOnTomorrow(deps, data);
    for (const kind of ["passage", "open", "exemplar"] as const) {
      if (!(await new KindLearning(deps, data, kind, signal).run())) return;
    }
    if (piecesOf && !(await learnPieces(learning, piecesOf))) return await goOnTomorrow(deps, data);
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

function goOnTomorrow(deps: LearnDeps, data: LearnData): Promise<void> {
  return asTenant(deps.db, data, async (tx) => {
    const meaningError = "Дневной предел токенов исчерпан: остальное двойник выучит завтра.";
    await tx.update(twins).set({ meaningError }).where(eq(twins.id, data.twinId));
    await requestMeanings(tx, deps, data, nextUsageDay(new Date()));
  });
}

/** All of one kind, a short transaction before and after each request. */
class KindLearning {
  readonly #deps: LearnDeps;
  readonly #learning: Learning;
  readonly #model: string;
  readonly #data: LearnData;
  readonly #kind: MeaningKind;
  readonly #signal: AbortSignal;

  constructor(deps: LearnDeps, data: LearnData, kind: MeaningKind, signal: AbortSignal) {
    this.#deps = deps;
    this.#learning = new Learning(deps, data, signal);
    this.#model = deps.meanings!.embedder.model;
    this.#data = data;
    this.#kind = kind;
    this.#signal = signal;
  }

  /** @returns false when the twin is gone or the day's tokens are spent */
  async run(): Promise<boolean> {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      this.#signal.throwIfAborted();
      const page = await this.#learning.within((tx) => readWaiting(tx, this.#data.twinId, this.#kind, before, BATCH));
      if (page.length === 0) return true;
      before = page.at(-1)!.id;
      const telling = page.filter(({ text }) => this.#kind === "passage" || contentWords(text).length >= LEAST_WORDS);
      if (telling.length > 0 && !(await this.#learn(telling))) return false;
    }
  }

  async #learn(units: readonly WaitingUnit[]): Promise<boolean> {
    const known = await this.#learning.within((tx) => readKnown(tx, this.#data.twinId, units));
    const texts = new Map(units.map(({ hash, text }) => [hash, text]));
    const unknown = [...texts].filter(([hash]) => !known.has(hash));
    const asked = unknown.slice(0, await this.#learning.affordable(unknown.map(([, text]) => text)));
    let tokens = 0;
    if (asked.length > 0) {
      const role = this.#kind === "passage" ? "passage" : "query";
      const given = asked.map(([, text]) => text);
      const embedded = await this.#learning.embed(given, role);
      for (const [at, [hash]] of asked.entries()) known.set(hash, encodeVector(embedded.vectors[at]!));
      tokens = embedded.tokens ?? tokensOf(given);
    }
    const learnt = units.filter(({ hash }) => known.has(hash));
    const isThere = await this.#store(
      learnt.map((unit) => ({ ...unit, ...known.get(unit.hash)! })),
      tokens,
    );
    if (!isThere || asked.length === unknown.length) return isThere;
    await goOnTomorrow(this.#deps, this.#data);
    return false;
  }

  #store(units: readonly (WaitingUnit & Codes)[], tokens: number): Promise<boolean> {
    return this.#learning.within(async (tx) => {
      const isThere = await storeMeanings(tx, this.#data, this.#kind, this.#model, units);
      if (isThere && units.length > 0) await meaningProgressed(tx, this.#data.twinId);
      if (isThere && tokens > 0) await countTokens(tx, this.#data, tokens, new Date());
      return isThere;
    });
  }
}
