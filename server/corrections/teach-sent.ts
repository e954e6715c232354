/** What the owner has written in place of a draft, and wants the twin to say by itself from then on. */
import { eq } from "drizzle-orm";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { conversations, outbox, replyFeedback } from "#server/db/schema.ts";
import { unprocessable } from "#server/errors.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import { claimsToBeHuman } from "#server/output-guard/human-claim.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import { getOwnTwin } from "#server/twins/twins.ts";
import { acceptLesson, proposeLesson } from "./corrections.ts";

interface TeachDeps {
  db: Database;
  jobs: Jobs;
  log: Log;
  meanings: Meanings | null;
}

/** @throws Problem 404: the twin is not his; 422: it may never say that */
export async function mustBeTeachable(tx: Tx, viewer: Tenant, twinId: string, text: string): Promise<void> {
  await getOwnTwin(tx, viewer, twinId);
  if (claimsToBeHuman(text))
    throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
}

/**
 * After an answer has gone out: what was proposed of it is learnt, for everybody unless it is one contact's own. It goes out once, so
 * what fails is not tried again: the owner finds his words among the corrections of which nothing was learnt yet.
 */
export async function teachSent(deps: TeachDeps, tenant: Tenant, outboxId: string): Promise<void> {
  const { db, log } = deps;
  try {
    const found = await asTenant(db, tenant, (tx) => wordsOf(tx, outboxId));
    if (found === undefined) return;
    const { twinId, ownerId, id, correction } = found;
    const owner = { organizationId: tenant.organizationId, userId: ownerId };
    const from = { kind: "feedback", id: String(id) } as const;
    const proposal = await proposeLesson(db, owner, twinId, { from, correction });
    const { suggested, question, text, personal, contactName } = proposal;
    // A habit of writing is no answer.
    const kind = suggested === "style" ? "exemplar" : suggested;
    const scope = personal === null || contactName === null ? "everybody" : "contact";
    await acceptLesson(deps, owner, twinId, { from, kind, question, text, rules: [], scope });
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
