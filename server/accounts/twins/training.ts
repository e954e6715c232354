/** Reports the progress of a twin's training and enqueues one after a change of knowledge. The job is answers/training/train-twin.ts. */
import { and, count, eq, lte, max, ne, sql, sum } from "drizzle-orm";
import type { TrainingState } from "#contract/twins.ts";
import { ownSearchModel } from "#server/accounts/organizations/own-search-model.ts";
import { type Config, embeddingModelOf } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chunks, indexSegments, replyExamples, sources } from "#server/platform/db/schema/knowledge.ts";
import { corrections, embeddings, openReplies } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { getTwinRow, type TwinRow } from "./twins.ts";

const QUEUED = "В очереди";

/** Call it in the transaction that adds or removes chunks, reply examples or documents: in-memory indexes compare this number. */
export async function incrementKnowledgeVersion(tx: Tx, twinId: string): Promise<void> {
  await tx
    .update(twins)
    .set({ knowledgeRevision: sql`${twins.knowledgeRevision} + 1` })
    .where(eq(twins.id, twinId));
}

/** Enqueues a training of new knowledge in the caller's transaction and resets the counter of interrupted runs. */
export async function requestTraining(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  tenant: Tenant,
  twinId: string,
): Promise<void> {
  await tx.update(twins).set({ trainingCutOff: 0 }).where(eq(twins.id, twinId));
  await queueTraining(tx, jobs, tenant, twinId);
}

export async function queueTraining(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  tenant: Tenant,
  twinId: string,
): Promise<void> {
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

export type TrainingConfig = Pick<Config, "embedding" | "modelFiles" | "localModelHosts" | "onlyLocalModels">;

export async function trainingState(
  { db, config }: { db: Database; config: TrainingConfig },
  caller: Tenant,
  id: string,
): Promise<TrainingState> {
  return asTenant(db, caller, async (tx) => {
    const twin = await getTwinRow(tx, caller, id);
    const model = (await ownSearchModel(tx, caller.organizationId, config)) ?? embeddingModelOf(config);
    const [chunk] = await tx.select({ total: count() }).from(chunks).where(eq(chunks.twinId, id));
    const replyExampleCount = await countReplyExamples(tx, id);
    // Sources store the number of their messages: counting a million rows at every view would be too slow.
    const [message] = await tx
      .select({ total: sum(sources.messageCount).mapWith(Number) })
      .from(sources)
      .where(and(eq(sources.twinId, id), eq(sources.orgId, caller.organizationId)));
    return {
      status: twin.status,
      progress: twin.trainingProgress,
      running: twin.trainingStage !== null,
      stage: twin.trainingStage,
      error: twin.trainingError,
      chunks: chunk?.total ?? 0,
      replyExamples: replyExampleCount,
      messages: message?.total ?? 0,
      embeddings:
        model === null
          ? null
          : await embeddingState(tx, twin, model, { chunks: chunk?.total ?? 0, replyExamples: replyExampleCount }),
    };
  });
}

/** The number of newest pairs that get embeddings (knowledge/embeddings/stored-embeddings.ts). */
const MAX_REPLY_EXAMPLES = 10_000;

async function embeddingState(
  tx: Tx,
  twin: TwinRow,
  model: string,
  known: { chunks: number; replyExamples: number },
): Promise<TrainingState["embeddings"]> {
  const [learnt] = await tx
    .select({ units: count() })
    .from(embeddings)
    .where(and(eq(embeddings.twinId, twin.id), eq(embeddings.model, model)));
  const [counted] = await tx
    .select({
      total: count(),
      learnt: sql<number>`count(*) filter (where ${corrections.embeddingModel} = ${model})`.mapWith(Number),
    })
    .from(corrections)
    .where(and(eq(corrections.twinId, twin.id), eq(corrections.state, "active"), ne(corrections.kind, "style")));
  const [open] = await tx
    .select({ total: count() })
    .from(openReplies)
    .where(and(eq(openReplies.twinId, twin.id), eq(openReplies.state, "open")));
  const taught = counted ?? { total: 0, learnt: 0 };
  const asked = twin.embeddingModel === model;
  return {
    ready: asked && twin.embeddingRevision >= twin.trainedRevision && twin.embeddingRevision >= 0,
    units: (learnt?.units ?? 0) + taught.learnt,
    total: known.chunks + Math.min(MAX_REPLY_EXAMPLES, known.replyExamples) + (open?.total ?? 0) + taught.total,
    error: asked ? twin.embeddingError : null,
  };
}

/** Indexed reply examples are counted by their segments, and only newer ones by rows. */
export async function countReplyExamples(tx: Tx, twinId: string): Promise<number> {
  const [indexed] = await tx
    .select({ total: sum(indexSegments.units).mapWith(Number), last: max(indexSegments.lastId) })
    .from(indexSegments)
    .where(and(eq(indexSegments.twinId, twinId), eq(indexSegments.kind, "example")));
  const [newer] = await tx
    .select({ total: count() })
    .from(replyExamples)
    // Compared as a pair, so that PostgreSQL scans the twin's own index and not the primary key after the last id.
    .where(
      and(
        lte(replyExamples.twinId, twinId),
        sql`(${replyExamples.twinId}, ${replyExamples.id}) > (${twinId}, ${indexed?.last ?? 0})`,
      ),
    );
  return (indexed?.total ?? 0) + (newer?.total ?? 0);
}
