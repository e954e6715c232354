/**
 * Questions that only the owner can answer, when the twin answers automatically. The contact was promised the owner's answer, and the
 * question waits as a draft without a text. It closes like any draft: sent, rejected, or void once the owner has written.
 */

import { and, asc, eq } from "drizzle-orm";
import { nearestChunks } from "#server/answers/replies/nearest-chunks.ts";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { type ConversationRow, idsOf, webhookIdsOf } from "#server/inbox/conversation-control/contact-conversation.ts";
import { hasNoAnswer } from "#server/inbox/unanswered/unanswered.ts";
import { emit } from "#server/inbox/webhooks/emit.ts";
import { questionForm, SIMILAR_QUESTION, similarity } from "#server/knowledge/question-similarity/question-form.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import type { Secrecy } from "#server/platform/db/schema/secrecy.ts";

export const OPEN_QUESTION = "Не знаю ответа: собеседнику сказано, что вы уточните";

/** Maximum number of open questions in one conversation; further ones join the newest. */
export const MAX_OPEN = 3;
/** Characters of one question; the rest is in the conversation. */
const LONGEST = 4000;

interface OpenQuestion {
  id: string;
  question: string;
}

/** Returns open questions, oldest first. The caller has locked the conversation. */
export function openQuestionsOf(tx: Tx, conversationId: string): Promise<OpenQuestion[]> {
  return tx
    .select({ id: outbox.id, question: outbox.question })
    .from(outbox)
    .where(
      and(
        eq(outbox.conversationId, conversationId),
        eq(outbox.state, "draft"),
        eq(outbox.text, ""),
        hasNoAnswer(outbox.citations),
      ),
    )
    .orderBy(asc(outbox.createdAt), asc(outbox.id));
}

export function isOpen(open: readonly OpenQuestion[], question: string): boolean {
  const asked = questionForm(question);
  return open.some((one) =>
    one.question.split("\n").some((line) => similarity(questionForm(line), asked) >= SIMILAR_QUESTION),
  );
}

interface Asked {
  conversation: ConversationRow;
  question: string;
  request: ReplyRequest;
  /** The provisional reply that the contact has received. */
  told: string;
  citations: Citations;
  secrecy: Secrecy;
}

/** Stores the question for the owner, once. The caller has locked the conversation. */
export async function keepQuestion(
  tx: Tx,
  { conversation, question, request, told, citations, secrecy }: Asked,
): Promise<void> {
  const open = await openQuestionsOf(tx, conversation.id);
  if (isOpen(open, question)) return;
  const newest = open.at(-1);
  if (newest !== undefined && open.length >= MAX_OPEN) {
    await tx
      .update(outbox)
      .set({ question: `${newest.question}\n${question}`.slice(0, LONGEST).toWellFormed() })
      .where(eq(outbox.id, newest.id));
    return;
  }
  const sources = nearestChunks(request).map(({ documentId, name, text }) => ({ documentId, name, text }));
  await tx.insert(outbox).values({
    orgId: conversation.orgId,
    integrationId: conversation.integrationId!,
    conversationId: conversation.id,
    question,
    text: "",
    // The owner's answer counts as a correction of this reply.
    original: told,
    secrecy,
    state: "draft",
    reason: OPEN_QUESTION,
    citations: { ...citations, sources } satisfies Citations,
  });
  await emit(tx, {
    type: "draft.created",
    ...webhookIdsOf(conversation),
    secrecy: "organization",
    data: { ...idsOf(conversation), confidence: 0, reason: OPEN_QUESTION },
    texts: { contactName: conversation.participantName, question, text: "" },
  });
}
