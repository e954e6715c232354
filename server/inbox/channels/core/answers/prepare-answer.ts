/** Reads a contact's waiting messages and prepares an answer in four steps: load, filter, apply the policy, plan. */
import { and, eq, gte, isNull, ne, sql } from "drizzle-orm";
import type { Citations, ReplyContext } from "#server/answers/replies/answer-conversation.ts";
import type { Plan } from "#server/answers/replies/reply-request.ts";
import { isConfident } from "#server/models/media/confidence-threshold.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { openCredentials } from "../../credentials.ts";
import { openChannel, platformOf } from "../../registry.ts";
import {
  draftReason,
  LOOP_MS,
  type SenderSignals,
  type Situation,
  shouldAskToWrite,
  shouldSendAwayMessage,
  silenceReason,
} from "../conversations/answer-policy.ts";
import {
  type ContactNotes,
  type ConversationRow,
  loadContactNotes,
  questionText,
  transcriptText,
} from "../conversations/contact-conversation.ts";
import { historyOf } from "../conversations/conversation-history.ts";
import { debounceEnd } from "../conversations/debounce.ts";
import { type SenderTrust, senderTrustOf } from "../conversations/sender-trust.ts";
import { isStopped } from "../conversations/stop-switch.ts";
import { closedNow } from "../conversations/working-hours.ts";
import { isBeingRead } from "../inbox/keep-media.ts";
import { uncountAttempt } from "../inbox/set-aside/answer-attempts.ts";
import type { AnswerDeps, AnswerInProgress, AnswerJob } from "./answer-in-progress.ts";
import { askToWrite, hasJustAsked } from "./ask-to-write.ts";
import { escalationTopic } from "./escalation-policy.ts";
import { filterWaiting, type PendingMessages, settleEvents } from "./filter-waiting.ts";
import { messageOf } from "./incoming-question.ts";
import { loadWaiting, type Waiting } from "./load-waiting.ts";
import { isOpen, openQuestionsOf } from "./open-questions/open-questions.ts";
import { unprovenObstacle } from "./unproven-limit.ts";

/**
 * @param waitForBurst whether to wait for the end of a burst of messages
 * @returns the planned answer; null when there is nothing to answer, or not yet
 */
export async function prepareAnswer(
  context: ReplyContext,
  deps: AnswerDeps,
  job: AnswerJob,
  waitForBurst: boolean,
): Promise<AnswerInProgress | null> {
  const { tx } = context;
  const waiting = await loadWaiting(tx, job);
  if (waiting === null) return null;
  const toAnswer = await filterWaiting(tx, deps.log, waiting);
  const { conversation } = waiting;
  const noted = await loadContactNotes(tx, conversation.contactId!);
  const stopped = await isStopped(tx, job.organizationId);
  const sender = await senderTrustOf(
    tx,
    conversation.contactId!,
    toAnswer.asked.map(({ inbound }) => inbound),
  );
  const from: SenderSignals = { sender, stopUnproven: noted.stopUnproven };
  const situation = situationOf(waiting, toAnswer, noted);
  const silent = silenceReason(situation);
  const last = toAnswer.asked.at(-1);
  if (
    last !== undefined &&
    shouldSendAwayMessage(situation, { stopped, awayToldAt: conversation.awayToldAt, ...from })
  ) {
    const { awayText } = waiting.integration.workingHours!;
    if (sender === "proven" || (await unprovenObstacle(tx, conversation)) === null)
      await enqueueAwayMessage(tx, deps, job, conversation, {
        question: transcriptText(last.inbound),
        text: awayText,
        sender,
      });
  }
  if (last === undefined || silent !== null) {
    await settleEvents(tx, idsOfEvents(toAnswer), "ignored", silent);
    return null;
  }
  // The job that reads the last recording or picture enqueues this one again.
  if (toAnswer.open.some(({ inbound }) => isBeingRead(inbound))) {
    await uncountAttempt(tx, job);
    return null;
  }
  if (waitForBurst && (await waitsForMore(tx, deps, job, toAnswer))) return null;
  return planAnswer(context, { deps, job, waiting, toAnswer, noted, situation, stopped, from });
}

const idsOfEvents = ({ open }: PendingMessages): number[] => open.map(({ id }) => id);

const situationOf = (
  { integration, twin, conversation }: Waiting,
  { optedOutAt }: PendingMessages,
  { consentRefused }: ContactNotes,
): Situation => ({
  twinActive: twin.isActive,
  integrationStatus: integration.status,
  autonomy: conversation.autonomy ?? integration.autonomy,
  pausedUntil: conversation.pausedUntil,
  optedOutAt,
  consentRefused,
  closed: closedNow(integration.workingHours),
  now: new Date(),
});

/** Whether the contact may still be writing; the job is then enqueued again for later. */
async function waitsForMore(tx: Tx, deps: AnswerDeps, job: AnswerJob, { open }: PendingMessages): Promise<boolean> {
  const ended = debounceEnd(open.map(({ inbound, receivedAt }) => ({ text: inbound.text, at: receivedAt.getTime() })));
  if (ended <= Date.now() + 50) return false;
  await uncountAttempt(tx, job);
  await deps.jobs.enqueue(tx, "process-inbox", job, new Date(ended));
  return true;
}

