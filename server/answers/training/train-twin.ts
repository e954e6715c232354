/** The job that trains a twin: it splits documents, updates the index and measures the owner's style. */
import { and, asc, count, eq, gt, isNull, lte, sql, sum } from "drizzle-orm";
import { incrementKnowledgeVersion, queueTraining, requestTraining } from "#server/accounts/twins/training.ts";
import { trainingProgressed } from "#server/accounts/twins/twin-runs.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { keepVersion } from "#server/accounts/twins/versions.ts";
import { documentReaders } from "#server/knowledge/documents/document-readers.ts";
import type { Chunk } from "#server/knowledge/documents/split-chunks.ts";
import { storeChunks } from "#server/knowledge/documents/store-chunks.ts";
import { requestEmbeddings } from "#server/knowledge/embeddings/learn-embeddings.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { lostPeople, personOfContacts } from "#server/knowledge/messages/people.ts";
import { keepRecurring } from "#server/knowledge/public-replies/keep-recurring.ts";
import { keepCommonSamples } from "#server/knowledge/public-replies/style-samples.ts";
import { buildTwinIndex } from "#server/knowledge/search/build-twin-index.ts";
import { type MeasuredHistory, measureHistory } from "#server/knowledge/style/measure-history.ts";
import { withFewerPeople } from "#server/knowledge/style/shared-style.ts";
import type { MeasuredStyle } from "#server/knowledge/style/style-groups.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { chunks, contacts, documents, indexSegments, sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { MANY_ROWS, refreshStatistics } from "#server/platform/db/statistics.ts";
import { Problem } from "#server/platform/errors.ts";
import { MAX_CRASHED_RUNS } from "#server/platform/jobs/crash-limit.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

/** Share of the total progress, 0..1, at which each stage ends. */
const SPLIT_UNTIL = 0.25;
const INDEX_UNTIL = 0.65;
const PROGRESS_MS = 350;

export interface TrainingDeps {
  db: Database;
  jobs: Jobs;
  queryEmbedder: QueryEmbedder | null;
  /** Called after each step, between transactions; the training awaits it. */
  onStep?: (step: TrainingStep) => void | Promise<void>;
}

export interface TrainingStep {
  /** Stage name as shown to the owner. */
  stage: string;
  share: number;
}

type TrainingData = Tenant & { twinId: string };

/**
 * Does the remaining work in short transactions, so that a run after a crash continues with unsplit documents and missing segments.
 * Returns at once if nothing changed or the twin is deleted. A failure is shown on the twin and rethrown, so that the queue retries.
 */
export async function trainTwin(deps: TrainingDeps, data: TrainingData, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const { twinId } = data;
  if (await isUpToDate(db, data)) return;
  const progress = new Progress(deps, data);
  try {
    await progress.enter("Разбираем документы", 0);
    let revision: number | null = null;
    while (revision === null) {
      await splitDocuments(db, data, signal, (share) => progress.reach(share * SPLIT_UNTIL));
      revision = await asTenant(db, data, (tx) => revisionWhenSplit(tx, twinId));
    }
    const measured = await indexAndMeasure(db, data, progress, signal);
    await keepRecurring(db, data, signal);
    await keepCommonSamples(db, data, signal);
    await finish(deps, data, revision, measured);
  } catch (error) {
    if (!(await isThere(db, data))) return;
    // On shutdown the queue gives the job to the next process, so no failure is shown.
    if (!signal.aborted) await showFailure(db, data, error);
    throw error;
  }
}

/** Indexes and measures concurrently: each runs in its own thread and waits for the database half of the time. */
async function indexAndMeasure(
  db: Database,
  data: TrainingData,
  progress: Progress,
  signal: AbortSignal,
): Promise<MeasuredHistory | null> {
  const { twinId } = data;
  await progress.enter("Строим индекс", SPLIT_UNTIL);
  const total = await asTenant(db, data, (tx) => storedMessages(tx, twinId));
  const failed = new AbortController();
  let indexed = false;
  const measuring = measureHistory(db, data, twinId, {
    signal: AbortSignal.any([signal, failed.signal]),
    onProgress: async (read) => {
      if (indexed) await progress.reach(INDEX_UNTIL + Math.min(1, read / Math.max(1, total)) * (1 - INDEX_UNTIL));
    },
  });
  measuring.catch(() => {});
  try {
    const units = await buildTwinIndex(db, data, twinId, {
      signal,
      onProgress: (share) => progress.reach(SPLIT_UNTIL + share * (INDEX_UNTIL - SPLIT_UNTIL)),
    });
    if (units >= MANY_ROWS) await refreshStatistics(db, [indexSegments]);
    if (units > 0) await asTenant(db, data, (tx) => trainingProgressed(tx, twinId));
    await progress.enter("Изучаем стиль", INDEX_UNTIL);
    indexed = true;
    return await measuring;
  } catch (error) {
    failed.abort();
    await measuring.catch(() => {});
    throw error;
  }
}

