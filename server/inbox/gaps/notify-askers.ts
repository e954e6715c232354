/**
 * Prepares a reply to every asker once the owner has answered a gap. It is sent automatically only if the twin's other replies are and it
 * says what the owner confirmed; otherwise it is a draft.
 */

import { and, asc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { withModels } from "#server/answers/replies/models.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { type Answer, type Citations, planReply } from "#server/answers/replies/plan-reply.ts";
import {
  type Question as AskedQuestion,
  type PrefetchedQuestion,
  prefetchQuestion,
} from "#server/answers/replies/prefetch-question.ts";
import type { AnswerDeps } from "#server/inbox/answering/answer-job.ts";
import { escalationTopic } from "#server/inbox/answering/escalation-policy.ts";
import { OPEN_QUESTION } from "#server/inbox/answering/open-questions.ts";
import { recentRepliesOf } from "#server/inbox/answering/prepare-answer.ts";
import { unprovenObstacle } from "#server/inbox/answering/unproven-limit.ts";
import { platformOf } from "#server/inbox/channels/registry.ts";
import {
  type AnswerSituation,
  draftReason,
  type SenderSignals,
  silenceReason,
} from "#server/inbox/conversation-control/answer-policy.ts";
import {
  type ContactNotes,
  type ConversationRow,
  idsOf,
  loadContactNotes,
  lockTwin,
  webhookIdsOf,
} from "#server/inbox/conversation-control/contact-conversation.ts";
import { senderTrustOfMessage } from "#server/inbox/conversation-control/sender-trust.ts";
import { isStopped } from "#server/inbox/conversation-control/stop-switch.ts";
import { closedNow } from "#server/inbox/conversation-control/working-hours.ts";
import { hasNoAnswer } from "#server/inbox/unanswered/unanswered.ts";
import { emit } from "#server/inbox/webhooks/emit.ts";
import { asTenant, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import {
  conversationMessages,
  conversations,
  gapQuestions,
  gaps,
  outbox,
} from "#server/platform/db/schema/conversations.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { strictestOf } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { givesTaughtAnswer, textOf } from "./ask-again.ts";

/** The reason in drafts that answer a question which was left open. */
const ANSWERED_SINCE = "Вы ответили на этот вопрос в «Пробелах»: собеседник ещё ждёт";
/** The reason in earlier drafts for the same question. */
const REPLACED = "Ответ на этот вопрос вы дали в «Пробелах»";
const WITHDRAWN = "Ответ в «Пробелах» отменён";
/** Milliseconds after which an asker no longer expects an answer. */
const WAITS_MS = 14 * 24 * 3600_000;
const PAGE = 100;

type TwinData = Tenant & { twinId: string };
type Question = typeof gapQuestions.$inferSelect;
type Told = NonNullable<Question["told"]>;

interface Untold {
  question: Question;
  conversation: ConversationRow;
  integration: typeof integrations.$inferSelect | null;
  twin: { id: string; isActive: boolean };
  correction: { question: string; text: string; audience: number };
}

/** Each question is settled in a transaction of its own, so the next run continues a killed one. */
export async function notifyAskers(deps: AnswerDeps, data: TwinData, signal: AbortSignal): Promise<void> {
  for (let after = 0; ; ) {
    const waiting = await asTenant(deps.db, data, (tx) => untoldOf(tx, data.twinId, after));
    if (waiting.length === 0) return;
    for (const id of waiting) {
      signal.throwIfAborted();
      await tellAsker(deps, data, id, signal);
      after = id;
    }
  }
}

/** An asker who got an earlier answer is not notified again; whether the twin now answers him correctly is still checked. */
export const isPendingNotification = () => or(isNull(gapQuestions.told), isNull(gapQuestions.answered));

async function untoldOf(tx: Tx, twinId: string, after: number): Promise<number[]> {
  const rows = await tx
    .select({ id: gapQuestions.id })
    .from(gapQuestions)
    .innerJoin(gaps, eq(gaps.id, gapQuestions.gapId))
    .where(
      and(
        eq(gapQuestions.twinId, twinId),
        gt(gapQuestions.id, after),
        isPendingNotification(),
        eq(gaps.answeredBy, "owner"),
      ),
    )
    .orderBy(asc(gapQuestions.id))
    .limit(PAGE);
  return rows.map(({ id }) => id);
}

async function tellAsker(deps: AnswerDeps, data: TwinData, id: number, signal: AbortSignal): Promise<void> {
  const models = await withModels(deps, data);
  const each = eachAsTenant(models.db, data);
  const untold = await findUntold(each, id);
  if (untold === null) return;
  const prefetched = await prefetchQuestion(models, data, questionOf(untold));
  const answer = await planAnswer(each, data, untold, prefetched);
  const text = await textOf(answer, signal);
  await asTenant(models.db, data, (tx) => keep(tx, deps, data, id, answer, text));
}

async function planAnswer(tx: Tx, data: TwinData, untold: Untold, prefetched: PrefetchedQuestion): Promise<Answer> {
  const { question, conversation, integration, twin } = untold;
  const noted = await notedIn(tx, untold);
  const opened = await openTwin(tx, data, twin.id, { contactId: conversation.contactId });
  const named =
    integration === null || noted === null || platformOf(integration.platform).contactsAreNameless
      ? noted
      : { ...noted, name: conversation.participantName };
  const message = {
    ...questionOf(untold),
    ...(named === null ? {} : { contact: named }),
    ...(integration?.workingHours ? { timeZone: integration.workingHours.timeZone } : {}),
    ...{ seed: `gap:${question.id}`, drafted: true, background: true },
  };
  return planReply(opened, message, prefetched);
}

const questionOf = ({ question: { question, said }, twin, conversation: { contactId } }: Untold): AskedQuestion => ({
  twinId: twin.id,
  message: question ?? said,
  history: [],
  audience: contactId === null ? { kind: "owner" } : { kind: "contact", contactId },
});

const notedIn = (tx: Tx, { conversation: { contactId } }: Untold): Promise<ContactNotes> | null =>
  contactId === null ? null : loadContactNotes(tx, contactId);

/** null: it was settled, deleted or reopened meanwhile. */
async function findUntold(tx: Tx, id: number): Promise<Untold | null> {
  const [row] = await tx
    .select({
      question: gapQuestions,
      conversation: conversations,
      integration: integrations,
      twin: { id: twins.id, isActive: twins.isActive },
      correction: { question: corrections.question, text: corrections.text, audience: corrections.audience },
    })
    .from(gapQuestions)
    .innerJoin(gaps, eq(gaps.id, gapQuestions.gapId))
    .innerJoin(corrections, eq(corrections.id, gaps.correctionId))
    .innerJoin(twins, eq(twins.id, gapQuestions.twinId))
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .leftJoin(integrations, eq(integrations.id, conversations.integrationId))
    .where(and(eq(gapQuestions.id, id), isPendingNotification(), eq(gaps.answeredBy, "owner")));
  return row ?? null;
}

/** Settles the question, once. @param text null: the model gave no answer, so the owner's own words are offered */
async function keep(
  tx: Tx,
  deps: AnswerDeps,
  data: TwinData,
  id: number,
  answer: Answer,
  text: string | null,
): Promise<void> {
  await lockTwin(tx, data.twinId);
  const [row] = await tx
    .select({ conversationId: gapQuestions.conversationId })
    .from(gapQuestions)
    .where(eq(gapQuestions.id, id));
  if (row === undefined) return;
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.id, row.conversationId))
    .for("no key update");
  await tx.select({ id: gapQuestions.id }).from(gapQuestions).where(eq(gapQuestions.id, id)).for("update");
  const untold = await findUntold(tx, id);
  if (untold === null) return;
  const given = text === null ? null : { text, citations: answer.citationsOf(text) };
  const taught =
    given !== null && givesTaughtAnswer(answer, given.text, given.citations, untold.correction.text) ? given : null;
  const answered = taught !== null;
  const settle = (told: Told, outboxId: string | null = null) =>
    tx.update(gapQuestions).set({ told, outboxId, answered }).where(eq(gapQuestions.id, id));
  const { conversation, integration, question } = untold;
  if (question.told !== null) return void (await settle(question.told, question.outboxId));
  if (conversation.contactId === null) return void (await settle("own_chat"));
  if (await answeredByHand(tx, question)) return void (await settle("by_hand"));
  const noted = await loadContactNotes(tx, conversation.contactId);
  if (integration === null || !isReachable(untold, noted)) return void (await settle("unreachable"));
  const place = { orgId: data.organizationId, integrationId: integration.id, conversationId: conversation.id };
  await replaceDrafts(tx, question);
  // The reply must be what the owner confirmed; if the twin would say something else, the draft contains the owner's own words.
  const said = taught
    ? { ...taught, secrecy: strictestOf("organization", answer.secrecyOf(taught.text)) }
    : {
        text: untold.correction.text,
        citations: ownWords(untold.correction.text),
        secrecy: untold.correction.audience === 0 ? ("organization" as const) : ("contact" as const),
      };
  const sender = await senderTrustOfMessage(tx, conversation.contactId, question.messageId);
  const held = taught ? await obstacleOf(tx, data, untold, { ...noted, sender }, answer, taught.text) : "";
  const isUnproven = sender !== "proven";
  const obstacle = held ?? (isUnproven ? await unprovenObstacle(tx, conversation) : null);
  const [made] = await tx
    .insert(outbox)
    .values({
      ...place,
      question: question.said,
      text: said.text,
      secrecy: said.secrecy,
      state: obstacle === null ? "pending" : "draft",
      reason: obstacle === null ? null : [ANSWERED_SINCE, obstacle].filter(Boolean).join(". "),
      toUnproven: isUnproven && obstacle === null,
      confidence: said.citations.confidence,
      citations: said.citations,
    })
    .returning({ id: outbox.id });
  await settle(obstacle === null ? "sent" : "draft", made!.id);
  if (obstacle === null) {
    const { organizationId, userId } = data;
    return deps.jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: conversation.id });
  }
  await emit(tx, {
    type: "draft.created",
    ...webhookIdsOf(conversation),
    secrecy: said.secrecy,
    data: { ...idsOf(conversation), confidence: said.citations.confidence, reason: ANSWERED_SINCE },
    texts: { contactName: conversation.participantName, question: question.said, text: said.text },
  });
}

