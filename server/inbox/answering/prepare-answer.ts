/** Prepares the answer to a burst once it is certain that there is a question and that the twin may answer. */

import { and, eq, gte, isNull, ne, sql } from "drizzle-orm";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { type Answer, planReply } from "#server/answers/replies/plan-reply.ts";
import type { PrefetchedQuestion } from "#server/answers/replies/prefetch-question.ts";
import type { Plan } from "#server/answers/replies/reply-request.ts";
import { openTools } from "#server/answers/tools/tool-desk.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { openChannel, platformOf } from "#server/inbox/channels/registry.ts";
import {
  type AnswerSituation,
  draftReason,
  examReason,
  LOOP_MS,
  shouldAskToWrite,
} from "#server/inbox/conversation-control/answer-policy.ts";
import {
  type ConversationRow,
  isBlank,
  questionText,
} from "#server/inbox/conversation-control/contact-conversation.ts";
import { historyOf } from "#server/inbox/conversation-control/conversation-history.ts";
import { phoneOf } from "#server/inbox/conversation-control/phone-of.ts";
import { readTrackRecords } from "#server/inbox/conversation-control/read-track-record.ts";
import { isConfident } from "#server/models/media/confidence-threshold.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import type { AnswerDeps } from "./answer-job.ts";
import { escalationTopic, topicBesidesTool } from "./escalation-policy.ts";
import { askToWrite, hasJustAsked } from "./fixed-replies.ts";
import { type Burst, messageOf, settleEvents } from "./load-burst.ts";
import { isOpen, openQuestionsOf } from "./open-questions.ts";
import { mayBeSent } from "./unproven-limit.ts";

export interface PreparedAnswer extends Burst {
  question: string;
  answer: Answer;
  reason: string | null;
  /** Returns the reason to wait for the owner, which depends on the finished answer's plan; null when it may be sent. */
  reasonFor: (plan: Plan) => string | null;
  /** Whether sending is certain before the answer is complete. Otherwise no part of it is streamed. */
  shownEarly: boolean;
  typing: () => Promise<void>;
}

const DEFAULT_TIME_ZONE = "Europe/Moscow";

/** The reason in drafts of a twin for friends that has no words of its owner for a friend. */
const FOR_FRIEND = "Двойник не знает, что бы вы ответили";

/** @returns null when the contact was asked to write the message instead */
export async function prepareAnswer(
  tx: Tx,
  deps: AnswerDeps,
  burst: Burst,
  { autonomy, closed }: AnswerSituation,
  prefetched: PrefetchedQuestion,
): Promise<PreparedAnswer | null> {
  const { job, integration, twin, conversation, open, contact, stopped, sender } = burst;
  const inbounds = burst.questions.map(({ inbound }) => inbound);
  const last = inbounds.at(-1)!;
  const question = inbounds.map(questionText).join("\n");
  const message = messageOf(inbounds);
  const opened = await openTwin(tx, job, twin.id, { contactId: conversation.contactId });
  const history = await historyOf(
    tx,
    conversation.id,
    open.map(({ id }) => id),
  );
  const textless = inbounds.every(({ text, words = [] }) => isBlank(text) && words.every((each) => each.text === ""));
  const unclear = inbounds.some(({ words = [] }) => words.some(({ confidence }) => !isConfident(confidence)));
  const recentReplies = await recentRepliesOf(tx, conversation);
  const risk = escalationTopic(question);
  const ofConversation = conversation.autonomy !== null;
  const { stopUnproven } = contact;
  const trackRecords = await readTrackRecords(tx, { orgId: conversation.orgId, twinId: twin.id, now: new Date() });
  const signals = { stopped, closed, textless, unclear, recentReplies, risk, ofConversation, sender, stopUnproven };
  const justAsked = await hasJustAsked(tx, conversation.id);
  if (shouldAskToWrite(autonomy, signals, justAsked) && (await mayBeSent(tx, burst))) {
    await askToWrite(tx, deps, burst, question);
    await settleEvents(tx, open, "done", null);
    return null;
  }
  const timeZone = integration.workingHours?.timeZone;
  // While all twins are stopped they ask no system either, and a forged sender neither asks nor confirms anything.
  const mayCall = !stopped && sender !== "failed";
  const tools = !mayCall
    ? null
    : await openTools(tx, deps, {
        ...{ tenant: job, twinId: twin.id, mode: "channel", message, history, address: contact.address },
        asker: {
          conversationId: conversation.id,
          contactId: conversation.contactId,
          phone: await phoneOf(tx, conversation.contactId!, integration.platform),
        },
        timeZone: timeZone ?? DEFAULT_TIME_ZONE,
      });
  const ofTool = { ...signals, risk: topicBesidesTool(risk) };
  const reasonBefore = (plan: Plan) => draftReason(autonomy, plan, plan.scripted ? ofTool : signals);
  const answer = await planReply(
    opened,
    {
      message,
      history,
      audience: { kind: "contact", contactId: conversation.contactId! },
      contact: platformOf(integration.platform).contactsAreNameless
        ? contact
        : { ...contact, name: conversation.participantName },
      timeZone,
      seed: `${conversation.id}:${history.length}:${message}`,
      drafted: true,
      trackRecords,
      tools,
      // An answer sent without approval may promise the owner's reply, because a draft for the owner is created with it.
      ownerAnswers: async (plan) => {
        if (autonomy !== "auto" || reasonBefore(plan) !== null) return null;
        return isOpen(await openQuestionsOf(tx, conversation.id), question) ? "asked" : "will";
      },
    },
    prefetched,
  );
  const { planned, request } = answer;
  const reasonFor = (plan: Plan) =>
    reasonBefore(plan) ??
    (answer.putsFriendOff("") ? FOR_FRIEND : null) ??
    examReason(autonomy, plan, request, trackRecords.plain);
  const channel = openChannel(openCredentials(deps.vault, integration), deps.config, integration);
  return {
    ...burst,
    question,
    answer,
    reason: reasonFor(planned),
    shownEarly: planned === request.plan,
    reasonFor,
    typing: async () => channel?.typing?.(job.conversationKey, last.context ?? {}),
  };
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
        // A join would be slow: the embedded database keeps no statistics and would scan all replies of the integration.
        sql`${outbox.conversationId} = any(array(${conversationIds}))`,
        eq(outbox.integrationId, integrationId!),
        isNull(outbox.decidedBy),
        // An unanswered question waits in the outbox with an empty text.
        ne(outbox.text, ""),
        gte(outbox.createdAt, since),
      ),
    );
  return row?.total ?? 0;
}
