/** What the owner has written instead of a draft and wants the twin to say by itself from then on. */
import { eq } from "drizzle-orm";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { conversations, outbox, replyFeedback } from "#server/db/schema.ts";
import { unprocessable } from "#server/errors.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import { claimsToBeHuman } from "#server/output-guard/human-claim.ts";
import type { QueryEmbedder } from "#server/search/embeddings/query-embedder.ts";
import { getOwnTwin } from "#server/twins/twins.ts";
import { acceptCorrection, proposeCorrection } from "./corrections.ts";

interface TeachDeps {
  db: Database;
  jobs: Jobs;
  log: Log;
  queryEmbedder: QueryEmbedder | null;
}

/** @throws Problem 404 when the twin is not the caller's; 422 when it may never say that */
export async function requireTeachable(tx: Tx, caller: Tenant, twinId: string, text: string): Promise<void> {
  await getOwnTwin(tx, caller, twinId);
  if (claimsToBeHuman(text))
    throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
}

/**
 * Called after an answer was sent: learns what was proposed from it, for everybody unless it is one contact's own. It runs once, and a
 * failure is not retried: the owner finds his words among those that were not decided on yet.
 */
export async function teachSent(deps: TeachDeps, tenant: Tenant, outboxId: string): Promise<void> {
  const { db, log } = deps;
  try {
    const found = await asTenant(db, tenant, (tx) => wordsOf(tx, outboxId));
    if (found === undefined) return;
    const { twinId, ownerId, id, correction } = found;
    const owner = { organizationId: tenant.organizationId, userId: ownerId };
    const from = { kind: "feedback", id: String(id) } as const;
    const proposal = await proposeCorrection(db, owner, twinId, { from, correction });
    const { suggested, question, text, personal, contactName } = proposal;
    // A habit of writing is no answer.
    const kind = suggested === "style" ? "example" : suggested;
    const scope = personal === null || contactName === null ? "everybody" : "contact";
    await acceptCorrection(deps, owner, twinId, { from, kind, question, text, rules: [], scope });
  } catch (error) {
    log.warn({ err: error, outbox: outboxId }, "what was sent was not learnt");
  }
}

async function wordsOf(tx: Tx, outboxId: string) {
  const [row] = await tx
    .select({
      id: replyFeedback.id,
      correction: replyFeedback.correction,
      twinId: replyFeedback.twinId,
      ownerId: replyFeedback.userId,
    })
    .from(replyFeedback)
    .innerJoin(outbox, eq(outbox.id, replyFeedback.outboxId))
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .where(eq(outbox.id, outboxId));
  return row?.correction ? { ...row, correction: row.correction } : undefined;
}
