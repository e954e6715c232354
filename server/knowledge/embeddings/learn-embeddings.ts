/** The job that requests embeddings of a twin's knowledge in batches, so that an interrupted run can continue. */
import { and, eq, isNotNull, max, sql } from "drizzle-orm";
import { ownSearchModel } from "#server/accounts/organizations/own-search-model.ts";
import { embeddingProgressed } from "#server/accounts/twins/twin-runs.ts";
import { nextUsageDay } from "#server/accounts/twins/usage.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { asPlatform, asTenant, type Tx } from "#server/platform/db/database.ts";
import { embeddings } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { MAX_CRASHED_RUNS } from "#server/platform/jobs/crash-limit.ts";
import { type EmbeddingCodes, encodeVector } from "./codes.ts";
import { EmbeddingFailure } from "./embedder.ts";
import { learnPieces } from "./learn-pieces.ts";
import { type LearnData, type LearnDeps, Learning, tokensOf } from "./learning.ts";
import type { EmbeddedKind } from "./nearest-units.ts";
import {
  countTokens,
  dropOtherModels,
  readKnown,
  readWaiting,
  storeEmbeddings,
  type WaitingUnit,
} from "./stored-embeddings.ts";

const BATCH = 64;
/** Minimum number of content words; shorter texts such as «ок» have no meaning to search for. */
const MIN_WORDS = 2;

/** Enqueues the job in the transaction that ends a training. @param deps.queryEmbedder that of the installation is enough */
export async function requestEmbeddings(
  tx: Tx,
  { jobs, queryEmbedder }: Pick<LearnDeps, "jobs" | "queryEmbedder">,
  { organizationId, userId, twinId }: LearnData,
  startAfter?: Date,
): Promise<void> {
  const model = (await ownSearchModel(tx, organizationId)) ?? queryEmbedder?.embedder.model;
  if (model === undefined) return;
  // A new model starts without failures: it may succeed where the former one was given up.
  const cutOff = sql`case when ${twins.embeddingModel} is distinct from ${model} then 0 else ${twins.embeddingCutOff} end`;
  await tx.update(twins).set({ embeddingModel: model, embeddingCutOff: cutOff }).where(eq(twins.id, twinId));
  await jobs.enqueue(tx, "learn-embeddings", { organizationId, userId, twinId }, startAfter);
}

/** Called at server start: enqueues the job for twins whose embeddings are incomplete or from another model. */
export async function resumeEmbeddings(deps: LearnDeps): Promise<void> {
  const { db, queryEmbedder } = deps;
  const model = sql`coalesce((select r.embedding_model from remote_models r where r.org_id = ${twins.orgId} and r.enabled),
    ${queryEmbedder?.embedder.model ?? null}::text)`;
  const behind = sql`${model} is not null and (${twins.embeddingModel} is distinct from ${model}
    or (${twins.embeddingRevision} < ${twins.trainedRevision} and ${twins.embeddingCutOff} <= ${MAX_CRASHED_RUNS}))`;
  const found = await asPlatform(db, (tx) =>
    tx
      .select({ twinId: twins.id, organizationId: twins.orgId, userId: twins.ownerId })
      .from(twins)
      .where(and(isNotNull(twins.lastTrainedAt), behind)),
  );
  for (const twin of found) await asTenant(db, twin, (tx) => requestEmbeddings(tx, deps, twin));
}

/** Further texts to embed, from features that `search/` does not know. */
interface AlsoLearnt {
  /** Embeds the corrections first; returns false when the day's tokens are spent. */
  corrections?: (learning: Learning) => Promise<boolean>;
  piecesOf?: (text: string) => readonly string[];
}

/**
 * Embeds each chunk and each question of the history with the current model, newest first; until then the twin searches by words. A
 * temporary failure is shown on the twin and rethrown, so that the queue retries; a permanent one is only shown.
 */
