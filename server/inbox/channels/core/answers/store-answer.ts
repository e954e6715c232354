/** Stores an answer: it is sent, waits as a draft, or is dropped because the owner has taken over. */
import { and, eq, inArray } from "drizzle-orm";
import { recordUnanswered, sortStartTime } from "#server/inbox/conversations/unanswered/unanswered.ts";
import { emit } from "#server/inbox/webhooks/emit.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import { strictestOf } from "#server/platform/db/secrecy/secrecy.ts";
import { idsOf, lockTwin, webhookIdsOf } from "../conversations/contact-conversation.ts";
import type { AnswerDeps, AnswerInProgress, AnswerJob } from "./answer-in-progress.ts";
import { escalationTopic } from "./escalation-policy.ts";
import { keepQuestion } from "./open-questions/open-questions.ts";
import { unprovenObstacle } from "./unproven-limit.ts";

/** Settles the messages of the burst, once. @returns whether there is still somebody to answer and the twin may do so */
async function settleMessages(tx: Tx, { eventIds, conversation }: AnswerInProgress): Promise<boolean> {
  await lockTwin(tx, conversation.twinId);
  const [current] = await tx
    .select({ pausedUntil: conversations.pausedUntil })
    .from(conversations)
    .where(eq(conversations.id, conversation.id))
    .for("no key update");
  // The owner took over while the answer was being made, so the twin says nothing.
  const ownerLeads = current !== undefined && current.pausedUntil !== null && current.pausedUntil > new Date();
  const settled = await tx
    .update(inboxEvents)
    .set(ownerLeads ? { status: "ignored", error: "Диалог ведёте вы" } : { status: "done", error: null })
    .where(and(inArray(inboxEvents.id, eventIds), eq(inboxEvents.status, "pending")))
    .returning({ id: inboxEvents.id });
  return settled.length > 0 && !ownerLeads;
}

const placeInOutbox = (job: AnswerJob, { conversation }: AnswerInProgress) => ({
  orgId: job.organizationId,
  integrationId: job.integrationId,
  conversationId: conversation.id,
});

/** Keeps the message for the owner, with the reason, when no model may be asked today. Nothing else answers instead. */
export async function storeUnanswered(
  tx: Tx,
  job: AnswerJob,
  answering: AnswerInProgress,
  reason: string,
): Promise<void> {
  if (!(await settleMessages(tx, answering))) return;
  const { conversation, question } = answering;
  await tx.insert(outbox).values({
    ...placeInOutbox(job, answering),
    question,
    text: "",
    secrecy: "organization",
    state: "draft",
    reason,
  });
  await emit(tx, {
    type: "draft.created",
    ...webhookIdsOf(conversation),
    secrecy: "organization",
    data: { ...idsOf(conversation), confidence: 0, reason },
    texts: { contactName: conversation.participantName, question, text: "" },
  });
}

/**
 * @param leftOpen what the answer says nothing of; null: it answers all
 * @returns whether the answer is sent without the owner
 */
export async function storeAnswer(
  tx: Tx,
  deps: AnswerDeps,
  job: AnswerJob,
  answering: AnswerInProgress,
  text: string,
  leftOpen: string | null,
): Promise<boolean> {
  const { conversation, question, answer, receivedAt } = answering;
  // While only the owner may speak, such a question or answer is never sent automatically.
  const held = answering.reason ?? escalationTopic(text) ?? answering.reasonFor(answer.planOf(text));
  if (!(await settleMessages(tx, answering))) return false;
  const isUnproven = answering.sender !== "proven";
  const reason = held ?? (isUnproven ? await unprovenObstacle(tx, conversation) : null);
  const citations = answer.citationsOf(text);
  const secrecy = strictestOf("organization", answer.secrecyOf(text));
  await tx.insert(outbox).values({
    ...placeInOutbox(job, answering),
    question,
    text,
    secrecy,
    state: reason === null ? "pending" : "draft",
    reason,
    toUnproven: isUnproven && reason === null,
    confidence: citations.confidence,
    citations,
    durationMs: Math.max(0, Date.now() - receivedAt.getTime()),
  });
  const { organizationId, userId } = job;
  if (leftOpen !== null) {
    const { orgId, twinId, id: conversationId } = conversation;
    await recordUnanswered(tx, { orgId, twinId, conversationId, said: leftOpen });
    await deps.jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId }, sortStartTime());
  }
  if (reason !== null) {
    await emit(tx, {
      type: "draft.created",
      ...webhookIdsOf(conversation),
      secrecy,
      data: { ...idsOf(conversation), confidence: citations.confidence, reason },
      texts: { contactName: conversation.participantName, question, text },
    });
    return false;
  }
  const { request } = answer;
  if (request.ownerAnswers && answer.leavesToOwner(text))
    await keepQuestion(tx, { conversation, question, request, told: text, citations, secrecy });
  await deps.jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: conversation.id });
  return true;
}
