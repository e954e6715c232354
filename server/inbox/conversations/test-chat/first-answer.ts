/** Shows the twin's answer to a message of the owner's history beside the owner's real answer. */
import { randomUUID } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Reply } from "#contract/conversations/conversations.ts";
import type { FirstAnswer, FirstAnswerInput, HistoryPair } from "#contract/conversations/first-answer.ts";
import { getTwinRow, twinNotFound } from "#server/accounts/twins/twins.ts";
import { withModels } from "#server/answers/replies/models.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { type Answer, type Message, planReply, type ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import { type PrefetchedQuestion, prefetchQuestion } from "#server/answers/replies/prefetch-question.ts";
import {
  expressesUncertainty,
  isShowable,
  isTaught,
  leastKnown,
  nearestToOwner,
  rankWellAnswered,
} from "#server/inbox/what-to-ask/choose-pair.ts";
import { questionsInDocuments, USUAL_QUESTIONS } from "#server/inbox/what-to-ask/document-questions.ts";
import { findPair, listPairs, type StoredPair } from "#server/inbox/what-to-ask/history-pairs.ts";
import { audienceOf } from "#server/knowledge/embeddings/twin-units.ts";
import { idsOfSamePairs } from "#server/knowledge/messages/reply-examples.ts";
import { openRepliesDerivedFrom } from "#server/knowledge/public-replies/derived-replies.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { StoredCitations } from "../transcript.ts";
import { getTestConversation, storeExchange } from "./test-chat.ts";

/** Number of pairs per round from which the one to show is chosen. */
const TRIED = 16;
/** Maximum number of rounds until the twin answers a pair well, because the first pair that a newcomer sees should be a good one. */
const ROUNDS = 4;
/** Number of answers that are generated to find the best. */
const WRITTEN = 4;
/** Milliseconds after which no further answer is generated. */
const WRITES_MS = 1500;

/**
 * Asks the twin as the contact who wrote, without the pair in its knowledge. The exchange is stored as the owner's test chat; the same pair
 * asked again returns its stored answer.
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
  // The pairs are tried in one transaction, which must not wait for a network, so embeddings are not requested.
  const models = await withModels(services, caller);
  const prefetched = await prefetchQuestion(models, caller, null);
  const prepared = await asTenant(models.db, caller, (tx) => prepare(tx, caller, twinId, input, prefetched));
  const { more } = prepared;
  const shown =
    input.show === "first"
      ? await bestOf(prepared.choices, asked, signal)
      : await writtenOf(prepared.choices[0], signal);
  if (shown === undefined) return { pair: null, reply: null, more: more || prepared.choices.length > 0, taught: false };
  const { pair, known, twin, answer } = shown.one;
  const { message } = answer.request;
  const told = {
    ...(pair === null ? { pair, question: message } : { pair: toJson(pair) }),
    more,
    taught: isTaught(shown.one),
  };
  if (known !== null) return { ...told, reply: known };
  const conversation = { id: input.conversationId ?? randomUUID(), isNew: input.conversationId === undefined };
  const reply = await storeExchange(services.db, caller, conversation, { message }, twin, {
    text: shown.text,
    citations: answer.citationsOf(shown.text),
    durationMs: Math.round(performance.now() - asked),
    ...(pair === null ? {} : { pairId: String(pair.id) }),
  });
  return { ...told, reply };
}

interface Written {
  one: Prepared;
  text: string;
}

async function writtenOf(one: Prepared | undefined, signal: AbortSignal): Promise<Written | undefined> {
  return one && { one, text: one.known?.response ?? (await one.answer.whole(signal)) };
}

/**
 * Chooses the informative answer that is most like the owner's; one that was shown before is kept.
 * @param since when the owner asked, by `performance.now()`; a slow model writes only one answer
 */
