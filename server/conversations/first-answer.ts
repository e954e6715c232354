/** Shows what the twin would have answered to a message of its owner's history beside the owner's real answer. */
import { randomUUID } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Reply } from "#contract/conversations/conversations.ts";
import type { FirstAnswer, FirstAnswerInput, HistoryPair } from "#contract/conversations/first-answer.ts";
import type { Tx } from "#server/db/database.ts";
import { contacts, conversationMessages, conversations } from "#server/db/schema.ts";
import { conflict, notFound } from "#server/errors.ts";
import type { Caller } from "#server/http/route.ts";
import { idsOfSamePairs } from "#server/knowledge/pairs/reply-examples.ts";
import { openRepliesDerivedFrom } from "#server/open-replies/derived-replies.ts";
import { type Answer, answerConversation, type Reading, type ReplyDeps } from "#server/replies/answer-conversation.ts";
import { getTwinRow, twinNotFound } from "#server/twins/twins.ts";
import { bestAnswered, isTaught, leastKnown } from "./choose-pair.ts";
import { findPair, listPairs, type StoredPair } from "./history-pairs.ts";
import { getTestConversation, storeExchange } from "./test-chat.ts";
import type { StoredCitations } from "./transcript.ts";

/** Number of pairs that are tried to find the one to show. */
const TRIED = 16;

/**
 * Asks the twin as the contact who wrote, without letting it know the pair itself. The exchange is stored as a test chat of the owner;
 * the same pair asked again returns its stored answer.
 * @throws Problem 404 when the twin is not the caller's own, or the pair or conversation does not exist; 409 when paused or closed
 */
export async function firstAnswer(
  services: ReplyDeps,
  caller: Caller,
  twinId: string,
  input: FirstAnswerInput,
  signal: AbortSignal,
): Promise<FirstAnswer> {
  const asked = performance.now();
  // Many pairs are tried in one transaction, which must not wait for a network, so no embeddings are asked for.
  const prepared = await answerConversation(services, caller, {
    read: (reading) => prepare(reading, caller, twinId, input),
  });
  if (prepared === null) return { pair: null, reply: null, more: false, taught: false };
  const { pair, more, known, twin, answer } = prepared;
  const taught = isTaught(prepared);
  if (known !== null) return { pair: toJson(pair), reply: known, more, taught };
  const text = await answer.whole(signal);
  const conversation = { id: input.conversationId ?? randomUUID(), isNew: input.conversationId === undefined };
  const reply = await storeExchange(services.db, caller, conversation, { message: pair.incoming }, twin, {
    text,
    citations: answer.citationsOf(text),
    durationMs: Math.round(performance.now() - asked),
    pairId: String(pair.id),
  });
  return { pair: toJson(pair), reply, more, taught };
}

interface Prepared {
  pair: StoredPair;
  more: boolean;
  /** The stored answer to this pair; null: none yet. */
  known: Reply | null;
  twin: { id: string; name: string };
  answer: Answer;
}

/** null: there is no pair. */
async function prepare(
  reading: Reading,
  caller: Caller,
  twinId: string,
  { show, pairId, conversationId }: FirstAnswerInput,
): Promise<Prepared | null> {
  const { tx } = reading;
  const { ownerId, isActive } = await getTwinRow(tx, caller, twinId);
  // The letters belong to the owner: a colleague of any role gets none.
  if (ownerId !== caller.userId) throw twinNotFound();
  if (!isActive) throw conflict("twin_paused", "Двойник приостановлен. Включите его в настройках.");
  if (conversationId !== undefined) await getTestConversation(tx, caller, conversationId, twinId);
  const pairs = await listPairs(tx, twinId);
  const more = pairs.length > 1;
  const tried = await pairsToTry(tx, twinId, pairs, { show, pairId });
  const ids = tried.map(({ id }) => id);
  const same = await idsOfSamePairs(tx, twinId, ids);
  const prepared: Omit<Prepared, "known">[] = [];
  for (const pair of tried) {
    const one = { pair, more, ...(await prepareWithout(reading, twinId, pair, same.get(pair.id)!)) };
    if (show === "next" && one.answer.request.plan.kind !== "unknown") return withKnown(tx, caller, twinId, one);
    prepared.push(one);
  }
  const chosen = show === "first" ? bestAnswered(prepared) : show === "weakest" ? leastKnown(prepared) : prepared[0];
  return chosen === undefined ? null : withKnown(tx, caller, twinId, chosen);
}

async function withKnown(tx: Tx, caller: Caller, twinId: string, one: Omit<Prepared, "known">): Promise<Prepared> {
  return { ...one, known: await storedReply(tx, caller, twinId, one.pair) };
}

async function pairsToTry(
  tx: Tx,
  twinId: string,
  pairs: readonly StoredPair[],
  { show, pairId }: Pick<FirstAnswerInput, "show" | "pairId">,
): Promise<StoredPair[]> {
  if (show === "this") {
    const pair = await findPair(tx, twinId, Number(pairId));
    if (pair === undefined) throw notFound("Такого сообщения в истории больше нет", "pair_not_found");
    return [pair];
  }
  if (show === "weakest") {
    const others = pairs.filter(({ id }) => String(id) !== pairId);
    return (others.length > 0 ? others : pairs).slice(0, TRIED);
  }
  const start = pairs.findIndex(({ id }) => show === "next" && String(id) === pairId) + 1;
  return [...pairs.slice(start), ...pairs.slice(0, start)].slice(0, TRIED);
}

/** Prepares the answer as if the twin had never learnt the pair. @param same ids of the pair itself and of those that repeat it */
async function prepareWithout(reading: Reading, twinId: string, pair: StoredPair, same: ReadonlySet<number>) {
  const { tx } = reading;
  const { contactId } = pair;
  const opened = await reading.open(twinId, {
    contactId,
    leftOut: new Map([
      ["example", same],
      ["open", await openRepliesDerivedFrom(tx, twinId, same)],
    ]),
  });
  const [contact] = await tx
    .select({ address: contacts.tone, styleGroup: contacts.styleGroup })
    .from(contacts)
    .where(eq(contacts.id, contactId));
  const answer = await reading.answer(opened, {
    message: pair.incoming,
    history: [],
    audience: { kind: "contact", contactId },
    contact: { facts: [], address: contact?.address ?? null, styleGroup: contact?.styleGroup ?? null },
    seed: `first-answer:${pair.id}`,
  });
  return { answer, twin: { id: opened.twin.id, name: opened.twin.name } };
}

async function storedReply(tx: Tx, caller: Caller, twinId: string, pair: StoredPair): Promise<Reply | null> {
  const [row] = await tx
    .select({
      id: conversationMessages.id,
      conversationId: conversationMessages.conversationId,
      content: conversationMessages.content,
      citations: conversationMessages.citations,
    })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .where(
      and(
        eq(conversations.twinId, twinId),
        eq(conversations.orgId, caller.organizationId),
        eq(conversations.userId, caller.userId),
        sql`${conversationMessages.citations}->>'pairId' = ${String(pair.id)}`,
      ),
    )
    .orderBy(desc(conversationMessages.id))
    .limit(1);
  if (row === undefined) return null;
  const { sources, replyExamples, confidence, basis, reason } = row.citations as StoredCitations;
  const citations = { sources, replyExamples, confidence, basis, reason };
  return { response: row.content, ...citations, conversationId: row.conversationId, messageId: String(row.id) };
}

function toJson({ id, incoming, reply, contactName, repliedAt }: StoredPair): HistoryPair {
  return { id: String(id), incoming, ownerReply: reply, contactName, repliedAt: repliedAt.toISOString() };
}