const notGivenUp = lte(twins.trainingCutOff, MAX_CRASHED_RUNS);

/** Called at server start: enqueues trainings whose job has used up its attempts, except those that were given up. */
export async function resumeTraining({ db, jobs }: Pick<TrainingDeps, "db" | "jobs">): Promise<void> {
  const behind = await asPlatform(db, (tx) =>
    tx
      .select({ twinId: twins.id, organizationId: twins.orgId, userId: twins.ownerId })
      .from(twins)
      .where(and(gt(twins.knowledgeRevision, twins.trainedRevision), gt(twins.knowledgeRevision, 0), notGivenUp)),
  );
  for (const twin of behind) await asTenant(db, twin, (tx) => queueTraining(tx, jobs, twin, twin.twinId));
}

const findTwin = (tx: Tx, { organizationId, twinId }: TrainingData) =>
  tx
    .select({
      id: twins.id,
      name: twins.name,
      knowledgeRevision: twins.knowledgeRevision,
      trainedRevision: twins.trainedRevision,
    })
    .from(twins)
    .where(and(eq(twins.id, twinId), eq(twins.orgId, organizationId)));

async function isThere(db: Database, data: TrainingData): Promise<boolean> {
  return (await asTenant(db, data, (tx) => findTwin(tx, data))).length > 0;
}

/** True for a deleted twin too, which needs no work. */
function isUpToDate(db: Database, data: TrainingData): Promise<boolean> {
  return asTenant(db, data, async (tx) => {
    const [twin] = await findTwin(tx, data).for("no key update");
    if (twin === undefined) return true;
    if (twin.knowledgeRevision !== twin.trainedRevision) return false;
    await tx
      .update(twins)
      .set({ trainingStage: null, trainingProgress: 1, trainingError: null })
      .where(eq(twins.id, twin.id));
    return true;
  });
}

/**
 * Returns the revision whose documents are all split. Null when documents were added meanwhile: the revision already counts them, and the
 * next training would skip them. The revision is read first, so that everything it counts is visible.
 */
async function revisionWhenSplit(tx: Tx, twinId: string): Promise<number | null> {
  const [row] = await tx.select({ revision: twins.knowledgeRevision }).from(twins).where(eq(twins.id, twinId));
  const [waiting] = await tx.select({ id: documents.id }).from(documents).where(waitingDocuments(twinId)).limit(1);
  return waiting === undefined ? (row?.revision ?? 0) : null;
}

/** Recordings and pictures count once their text is read. */
const waitingDocuments = (twinId: string) =>
  and(eq(documents.twinId, twinId), isNull(documents.splitAt), eq(documents.status, "processed"));

async function storedMessages(tx: Tx, twinId: string): Promise<number> {
  const [row] = await tx
    .select({ total: sum(sources.messageCount).mapWith(Number) })
    .from(sources)
    .where(eq(sources.twinId, twinId));
  return row?.total ?? 0;
}

/** Stores each document in its own transaction, so that it is either split or not. */
async function splitDocuments(
  db: Database,
  data: TrainingData,
  signal: AbortSignal,
  onProgress: (share: number) => Promise<void>,
): Promise<void> {
  const waiting = waitingDocuments(data.twinId);
  const ids = await asTenant(db, data, (tx) =>
    tx.select({ id: documents.id }).from(documents).where(waiting).orderBy(asc(documents.createdAt), asc(documents.id)),
  );
  for (const [at, { id }] of ids.entries()) {
    signal.throwIfAborted();
    const [document] = await asTenant(db, data, (tx) =>
      tx.select({ content: documents.content }).from(documents).where(eq(documents.id, id)),
    );
    if (document !== undefined) {
      const found = await documentReaders.split(data.organizationId, document.content, signal);
      await asTenant(db, data, (tx) => storeSplit(tx, data, id, found));
    }
    await onProgress((at + 1) / ids.length);
  }
}

async function storeSplit(
  tx: Tx,
  { organizationId, twinId }: TrainingData,
  documentId: string,
  found: readonly Chunk[],
): Promise<void> {
  // Every transaction that changes a twin's knowledge locks the twin first; another order could deadlock.
  await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, twinId)).for("no key update");
  const [split] = await tx
    .update(documents)
    .set({ splitAt: new Date() })
    .where(and(eq(documents.id, documentId), isNull(documents.splitAt)))
    .returning({ id: documents.id });
  if (split === undefined) return;
  await storeChunks(tx, { organizationId, twinId, documentId }, found);
  await incrementKnowledgeVersion(tx, twinId);
  await trainingProgressed(tx, twinId);
}

