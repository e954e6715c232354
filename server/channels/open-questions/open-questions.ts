/**
 * Questions that only the owner can answer, where the twin answers by itself: the contact has been told that he will, and the question
 * waits among the drafts, without a text, until he writes it. It closes like any draft: sent, rejected, or void once he has written himself.
 */
import { and, asc, eq, sql } from "drizzle-orm";
import { LIKE_QUESTION, likeness, questionForm } from "#server/corrections/like-question.ts";
import type { Tx } from "#server/db/database.ts";
import { outbox } from "#server/db/schema.ts";
import type { ReplyRequest } from "#server/replies/generators/generator.ts";
import type { Grounds } from "#server/replies/reply.ts";
import { nearestPassages } from "#server/replies/wording/owner-answers.ts";
import { emit } from "#server/webhooks/emit.ts";
import { type ConversationRow, idsOf, placeOf } from "../contact-conversation.ts";

export const OPEN_QUESTION = "Не знаю ответа: собеседнику сказано, что вы уточните";

/** In one conversation; what is asked beyond joins the newest. */
export const MOST_OPEN = 3;
/** Characters of one question; what a contact writes beyond that is read in the conversation. */
const LONGEST = 4000;

export interface OpenQuestion {
  id: string;
  question: string;
}

/** Oldest first. The caller has locked the conversation. */
export function openQuestionsOf(tx: Tx, conversationId: string): Promise<OpenQuestion[]> {
  return tx
    .select({ id: outbox.id, question: outbox.question })
    .from(outbox)
    .where(
      and(
        eq(outbox.conversationId, conversationId),
        eq(outbox.state, "draft"),
        eq(outbox.text, ""),
        sql`${outbox.grounds}->>'basis' = 'unknown'`,
      ),
    )
    .orderBy(asc(outbox.createdAt), asc(outbox.id));
}

/** Whether this waits for the owner already. */
export function isOpen(open: readonly OpenQuestion[], question: string): boolean {
  const asked = questionForm(question);
  return open.some((one) =>
    one.question.split("\n").some((line) => likeness(questionForm(line), asked) >= LIKE_QUESTION),
  );
}

interface Asked {
  conversation: ConversationRow;
  question: string;
  request: ReplyRequest;
  /** What the contact has been told meanwhile. */
  told: string;
  grounds: Grounds;
}

/** Lets the question wait for the owner, once. The caller has locked the conversation. */
export async function keepQuestion(tx: Tx, { conversation, question, request, told, grounds }: Asked): Promise<void> {
  const open = await openQuestionsOf(tx, conversation.id);
  if (isOpen(open, question)) return;
  const newest = open.at(-1);
  if (newest !== undefined && open.length >= MOST_OPEN) {
    await tx
      .update(outbox)
      .set({ question: `${newest.question}\n${question}`.slice(0, LONGEST).toWellFormed() })
      .where(eq(outbox.id, newest.id));
    return;
  }
  const sources = nearestPassages(request).map(({ documentId, name, text }) => ({ documentId, name, text }));
  await tx.insert(outbox).values({
    orgId: conversation.orgId,
    integrationId: conversation.integrationId!,
    conversationId: conversation.id,
    question,
    text: "",
    // What the owner writes corrects it.
    original: told,
    state: "draft",
    reason: OPEN_QUESTION,
    grounds: { ...grounds, sources } satisfies Grounds,
  });
  await emit(tx, {
    type: "draft.created",
    ...placeOf(conversation),
    data: { ...idsOf(conversation), confidence: 0, reason: OPEN_QUESTION },
    texts: { contactName: conversation.participantName, question, text: "" },
  });
}