async function bestOf(choices: readonly Prepared[], since: number, signal: AbortSignal): Promise<Written | undefined> {
  const before = choices.find(({ known }) => known !== null && !isEmpty(known.basis, known.response));
  if (before !== undefined) return writtenOf(before, signal);
  const written: Written[] = [];
  for (const one of choices.filter(({ known }) => known === null)) {
    if (written.length > 0 && performance.now() - since > WRITES_MS) break;
    const text = await one.answer.whole(signal);
    if (!isEmpty(one.answer.planOf(text).kind, text)) written.push({ one, text });
  }
  return nearestToOwner(written, ({ one, text }) => ({ owners: one.pair?.reply ?? "", twins: text }));
}

/** Returns whether an answer only says that the twin does not know. */
const isEmpty = (basis: Reply["basis"], text: string): boolean => basis === "unknown" || expressesUncertainty(text);

interface Prepared {
  /** null: the question does not come from the history. */
  pair: StoredPair | null;
  /** The stored answer to it; null until it is stored. */
  known: Reply | null;
  twin: { id: string; name: string };
  answer: Answer;
}

/** `choices`: the pairs to show, the best first; empty when no pair fits. */
async function prepare(
  tx: Tx,
  caller: Caller,
  twinId: string,
  { show, pairId, question, conversationId }: FirstAnswerInput,
  prefetched: PrefetchedQuestion,
): Promise<{ choices: Prepared[]; more: boolean }> {
  const { ownerId, isActive } = await getTwinRow(tx, caller, twinId);
  // The history belongs to the owner: a colleague of any role gets none of it.
  if (ownerId !== caller.userId) throw twinNotFound();
  if (!isActive) throw conflict("twin_paused", "Двойник приостановлен. Включите его в настройках.");
  if (conversationId !== undefined) await getTestConversation(tx, caller, conversationId, twinId);
  const pairs = await listPairs(tx, twinId);
  const more = pairs.length > 1;
  const withKnown = async (chosen: readonly Omit<Prepared, "known">[]) => {
    const choices: Prepared[] = [];
    for (const one of chosen)
      choices.push({ ...one, known: await storedReply(tx, caller, twinId, one, conversationId) });
    return { choices, more };
  };
  const asked = (message: string) => prepareQuestion(tx, caller, { id: twinId, ownerId }, message, prefetched);
  if (show === "this" && question !== undefined) return withKnown([await asked(question)]);
  if (show === "weakest" && pairs.length === 0) return withKnown(await usualUnknown(asked));
  const tried = await pairsToTry(tx, twinId, pairs, { show, pairId });
  const prepared: Omit<Prepared, "known">[] = [];
  for (let from = 0; from < tried.length; from += TRIED) {
    const round = tried.slice(from, from + TRIED);
    const ids = round.map(({ id }) => id);
    const same = await idsOfSamePairs(tx, twinId, ids);
    for (const pair of round) {
      const one = { pair, ...(await prepareWithout(tx, caller, pair, same.get(pair.id)!, { twinId, prefetched })) };
      if (show === "next" && isShowable(one)) return withKnown([one]);
      prepared.push(one);
    }
    if (show !== "first") continue;
    const good = rankWellAnswered(prepared);
    if (good.length > 0) return withKnown(good.slice(0, WRITTEN));
  }
  if (show === "first") {
    const surely = await surelyAnswered([...(await questionsInDocuments(tx, twinId)), ...USUAL_QUESTIONS], asked);
    return { ...(await withKnown(surely)), more: pairs.length > 0 };
  }
  // A kind phrase that may miss the point is a worse answer than an open «I do not know».
  const open = () => prepared.find(({ answer }) => answer.request.plan.kind === "unknown") ?? prepared[0];
  const chosen = show === "weakest" ? leastKnown(prepared) : open();
  return withKnown(chosen === undefined ? [] : [chosen]);
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
  if (show === "first") return pairs.slice(0, TRIED * ROUNDS);
  const start = pairs.findIndex(({ id }) => String(id) === pairId) + 1;
  return [...pairs.slice(start), ...pairs.slice(0, start)].slice(0, TRIED);
}

