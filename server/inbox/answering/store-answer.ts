/** Stores an answer: it is sent, waits as a draft, or is dropped because the owner has taken over. */
import { and, eq, inArray } from "drizzle-orm";
import type { Plan } from "#server/answers/replies/reply-request.ts";
import { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import {
  idsOf,
  lockTwin,
  transcriptText,
  webhookIdsOf,
} from "#server/inbox/conversation-control/contact-conversation.ts";
import { uncountAttempt } from "#server/inbox/incoming/waiting-events.ts";
import { recordUnanswered, sortStartTime } from "#server/inbox/unanswered/unanswered.ts";
import { emit } from "#server/inbox/webhooks/emit.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import { strictestOf } from "#server/platform/db/schema/secrecy.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { AnswerDeps } from "./answer-job.ts";
import { escalationTopic } from "./escalation-policy.ts";
import { enqueueSending } from "./fixed-replies.ts";
import { keepQuestion } from "./open-questions.ts";
import type { PreparedAnswer } from "./prepare-answer.ts";
import { unprovenObstacle } from "./unproven-limit.ts";

/** Settles the messages of the burst, once. @returns whether there still is a contact to answer and the twin may answer */
async function settleMessages(tx: Tx, { job, open, conversation }: PreparedAnswer, jobs: Jobs): Promise<boolean> {
  await lockTwin(tx, conversation.twinId);
  const [current] = await tx
    .select({ pausedUntil: conversations.pausedUntil })
    .from(conversations)
    .where(eq(conversations.id, conversation.id))
    .for("no key update");
  // Changes of messages lock the conversation too, so none comes between this look and the end. After a kill two runs may answer at
  // once, and what one of them has answered must not be answered again together with a later message.
  if (await isChanged(tx, open)) {
    await uncountAttempt(tx, job);
    await jobs.enqueue(tx, "process-inbox", job);
    return false;
  }
  // The owner took over while the answer was being generated, so the twin stays silent.
  const ownerLeads = current !== undefined && current.pausedUntil !== null && current.pausedUntil > new Date();
  const ids = open.map(({ id }) => id);
  const settled = await tx
    .update(inboxEvents)
    .set(ownerLeads ? { status: "ignored", error: "Диалог ведёте вы" } : { status: "done", error: null })
    .where(and(inArray(inboxEvents.id, ids), eq(inboxEvents.status, "pending")))
    .returning({ id: inboxEvents.id });
  return settled.length > 0 && !ownerLeads;
}

/** Whether meanwhile the contact has changed or deleted a message, or another run has answered a part of them. */
async function isChanged(tx: Tx, open: PreparedAnswer["open"]): Promise<boolean> {
  const rows = await tx
    .select({ id: inboxEvents.id, inbound: inboxEvents.inbound, status: inboxEvents.status })
    .from(inboxEvents)
    .where(
      inArray(
        inboxEvents.id,
        open.map(({ id }) => id),
      ),
    );
  const now = new Map(rows.map((row) => [row.id, row]));
  const waiting = rows.some(({ status }) => status === "pending");
  return (
    waiting &&
    open.some(({ id, inbound }) => {
      const row = now.get(id);
      if (row === undefined) return false;
      return row.status !== "pending" || transcriptText(Inbound.parse(row.inbound)) !== transcriptText(inbound);
    })
  );
}

const outboxIdsOf = ({ job, conversation }: PreparedAnswer) => ({
  orgId: job.organizationId,
  integrationId: job.integrationId,
  conversationId: conversation.id,
});

/**
 * Leaves the message and the reason to the owner when the daily model budget is spent, or the model refuses the message. No other reader
 * answers instead.
 */
export async function storeUnanswered(tx: Tx, jobs: Jobs, prepared: PreparedAnswer, reason: string): Promise<void> {
  if (!(await settleMessages(tx, prepared, jobs))) return;
  const { conversation, question } = prepared;
  await tx.insert(outbox).values({
    ...outboxIdsOf(prepared),
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

/** What later answers are calibrated by (read-track-record.ts), what the owner reads of earlier ones, and what he must check or do, in words that are as secret as the answer. */
const judgementOf = ({ band, track, doubtful, held, action, reason }: Plan) => ({
  ...(held || action ? { why: reason } : {}),
  ...(doubtful === undefined ? {} : { doubtful }),
  ...(band === undefined ? {} : { band }),
  ...(track === undefined ? {} : { track }),
});

/**
 * @param leftOpen the part of the question that the answer leaves open; null when it leaves none
 * @returns whether the answer is sent without the owner
 */
export async function storeAnswer(
  tx: Tx,
  deps: AnswerDeps,
  prepared: PreparedAnswer,
  written: string,
  leftOpen: string | null,
): Promise<boolean> {
  const { job, conversation, question, answer, questions, sender } = prepared;
  // An empty draft asks the owner for his own words.
  const text = answer.putsFriendOff(written) ? "" : written;
  // A topic that only the owner may answer is never sent automatically, whether the question or the answer mentions it.
  const plan = answer.planOf(text);
  const held = plan.scripted
    ? prepared.reasonFor(plan)
    : (prepared.reason ?? escalationTopic(text) ?? prepared.reasonFor(plan));
  if (!(await settleMessages(tx, prepared, deps.jobs))) return false;
  const isUnproven = sender !== "proven";
  const reason = held ?? (isUnproven ? await unprovenObstacle(tx, conversation) : null);
  const citations = answer.citationsOf(text);
  const secrecy = strictestOf("organization", answer.secrecyOf(text));
  await tx.insert(outbox).values({
    ...outboxIdsOf(prepared),
    question,
    text,
    secrecy,
    state: reason === null ? "pending" : "draft",
    reason,
    toUnproven: isUnproven && reason === null,
    confidence: citations.confidence,
    citations: { ...citations, ...judgementOf(plan) },
    durationMs: Math.max(0, Date.now() - questions.at(-1)!.receivedAt.getTime()),
  });
  if (leftOpen !== null) {
    const { orgId, twinId, id: conversationId } = conversation;
    const { organizationId, userId } = job;
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
  await enqueueSending(tx, deps, prepared);
  return true;
}
