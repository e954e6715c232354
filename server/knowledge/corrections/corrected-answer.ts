/** Finds the exchange that a correction is about: the question, the turns before it and the conversation. */
import { and, desc, eq, isNull, lt, or, type SQL } from "drizzle-orm";
import type { CorrectedAnswer } from "#contract/corrections.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import {
  conversationMessages,
  conversations,
  outbox,
  replyFeedback,
} from "#server/platform/db/schema/conversations.ts";
import { contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { notFound } from "#server/platform/errors.ts";

const CONTEXT_TURNS = 6;
const LINES_READ = 30;

export interface CorrectedExchange {
  question: string;
  /** Turns before the question, oldest first. */
  context: HistoryTurn[];
  twinReply: string;
  /** Null in the owner's own test chat. */
  contact: { id: number; name: string } | null;
  chatId: number | null;
}

interface Place {
  tx: Tx;
  twinId: string;
  ownerId: string;
}

/** @throws Problem 404 when this twin has no such answer, or it is in a colleague's test chat */
export async function correctedAnswer(place: Place, from: CorrectedAnswer): Promise<CorrectedExchange> {
  const found = await findCorrectedAnswer(place, from);
  if (found === null) throw notFound("Ответ не найден", "message_not_found");
  return found;
}

/** Returns null when there is no such answer, or it answers no message. */
export async function findCorrectedAnswer(
  place: Place,
  { kind, id }: CorrectedAnswer,
): Promise<CorrectedExchange | null> {
  const found =
    kind === "message"
      ? await ofMessage(place, Number(id))
      : kind === "example"
        ? await ofExample(place, Number(id))
        : await ofFeedback(place, Number(id));
  return found?.question ? found : null;
}

/** Selects conversations with contacts, and the owner's own test chats. */
export const ownConversation = ({ twinId, ownerId }: Pick<Place, "twinId" | "ownerId">): SQL =>
  and(eq(conversations.twinId, twinId), or(isNull(conversations.userId), eq(conversations.userId, ownerId)))!;

async function ofMessage(place: Place, messageId: number): Promise<CorrectedExchange | null> {
  const { tx } = place;
  const [answer] = await tx
    .select({
      conversationId: conversations.id,
      content: conversationMessages.content,
      citations: conversationMessages.citations,
      contactId: conversations.contactId,
      contactName: conversations.participantName,
    })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .where(
      and(
        eq(conversationMessages.id, messageId),
        eq(conversationMessages.role, "assistant"),
        isNull(conversationMessages.author),
        ownConversation(place),
      ),
    );
  if (answer === undefined) return null;
  const said = await linesBefore(tx, answer.conversationId, lt(conversationMessages.id, messageId));
  const pairId = (answer.citations as { pairId?: string } | null)?.pairId;
  const pair = pairId === undefined ? undefined : await pairOf(tx, Number(pairId));
  // After the message's deletion it is unknown whose the answer was.
  if (pairId !== undefined && pair === undefined) return null;
  const contact = answer.contactId === null ? null : { id: answer.contactId, name: answer.contactName };
  return {
    question: said.question,
    // A question from the history has no context: the turns before it belong to another pair, perhaps of another contact.
    context: pairId === undefined ? said.context : [],
    twinReply: answer.content,
    contact: pair?.contact ?? contact,
    chatId: pair?.chatId ?? null,
  };
}

/** Serves a draft that was sent in other words; its question is stored with it. */
async function ofFeedback(place: Place, feedbackId: number): Promise<CorrectedExchange | null> {
  const { tx, twinId } = place;
  const [row] = await tx
    .select({ messageId: replyFeedback.messageId, outboxId: replyFeedback.outboxId })
    .from(replyFeedback)
    .where(and(eq(replyFeedback.id, feedbackId), eq(replyFeedback.twinId, twinId)));
  if (row?.messageId) return ofMessage(place, row.messageId);
  if (!row?.outboxId) return null;
  const [draft] = await tx
    .select({
      question: outbox.question,
      original: outbox.original,
      conversationId: outbox.conversationId,
      createdAt: outbox.createdAt,
      contactId: conversations.contactId,
      contactName: conversations.participantName,
    })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .where(and(eq(outbox.id, row.outboxId), ownConversation(place)));
  if (draft === undefined || draft.original === null) return null;
  const { context } = await linesBefore(tx, draft.conversationId, lt(conversationMessages.createdAt, draft.createdAt));
  return {
    question: draft.question,
    context,
    twinReply: draft.original,
    contact: draft.contactId === null ? null : { id: draft.contactId, name: draft.contactName },
    chatId: null,
  };
}

async function ofExample({ tx, twinId }: Place, exampleId: number): Promise<CorrectedExchange | null> {
  const [row] = await tx
    .select({
      question: replyExamples.incoming,
      twinReply: fidelityExamples.reply,
      chatId: replyExamples.chatId,
      contactId: contacts.id,
      contactName: contacts.name,
    })
    .from(fidelityExamples)
    .innerJoin(fidelityMeasures, eq(fidelityMeasures.id, fidelityExamples.measureId))
    .innerJoin(replyExamples, eq(replyExamples.id, fidelityExamples.replyExampleId))
    .innerJoin(contacts, eq(contacts.id, replyExamples.contactId))
    .where(and(eq(fidelityExamples.id, exampleId), eq(fidelityMeasures.twinId, twinId)));
  if (row === undefined) return null;
  const { contactId, contactName, ...exchange } = row;
  return { ...exchange, context: [], contact: { id: contactId, name: contactName } };
}

async function pairOf(tx: Tx, pairId: number) {
  const [pair] = await tx
    .select({ chatId: replyExamples.chatId, id: contacts.id, name: contacts.name })
    .from(replyExamples)
    .innerJoin(contacts, eq(contacts.id, replyExamples.contactId))
    .where(eq(replyExamples.id, pairId));
  return pair && { chatId: pair.chatId, contact: { id: pair.id, name: pair.name } };
}

async function linesBefore(
  tx: Tx,
  conversationId: string,
  before: SQL,
): Promise<Pick<CorrectedExchange, "question" | "context">> {
  const rows = await tx
    .select({ role: conversationMessages.role, content: conversationMessages.content })
    .from(conversationMessages)
    .where(and(eq(conversationMessages.conversationId, conversationId), before))
    .orderBy(desc(conversationMessages.id))
    .limit(LINES_READ);
  const answered = rows.findIndex(({ role }) => role === "assistant");
  const burst = answered < 0 ? rows : rows.slice(0, answered);
  return {
    question: burst
      .map(({ content }) => content)
      .reverse()
      .join("\n"),
    context: rows.slice(burst.length, burst.length + CONTEXT_TURNS).reverse(),
  };
}
