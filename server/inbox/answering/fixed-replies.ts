/** Replies without a model: the owner's away message, and the request to write what a recording or picture says. */
import { desc, eq } from "drizzle-orm";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import type { Address } from "#server/knowledge/language/address.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import type { AnswerDeps } from "./answer-job.ts";
import type { Burst } from "./load-burst.ts";

const AWAY = "Вне рабочих часов";
const ASKED = "Просьба написать словами";
const WORDS: Record<Address, string> = {
  вы: "Не получилось разобрать ваше сообщение. Напишите, пожалуйста, то же самое текстом.",
  ты: "Не получилось разобрать твоё сообщение. Напиши, пожалуйста, то же самое текстом.",
};

/** Enqueues the owner's away message for closed hours, at every level of autonomy. */
export async function enqueueAwayMessage(tx: Tx, deps: AnswerDeps, burst: Burst, question: string): Promise<void> {
  await storeReply(tx, burst, { question, text: burst.integration.workingHours!.awayText, reason: AWAY });
  await tx.update(conversations).set({ awayToldAt: new Date() }).where(eq(conversations.id, burst.conversation.id));
  await enqueueSending(tx, deps, burst);
}

/** Returns whether the last outgoing message was this request. */
export async function hasJustAsked(tx: Tx, conversationId: string): Promise<boolean> {
  const [last] = await tx
    .select({ citations: outbox.citations })
    .from(outbox)
    .where(eq(outbox.conversationId, conversationId))
    .orderBy(desc(outbox.createdAt))
    .limit(1);
  return (last?.citations as Citations | null | undefined)?.reason === ASKED;
}

export async function askToWrite(tx: Tx, deps: AnswerDeps, burst: Burst, question: string): Promise<void> {
  await storeReply(tx, burst, { question, text: WORDS[burst.contact.address ?? "вы"], reason: ASKED });
  await enqueueSending(tx, deps, burst);
}

async function storeReply(
  tx: Tx,
  { conversation, integration, sender }: Burst,
  { question, text, reason }: { question: string; text: string; reason: string },
): Promise<void> {
  const citations: Citations = { sources: [], replyExamples: [], confidence: 1, basis: "smalltalk", reason };
  await tx.insert(outbox).values({
    ...{ orgId: conversation.orgId, integrationId: integration.id, conversationId: conversation.id },
    ...{ question, text, secrecy: "organization", state: "pending" },
    ...{ confidence: 1, citations, toUnproven: sender !== "proven" },
  });
}

export async function enqueueSending(tx: Tx, { jobs }: AnswerDeps, { job, conversation }: Burst): Promise<void> {
  const { organizationId, userId } = job;
  await jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: conversation.id });
}