export async function learnEmbeddings(
  deps: LearnDeps,
  data: LearnData,
  signal: AbortSignal,
  { corrections: learnCorrections, piecesOf }: AlsoLearnt = {},
): Promise<void> {
  const { db, queryEmbedder } = deps;
  const revision = await asTenant(db, data, (tx) => trainedRevision(tx, data));
  if (revision === null || queryEmbedder === null) return;
  const { model } = queryEmbedder.embedder;
  const note = (values: { embeddingRevision?: number; embeddingError: string | null }) =>
    asTenant(db, data, (tx) =>
      tx
        .update(twins)
        .set({ ...values, embeddingModel: model })
        .where(eq(twins.id, data.twinId)),
    );
  try {
    const before = await asTenant(db, data, async (tx) => {
      await dropOtherModels(tx, data.twinId, model);
      return newestEmbedding(tx, data.twinId);
    });
    const learning = new Learning(deps, data, signal);
    if (learnCorrections && !(await learnCorrections(learning))) return await goOnTomorrow(deps, data);
    for (const kind of ["chunk", "open", "example"] as const) {
      if (!(await new KindLearning(deps, data, kind, signal).run())) return;
    }
    if (piecesOf && !(await learnPieces(learning, piecesOf))) return await goOnTomorrow(deps, data);
    await note({ embeddingRevision: revision, embeddingError: null });
    const { organizationId, userId, twinId } = data;
    await asTenant(db, data, async (tx) => {
      // What shares no word with a question is found by its embedding alone, which the training that asked the question did not have.
      if ((await newestEmbedding(tx, twinId)) === before) return;
      await deps.jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId });
    });
  } catch (error) {
    // On shutdown the queue gives the job to the next process, so no failure is shown.
    if (signal.aborted) throw error;
    await note({ embeddingError: reasonOf(error) });
    if (!(error instanceof EmbeddingFailure) || error.passes) throw error;
  }
}

async function newestEmbedding(tx: Tx, twinId: string): Promise<number | null> {
  const [row] = await tx
    .select({ id: max(embeddings.id) })
    .from(embeddings)
    .where(eq(embeddings.twinId, twinId));
  return row?.id ?? null;
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
    const embeddingError = "Дневной предел токенов исчерпан: остальное двойник выучит завтра.";
    await tx.update(twins).set({ embeddingError }).where(eq(twins.id, data.twinId));
    await requestEmbeddings(tx, deps, data, nextUsageDay(new Date()));
  });
}

/** Embeds all units of one kind, with a short transaction before and after each request. */
class KindLearning {
  readonly #deps: LearnDeps;
  readonly #learning: Learning;
  readonly #model: string;
  readonly #data: LearnData;
  readonly #kind: EmbeddedKind;
  readonly #signal: AbortSignal;

  constructor(deps: LearnDeps, data: LearnData, kind: EmbeddedKind, signal: AbortSignal) {
    this.#deps = deps;
    this.#learning = new Learning(deps, data, signal);
    this.#model = deps.queryEmbedder!.embedder.model;
    this.#data = data;
    this.#kind = kind;
    this.#signal = signal;
  }

  /** @returns false when the twin is deleted or the day's tokens are spent */
  async run(): Promise<boolean> {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      this.#signal.throwIfAborted();
      const page = await this.#learning.within((tx) => readWaiting(tx, this.#data.twinId, this.#kind, before, BATCH));
      if (page.length === 0) return true;
      before = page.at(-1)!.id;
      const telling = page.filter(({ text }) => this.#kind === "chunk" || contentWords(text).length >= MIN_WORDS);
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
      const role = this.#kind === "chunk" ? "passage" : "query";
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

  #store(units: readonly (WaitingUnit & EmbeddingCodes)[], tokens: number): Promise<boolean> {
    return this.#learning.within(async (tx) => {
      const isThere = await storeEmbeddings(tx, this.#data, this.#kind, this.#model, units);
      if (isThere && units.length > 0) await embeddingProgressed(tx, this.#data.twinId);
      if (isThere && tokens > 0) await countTokens(tx, this.#data, tokens, new Date());
      return isThere;
    });
  }
}