/** Prepares the answer as if the twin had never learnt the pair. @param same ids of the pair and of its repetitions */
async function prepareWithout(
  tx: Tx,
  caller: Caller,
  pair: StoredPair,
  same: ReadonlySet<number>,
  { twinId, prefetched }: { twinId: string; prefetched: PrefetchedQuestion },
) {
  const { contactId } = pair;
  const opened = await openTwin(tx, caller, twinId, {
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
  const message: Message = {
    message: pair.incoming,
    history: [],
    audience: { kind: "contact", contactId },
    contact: { notes: [], address: contact?.address ?? null, styleGroup: contact?.styleGroup ?? null },
    seed: `first-answer:${pair.id}`,
  };
  const answer = await planReply(opened, message, prefetched);
  return { answer, twin: { id: opened.twin.id, name: opened.twin.name } };
}

/** Prepares the answer to a question in the owner's test chat. */
async function prepareQuestion(
  tx: Tx,
  caller: Caller,
  { id, ownerId }: { id: string; ownerId: string },
  message: string,
  prefetched: PrefetchedQuestion,
): Promise<Omit<Prepared, "known">> {
  const opened = await openTwin(tx, caller, id);
  const audience = audienceOf(caller, { ownerId });
  const answer = await planReply(
    opened,
    { message, history: [], audience, seed: `first-answer:${message}` },
    prefetched,
  );
  return { pair: null, answer, twin: { id: opened.twin.id, name: opened.twin.name } };
}

type Ask = (question: string) => Promise<Omit<Prepared, "known">>;

/** Returns the questions that a document or a message answers, the most confident first. */
async function surelyAnswered(questions: readonly string[], ask: Ask): Promise<Omit<Prepared, "known">[]> {
  const prepared: Omit<Prepared, "known">[] = [];
  for (const question of questions) prepared.push(await ask(question));
  const answered = ({ answer }: Omit<Prepared, "known">) => answer.request.plan.kind !== "smalltalk";
  return rankWellAnswered(prepared).filter(answered).slice(0, WRITTEN);
}

/** Returns the first usual question that the twin cannot answer; none if it knows them all. */
async function usualUnknown(ask: Ask): Promise<Omit<Prepared, "known">[]> {
  for (const question of USUAL_QUESTIONS) {
    const one = await ask(question);
    if (one.answer.request.plan.kind === "unknown") return [one];
  }
  return [];
}

/** @param conversationId the test chat in which a question from outside the history may have been asked before */
async function storedReply(
  tx: Tx,
  caller: Caller,
  twinId: string,
  { pair, answer }: Omit<Prepared, "known">,
  conversationId: string | undefined,
): Promise<Reply | null> {
  if (pair === null && conversationId === undefined) return null;
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
        pair === null
          ? and(eq(conversations.id, conversationId!), repliesTo(answer.request.message))
          : sql`${conversationMessages.citations}->>'pairId' = ${String(pair.id)}`,
      ),
    )
    .orderBy(desc(conversationMessages.id))
    .limit(1);
  if (row === undefined) return null;
  const { sources, replyExamples, confidence, basis, reason, action } = row.citations as StoredCitations;
  const citations = { sources, replyExamples, confidence, basis, reason, ...(action === undefined ? {} : { action }) };
  return { response: row.content, ...citations, conversationId: row.conversationId, messageId: String(row.id) };
}

/** SQL condition: the message is the answer to a preceding question with these words. */
const repliesTo = (question: string) => sql`${conversationMessages.role} = 'assistant' and ${question} = (
  select asked.content from conversation_messages asked
  where asked.conversation_id = ${conversationMessages.conversationId} and asked.id < ${conversationMessages.id}
  order by asked.id desc limit 1)`;

function toJson({ id, incoming, reply, contactName, repliedAt }: StoredPair): HistoryPair {
  return { id: String(id), incoming, ownerReply: reply, contactName, repliedAt: repliedAt.toISOString() };
}