/** Marks the twin as ready if it has a profile or at least one chunk; a twin that has lost both returns to training. */
function finish(
  deps: TrainingDeps,
  data: TrainingData,
  revision: number,
  measured: MeasuredHistory | null,
): Promise<void> {
  const { db, jobs } = deps;
  return asTenant(db, data, async (tx) => {
    const [twin] = await findTwin(tx, data).for("no key update");
    if (twin === undefined) return;
    const [chunk] = await tx.select({ total: count() }).from(chunks).where(eq(chunks.twinId, twin.id)).limit(1);
    const ready = measured !== null || (chunk?.total ?? 0) > 0;
    const trained = ready ? { lastTrainedAt: new Date() } : {};
    const [after] = await tx
      .update(twins)
      .set({
        ...trained,
        status: ready ? "ready" : "training",
        styleProfile: measured === null ? null : await styleByPeopleNow(tx, twin.id, measured),
        // Without messages of the owner there is no style to compare with.
        ...(measured === null ? { styleAccuracy: null } : {}),
        trainedRevision: revision,
        trainingStage: null,
        trainingProgress: 1,
        trainingError: null,
        trainingCutOff: 0,
        embeddingCutOff: 0,
      })
      .where(eq(twins.id, twin.id))
      .returning();
    const { organizationId, userId } = data;
    await keepVersion(tx, after!, "training", null);
    await jobs.enqueue(tx, "replay-corrections", { organizationId, userId, twinId: twin.id });
    await jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId: twin.id });
    if (measured !== null) {
      await storeGroups(tx, twin.id, measured);
      await jobs.enqueue(tx, "measure-fidelity", { organizationId, userId, twinId: twin.id });
      await jobs.enqueue(tx, "find-facts", { organizationId, userId, twinId: twin.id });
    }
    if (ready) await requestEmbeddings(tx, deps, { ...data, twinId: twin.id });
    if (ready) await recordActivity(tx, data, twin, "training_completed", "Обучение завершено");
    // Changes made meanwhile need another training; a running import requests it when it ends.
    if (twin.knowledgeRevision !== revision && !(await isImporting(tx, twin.id))) {
      await requestTraining(tx, jobs, data, twin.id);
    }
  });
}

/** Contacts may have been merged during the measurement. The twin is locked here, so no further merge can happen. */
async function styleByPeopleNow(tx: Tx, twinId: string, { style, people }: MeasuredHistory): Promise<unknown> {
  return withFewerPeople(style, lostPeople(people, await personOfContacts(tx, twinId)));
}

/**
 * Stores each contact's style group, or null for contacts outside the measured style. Rows locked by an import are skipped, because the
 * import may wait for the twin's lock; the training after the import stores them.
 */
async function storeGroups(tx: Tx, twinId: string, { groupOf }: MeasuredStyle): Promise<void> {
  const [ids, keys] = [sql.param([...groupOf.keys()]), sql.param([...groupOf.values()])];
  await tx.execute(sql`
    update ${contacts} set style_group = placed.key
    from (
      select known.id, found.key from ${contacts} known
      left join unnest(${ids}::bigint[], ${keys}::text[]) as found (id, key) on found.id = known.id
      where known.twin_id = ${twinId} for no key update of known skip locked
    ) placed
    where ${contacts.id} = placed.id and ${contacts.styleGroup} is distinct from placed.key`);
}

async function isImporting(tx: Tx, twinId: string): Promise<boolean> {
  const running = and(eq(imports.twinId, twinId), eq(imports.status, "running"));
  return (await tx.select({ id: imports.id }).from(imports).where(running).limit(1)).length > 0;
}

async function showFailure(db: Database, data: TrainingData, error: unknown): Promise<void> {
  const reason = error instanceof Problem ? error.message : "внутренняя ошибка";
  await asTenant(db, data, (tx) =>
    tx
      .update(twins)
      .set({
        trainingStage: null,
        trainingProgress: 1,
        trainingError: `Обучение не завершилось: ${reason}. Мы повторим его позже.`,
      })
      .where(eq(twins.id, data.twinId)),
  );
}

/** Writes stage and share to the twin's row, at most three times a second, and reports each step to `onStep`. */
class Progress {
  readonly #deps: TrainingDeps;
  readonly #data: TrainingData;
  #stage = "";
  #writtenAt = 0;

  constructor(deps: TrainingDeps, data: TrainingData) {
    this.#deps = deps;
    this.#data = data;
  }

  async enter(stage: string, share: number): Promise<void> {
    this.#stage = stage;
    await this.#write({ trainingStage: stage, trainingProgress: share, trainingError: null });
    await this.#deps.onStep?.({ stage, share });
  }

  async reach(share: number): Promise<void> {
    if (performance.now() - this.#writtenAt >= PROGRESS_MS) await this.#write({ trainingProgress: share });
    await this.#deps.onStep?.({ stage: this.#stage, share });
  }

  async #write(values: Partial<typeof twins.$inferInsert>): Promise<void> {
    this.#writtenAt = performance.now();
    await asTenant(this.#deps.db, this.#data, (tx) =>
      tx.update(twins).set(values).where(eq(twins.id, this.#data.twinId)),
    );
  }
}
