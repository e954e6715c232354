/** How far a twin's training is, and how a change of its knowledge asks for the next one. The job itself is training/train-twin.ts. */
import { and, count, eq, lte, max, ne, sql, sum } from "drizzle-orm";
import type { TrainingState } from "#contract/twins.ts";
import { type Config, meaningModelOf } from "#server/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import {
  corrections,
  embeddings,
  exemplars,
  indexSegments,
  openReplies,
  passages,
  sources,
  twins,
} from "#server/db/schema.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { getTwinRow, type TwinRow } from "./twins.ts";

const QUEUED = "В очереди";

/** Call in the transaction that adds or removes passages, exemplars or documents: indexes in memory compare the number. */
export async function bumpKnowledge(tx: Tx, twinId: string): Promise<void> {
  await tx
    .update(twins)
    .set({ knowledgeRevision: sql`${twins.knowledgeRevision} + 1` })
    .where(eq(twins.id, twinId));
}

/** Asks for a training of what is new, in the caller's transaction: it may work where one was given up. */
export async function requestTraining(tx: Tx, jobs: Jobs, tenant: Tenant, twinId: string): Promise<void> {
  await tx.update(twins).set({ trainingCutOff: 0 }).where(eq(twins.id, twinId));
  await queueTraining(tx, jobs, tenant, twinId);
}

/** A training that waits already is enough. */
export async function queueTraining(tx: Tx, jobs: Jobs, tenant: Tenant, twinId: string): Promise<void> {
  await tx
    .update(twins)
    .set({
      trainingStage: sql`coalesce(${twins.trainingStage}, ${QUEUED})`,
      trainingProgress: sql`case when ${twins.trainingStage} is null then 0 else ${twins.trainingProgress} end`,
      trainingError: null,
    })
    .where(eq(twins.id, twinId));
  const { organizationId, userId } = tenant;
  await jobs.enqueue(tx, "train-twin", { organizationId, userId, twinId });
}

export async function trainingState(
  { db, config }: { db: Database; config: Pick<Config, "embedding" | "modelFiles"> },
  viewer: Tenant,
  id: string,
): Promise<TrainingState> {
  const model = meaningModelOf(config);
  return asTenant(db, viewer, async (tx) => {
    const twin = await getTwinRow(tx, viewer, id);
    const [passage] = await tx.select({ total: count() }).from(passages).where(eq(passages.twinId, id));
    const exemplarCount = await countExemplars(tx, id);
    // Sources count their messages as they store them: counting a million rows at every look would not do.
    const [message] = await tx
      .select({ total: sum(sources.messageCount).mapWith(Number) })
      .from(sources)
      .where(and(eq(sources.twinId, id), eq(sources.orgId, viewer.organizationId)));
    return {
      status: twin.status,
      progress: twin.trainingProgress,
      running: twin.trainingStage !== null,
      stage: twin.trainingStage,
      error: twin.trainingError,
      passages: passage?.total ?? 0,
      exemplars: exemplarCount,
      messages: message?.total ?? 0,
      meaning:
        model === null
          ? null
          : await meaningState(tx, twin, model, { passages: passage?.total ?? 0, exemplars: exemplarCount }),
    };
  });
}

/** As many of the newest pairs as are learnt by meaning (search/meaning/stored-meanings.ts). */
const MOST_EXEMPLARS = 10_000;

async function meaningState(
  tx: Tx,
  twin: TwinRow,
  model: string,
  known: { passages: number; exemplars: number },
): Promise<TrainingState["meaning"]> {
  const [learnt] = await tx
    .select({ units: count() })
    .from(embeddings)
    .where(and(eq(embeddings.twinId, twin.id), eq(embeddings.model, model)));
  const [lesson] = await tx
    .select({
      total: count(),
      learnt: sql<number>`count(*) filter (where ${corrections.meaningModel} = ${model})`.mapWith(Number),
    })
    .from(corrections)
    .where(and(eq(corrections.twinId, twin.id), eq(corrections.state, "active"), ne(corrections.kind, "style")));
  const [open] = await tx
    .select({ total: count() })
    .from(openReplies)
    .where(and(eq(openReplies.twinId, twin.id), eq(openReplies.state, "open")));
  const lessons = lesson ?? { total: 0, learnt: 0 };
  const asked = twin.meaningModel === model;
  return {
    ready: asked && twin.meaningRevision >= twin.trainedRevision && twin.meaningRevision >= 0,
    units: (learnt?.units ?? 0) + lessons.learnt,
    total: known.passages + Math.min(MOST_EXEMPLARS, known.exemplars) + (open?.total ?? 0) + lessons.total,
    error: asked ? twin.meaningError : null,
  };
}

/** Those that are indexed are counted by their segments; only newer ones are looked at. */
export async function countExemplars(tx: Tx, twinId: string): Promise<number> {
  const [indexed] = await tx
    .select({ total: sum(indexSegments.units).mapWith(Number), last: max(indexSegments.lastId) })
    .from(indexSegments)
    .where(and(eq(indexSegments.twinId, twinId), eq(indexSegments.kind, "exemplar")));
  const [newer] = await tx
    .select({ total: count() })
    .from(exemplars)
    // As a pair, so that the twin's own index is walked and not the primary key behind the last id.
    .where(
      and(
        lte(exemplars.twinId, twinId),
        sql`(${exemplars.twinId}, ${exemplars.id}) > (${twinId}, ${indexed?.last ?? 0})`,
      ),
    );
  return (indexed?.total ?? 0) + (newer?.total ?? 0);
}