const ownWords = (text: string): Citations => ({
  sources: [{ documentId: "", name: "Подтверждённые факты", text }],
  replyExamples: [],
  confidence: 0.5,
  basis: "corrected",
  reason: "Вы ответили на похожий вопрос: проверьте, подходит ли ответ сюда.",
});

/** Returns whether the owner wrote to the contact after the question, or rewrote a draft for it. */
async function answeredByHand(tx: Tx, { conversationId, messageId, askedAt }: Question): Promise<boolean> {
  const [line] = await tx
    .select({ id: conversationMessages.id })
    .from(conversationMessages)
    .where(
      and(
        eq(conversationMessages.conversationId, conversationId),
        gt(conversationMessages.id, messageId),
        eq(conversationMessages.author, "owner"),
      ),
    )
    .limit(1);
  if (line !== undefined) return true;
  const [sent] = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.conversationId, conversationId),
        sql`date_trunc('milliseconds', ${outbox.createdAt}) = ${askedAt.toISOString()}::timestamptz`,
        inArray(outbox.state, ["sent", "pending", "sending", "unknown"]),
        sql`${outbox.original} is distinct from ${outbox.text} and ${outbox.original} is not null`,
      ),
    )
    .limit(1);
  return sent !== undefined;
}

function isReachable({ question, conversation, integration }: Untold, { consentRefused }: ContactNotes): boolean {
  return (
    conversation.status === "active" &&
    integration?.status === "active" &&
    conversation.optedOutAt === null &&
    !consentRefused &&
    Date.now() - question.askedAt.getTime() < WAITS_MS
  );
}

