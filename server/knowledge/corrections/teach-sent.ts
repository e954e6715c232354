/** Learns the owner's text, sent instead of a draft, when he wants the twin to use it from now on. */
import { eq } from "drizzle-orm";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversations, outbox, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { correctedAnswer } from "./corrected-answer.ts";
import { acceptCorrection } from "./corrections.ts";
import { personalReason } from "./personal.ts";
import { answerKind } from "./propose.ts";

interface TeachDeps {
  db: Database;
  jobs: Jobs;
  log: Log;
  queryEmbedder: QueryEmbedder | null;
}

/**
 * Call it before sending an answer that teaches, so that the owner learns of problems while he can still change it.
 * @throws Problem 404 when the twin is not the caller's; 422 when the text must not be sent or published
 */
export async function requireTeachable(
  tx: Tx,
  caller: Tenant,
  twinId: string,
  { text, scope }: { text: string; scope: CorrectionScope },
): Promise<void> {
  await getOwnTwin(tx, caller, twinId);
  if (claimsToBeHuman(text))
    throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
  const personal = scope === "contact" ? null : await personalReason(tx, twinId, [text], { withContact: true });
  if (personal === null) return;
  throw unprocessable("personal_correction", `${personal} Научите этому только для этого собеседника.`);
}

/**
 * Call it after sending an answer: learns it for the contact, or for everyone if the owner has published it. It runs once without
 * retries: a failed text stays in the owner's list of undecided wordings.
 */
export async function teachSent(
  deps: TeachDeps,
  tenant: Tenant,
  outboxId: string,
  scope: CorrectionScope,
): Promise<void> {
  const { db, jobs, log } = deps;
  try {
    const found = await asTenant(db, tenant, (tx) => wordsOf(tx, outboxId));
    if (found === undefined) return;
    const { twinId, ownerId, id, text } = found;
    const owner = { organizationId: tenant.organizationId, userId: ownerId };
    const from = { kind: "feedback", id: String(id) } as const;
    const { question, twinReply } = await asTenant(db, owner, (tx) => correctedAnswer({ tx, twinId, ownerId }, from));
    const kind = answerKind({ question, twinReply, text });
    await acceptCorrection(deps, owner, twinId, { from, kind, question, text, rules: [], scope });
    // The question now has an answer, so its gap may be closed.
    await asTenant(db, owner, (tx) => jobs.enqueue(tx, "close-gaps", { ...owner, twinId }));
  } catch (error) {
    log.warn({ err: error, outbox: outboxId }, "what was sent was not learnt");
  }
}

async function wordsOf(tx: Tx, outboxId: string) {
  const [row] = await tx
    .select({
      id: replyFeedback.id,
      text: replyFeedback.correction,
      twinId: replyFeedback.twinId,
      ownerId: replyFeedback.userId,
    })
    .from(replyFeedback)
    .innerJoin(outbox, eq(outbox.id, replyFeedback.outboxId))
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .where(eq(outbox.id, outboxId));
  return row?.text ? { ...row, text: row.text } : undefined;
}