interface AnswerPreparation {
  deps: AnswerDeps;
  job: AnswerJob;
  waiting: Waiting;
  toAnswer: PendingMessages;
  noted: ContactNotes;
  situation: Situation;
  stopped: boolean;
  from: SenderSignals;
}

/** Plans the answer once it is certain that there is a question and that the twin may answer. */
async function planAnswer(
  context: ReplyContext,
  { deps, job, waiting, toAnswer, noted, situation, stopped, from }: AnswerPreparation,
): Promise<AnswerInProgress | null> {
  const { tx } = context;
  const { integration, twin, conversation } = waiting;
  const { autonomy, closed } = situation;
  const asked = toAnswer.asked.map(({ inbound }) => inbound);
  const last = toAnswer.asked.at(-1)!;
  const ids = idsOfEvents(toAnswer);
  const question = asked.map(questionText).join("\n");
  const message = messageOf(asked);
  const opened = await context.open(twin.id, { contactId: conversation.contactId });
  const history = await historyOf(tx, conversation.id, ids);
  const textless = asked.every(({ text, words = [] }) => text === "" && words.every((each) => each.text === ""));
  const unclear = asked.some(({ words = [] }) => words.some(({ confidence }) => !isConfident(confidence)));
  const recentReplies = await recentRepliesOf(tx, conversation);
  const risk = escalationTopic(question);
  const ofConversation = conversation.autonomy !== null;
  const signs = { stopped, closed, textless, unclear, recentReplies, risk, ofConversation, ...from };
  const { sender } = from;
  if (
    shouldAskToWrite(autonomy, signs, await hasJustAsked(tx, conversation.id)) &&
    (sender === "proven" || (await unprovenObstacle(tx, conversation)) === null)
  ) {
    await askToWrite(tx, deps, job, conversation, { question, address: noted.address, sender });
    await settleEvents(tx, ids, "done", null);
    return null;
  }
  const reasonFor = (plan: Plan) => draftReason(autonomy, plan, signs);
  const answer = await context.answer(opened, {
    message,
    history,
    audience: { kind: "contact", contactId: conversation.contactId! },
    contact: platformOf(integration.platform).contactsAreNameless
      ? noted
      : { ...noted, name: conversation.participantName },
    timeZone: integration.workingHours?.timeZone,
    seed: `${conversation.id}:${history.length}:${message}`,
    drafted: true,
    // An answer sent without approval may promise the owner's reply, because a draft for the owner is created with it.
    ownerAnswers: async (plan) => {
      if (autonomy !== "auto" || reasonFor(plan) !== null) return null;
      return isOpen(await openQuestionsOf(tx, conversation.id), question) ? "asked" : "will";
    },
  });
  const { planned } = answer;
  const channel = openChannel(openCredentials(deps.vault, integration), deps.config, integration);
  return {
    eventIds: ids,
    conversation,
    question,
    sender,
    answer,
    reason: reasonFor(planned),
    shownEarly: planned === answer.request.plan,
    reasonFor,
    receivedAt: last.receivedAt,
    typing: async () => channel?.typing?.(job.conversationKey, last.inbound.context ?? {}),
  };
}

/** Enqueues the owner's away message for closed hours, at every level of autonomy. */
async function enqueueAwayMessage(
  tx: Tx,
  deps: AnswerDeps,
  { organizationId, userId, integrationId }: AnswerJob,
  conversation: ConversationRow,
  { question, text, sender }: { question: string; text: string; sender: SenderTrust },
): Promise<void> {
  const reason = "Вне рабочих часов";
  const citations: Citations = { sources: [], replyExamples: [], confidence: 1, basis: "smalltalk", reason };
  const ids = { orgId: organizationId, integrationId, conversationId: conversation.id };
  const toUnproven = sender !== "proven";
  await tx.insert(outbox).values({
    ...{ ...ids, question, text, secrecy: "organization", state: "pending" },
    ...{ confidence: 1, citations, toUnproven },
  });
  await tx.update(conversations).set({ awayToldAt: new Date() }).where(eq(conversations.id, conversation.id));
  await deps.jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: conversation.id });
}

/** Counts recent unapproved replies to one contact over all conversations, because each email may start a new conversation. */
export async function recentRepliesOf(tx: Tx, { contactId, integrationId }: ConversationRow): Promise<number> {
  const since = new Date(Date.now() - LOOP_MS);
  const conversationIds = tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.contactId, contactId!));
  const [row] = await tx
    .select({ total: sql<number>`count(*)::int` })
    .from(outbox)
    .where(
      and(
        // Not a join: the embedded database keeps no statistics, and would go through all replies of the integration.
        sql`${outbox.conversationId} = any(array(${conversationIds}))`,
        eq(outbox.integrationId, integrationId!),
        isNull(outbox.decidedBy),
        // A question that waits for the owner's answer has no text yet.
        ne(outbox.text, ""),
        gte(outbox.createdAt, since),
      ),
    );
  return row?.total ?? 0;
}