/** Returns why the reply waits for the owner; "" if its own reason is enough; null: it is sent automatically. */
async function obstacleOf(
  tx: Tx,
  { organizationId }: TwinData,
  { conversation, integration, twin, question }: Untold,
  { consentRefused, sender, stopUnproven }: ContactNotes & SenderSignals,
  answer: Answer,
  text: string,
): Promise<string | null> {
  const { status: integrationStatus, autonomy: usual, workingHours } = integration!;
  const autonomy = conversation.autonomy ?? usual;
  const closed = closedNow(workingHours);
  const situation: AnswerSituation = {
    twinActive: twin.isActive,
    integrationStatus,
    autonomy,
    pausedUntil: conversation.pausedUntil,
    optedOutAt: conversation.optedOutAt,
    consentRefused,
    closed,
    now: new Date(),
  };
  const silent = silenceReason(situation);
  if (silent !== null) return silent;
  const reason = draftReason(autonomy, answer.planOf(text), {
    stopped: await isStopped(tx, organizationId),
    closed,
    textless: false,
    unclear: false,
    recentReplies: await recentRepliesOf(tx, conversation),
    risk: escalationTopic(question.said) ?? escalationTopic(text),
    sender,
    stopUnproven,
  });
  return reason !== null && autonomy === "draft" ? "" : reason;
}

