/** What the customer learns of an act that its owner has decided on: in a channel by the outbox, in a test chat at once. */
import { eq, sql } from "drizzle-orm";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import { endReason } from "#server/answers/tools/calls-now.ts";
import { toldOf } from "#server/answers/tools/change-steps.ts";
import { fieldsOf } from "#server/answers/tools/kind-of.ts";
import { type ActRow, lockTool } from "#server/answers/tools/ledger.ts";
import { proofFieldsOf } from "#server/answers/tools/tool.ts";
import { doneText, notFound as nothingFound, resultText } from "#server/answers/tools/wording.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

/** Characters of a message that the list of conversations shows. */
const PREVIEW_CHARS = 200;

/** What the customer reads of the outcome; null: the owner writes to him. */
async function wordsFor(tx: Tx, act: ActRow): Promise<string | null> {
  if (act.changes) {
    if (act.state !== "done") return null;
    const made = act.toolId === null ? null : await lockTool(tx, act.toolId);
    return doneText(act.title, toldOf(made, act.result));
  }
  if (act.ownerQuestion !== null) return act.state === "done" ? (act.result[0]?.value ?? null) : null;
  if (act.state === "done") return resultText(act.arguments, act.result);
  const tool = act.refusal !== "proof" || act.toolId === null ? null : await lockTool(tx, act.toolId);
  if (tool === null) return null;
  const fields = [...fieldsOf(tool).filter(({ required }) => required), ...proofFieldsOf(tool)];
  return nothingFound(
    fields.map(({ label }) => label),
    null,
  );
}

/** Stores the message to the customer, in the transaction of the outcome. Where no words of code fit, the owner writes to him. */
export async function tellCustomer(
  tx: Tx,
  { jobs }: { jobs: Pick<Jobs, "enqueue"> },
  caller: Caller,
  act: ActRow,
): Promise<void> {
  const text = await wordsFor(tx, act);
  if (text === null || act.conversationId === null) return;
  const { conversationId } = act;
  const [conversation] = await tx
    .select({ integrationId: conversations.integrationId, userId: conversations.userId, ownerId: twins.ownerId })
    .from(conversations)
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(eq(conversations.id, conversationId));
  if (conversation === undefined) return;
  const { integrationId, userId, ownerId } = conversation;
  const citations: Citations = {
    ...{ sources: [], replyExamples: [], confidence: 1, basis: "smalltalk" },
    ...{ reason: endReason(act), scripted: true },
  };
  if (userId !== null) {
    // As the other messages of a test chat (conversations/test-chat).
    const secrecy = userId === ownerId ? "owner" : "organization";
    await tx
      .insert(conversationMessages)
      .values({ orgId: act.orgId, conversationId, role: "assistant", content: text, secrecy, citations });
    await tx
      .update(conversations)
      .set({
        lastMessage: text.replace(/\s+/g, " ").slice(0, PREVIEW_CHARS).toWellFormed(),
        updatedAt: sql`now()`,
        messageCount: sql`${conversations.messageCount} + 1`,
      })
      .where(eq(conversations.id, conversationId));
    return;
  }
  if (integrationId === null) return;
  await tx.insert(outbox).values({
    ...{ orgId: act.orgId, integrationId, conversationId, question: "", text },
    ...{ secrecy: "organization", state: "pending", confidence: 1, citations, decidedBy: caller.userId },
  });
  const { organizationId } = caller;
  await jobs.enqueue(tx, "send-outbox", { organizationId, userId: caller.userId, conversationId });
}

/** Notifies open screens that a conversation shows the act in another state; of a test chat only its member's. */
export async function tellScreens(tx: Tx, { conversationId }: ActRow): Promise<void> {
  if (conversationId === null) return;
  await tx.execute(
    sql`select tell_inbox(org_id, user_id, 'conversation', id) from conversations where id = ${conversationId}`,
  );
}