/** SQL condition on `outbox`: it answers this message, perhaps with others in the same row. */
const isAbout = (said: string) => sql`position(${said} in ${outbox.question}) > 0`;

/**
 * Replaces drafts that say «не знаю» to the same question, or have no text. A draft that answers another question too waits until that one
 * has an answer.
 */
async function replaceDrafts(tx: Tx, { id, conversationId, said }: Question): Promise<void> {
  await tx
    .update(outbox)
    .set({ state: "cancelled", reason: REPLACED })
    .where(
      and(
        eq(outbox.conversationId, conversationId),
        eq(outbox.state, "draft"),
        isNull(outbox.author),
        isAbout(said),
        hasNoAnswer(outbox.citations),
        sql`not exists (select from gap_questions q join gaps g on g.id = q.gap_id
          where q.conversation_id = ${outbox.conversationId} and q.id <> ${id} and g.state = 'open'
            and position(q.said in ${outbox.question}) > 0)`,
      ),
    );
}

/** Cancels unsent replies when the owner withdraws his answer, and restores the earlier drafts. */
export async function withdrawAnswers(tx: Tx, gapId: string): Promise<void> {
  const drafted = await tx
    .select({
      id: gapQuestions.id,
      conversationId: gapQuestions.conversationId,
      said: gapQuestions.said,
      outboxId: outbox.id,
    })
    .from(gapQuestions)
    .innerJoin(outbox, eq(outbox.id, gapQuestions.outboxId))
    .where(and(eq(gapQuestions.gapId, gapId), eq(outbox.state, "draft")));
  for (const { id, conversationId, said, outboxId } of drafted) {
    await tx.update(outbox).set({ state: "cancelled", reason: WITHDRAWN }).where(eq(outbox.id, outboxId));
    await tx
      .update(outbox)
      .set({
        state: "draft",
        reason: sql`case when ${outbox.text} = '' then ${OPEN_QUESTION} else 'Двойник не знает ответа' end`,
      })
      .where(
        and(
          eq(outbox.conversationId, conversationId),
          eq(outbox.state, "cancelled"),
          eq(outbox.reason, REPLACED),
          isAbout(said),
        ),
      );
    await tx.update(gapQuestions).set({ told: null, outboxId: null }).where(eq(gapQuestions.id, id));
  }
  // An asker who could not be notified may be notified next time.
  await tx
    .update(gapQuestions)
    .set({ told: null, answered: null })
    .where(and(eq(gapQuestions.gapId, gapId), inArray(gapQuestions.told, ["own_chat", "unreachable"])));
}
