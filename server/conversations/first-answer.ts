/** What the twin would have answered to a message of its owner's history, beside what the owner did answer. */
import { randomUUID } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Reply } from "#contract/conversations.ts";
import type { FirstAnswer, FirstAnswerInput, HistoryPair } from "#contract/first-answer.ts";
import { asTenant, type Tx } from "#server/db/database.ts";
import { contacts, conversationMessages, conversations } from "#server/db/schema.ts";
import { conflict, notFound } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { idsOfSamePairs } from "#server/knowledge/exemplars.ts";
import { openRepliesReadOff } from "#server/open-replies/read-off.ts";
import type { Generator, ReplyRequest } from "#server/replies/generators/generator.ts";
import { withModels } from "#server/replies/models.ts";
import { openTwin } from "#server/replies/open-twin.ts";
import { groundsOf, prepareReply, streamReply } from "#server/replies/reply.ts";
import { getTwinRow, twinNotFound } from "#server/twins/twins.ts";
import { findPair, listPairs, type StoredPair } from "./history-pairs.ts";
import { getTestTalk, storeExchange, type TestChatDeps } from "./test-chat.ts";
import type { StoredGrounds } from "./transcript.ts";

/** So many pairs are looked through for one that the twin does not answer with «не знаю». */
const TRIED = 16;

/**
 * The twin is asked as the contact who wrote, and knows everything but the pair itself. The exchange is stored as a test
 * chat of the owner; the same pair asked again has its stored answer.
 * @throws Problem 404: the twin is not the viewer's own, or the pair or conversation is not there; 409: paused, closed
 */
export async function firstAnswer(
  services: TestChatDeps,
  viewer: Viewer,
  twinId: string,
  input: FirstAnswerInput,
  signal: AbortSignal,
): Promise<FirstAnswer> {
  const asked = performance.now();
  const deps = await withModels(services, viewer);
  const prepared = await prepare(deps, viewer, twinId, input);
  if (prepared === null) return { pair: null, reply: null, more: false };
  const { pair, more, known, twin, request } = prepared;
  if (known !== null) return { pair: toJson(pair), reply: known, more };
  let text = "";
  for await (const delta of streamReply(deps.generator, request, signal)) text += delta;
  const talk = { id: input.conversationId ?? randomUUID(), isNew: input.conversationId === undefined };
  const reply = await storeExchange(deps.db, viewer, talk, { message: pair.incoming }, twin, {
    text,
    grounds: groundsOf(deps.generator, request, text),
    durationMs: Math.round(performance.now() - asked),
    pairId: String(pair.id),
  });
  return { pair: toJson(pair), reply, more };
}

interface Prepared {
  pair: StoredPair;
  more: boolean;
  /** The answer that this pair has already. */
  known: Reply | null;
  twin: { id: string; name: string };
  request: ReplyRequest;
}

/** null: there is no pair. */
function prepare(
  { db, generator }: TestChatDeps,
  viewer: Viewer,
  twinId: string,
  { show, pairId, conversationId }: FirstAnswerInput,
): Promise<Prepared | null> {
  return asTenant(db, viewer, async (tx) => {
    const { ownerId, isActive } = await getTwinRow(tx, viewer, twinId);
    // The letters are the owner's: for a colleague, whatever their role, there are none.
    if (ownerId !== viewer.userId) throw twinNotFound();
    if (!isActive) throw conflict("twin_paused", "Двойник приостановлен. Включите его в настройках.");
    if (conversationId !== undefined) await getTestTalk(tx, viewer, conversationId, twinId);
    const pairs = await listPairs(tx, twinId);
    const more = pairs.length > 1;
    const tried = await pairsToTry(tx, twinId, pairs, { show, pairId });
    const ids = tried.map(({ id }) => id);
    const same = await idsOfSamePairs(tx, twinId, ids);
    let first: Prepared | null = null;
    for (const pair of tried) {
      const known = await storedReply(tx, viewer, twinId, pair);
      const one = {
        pair,
        more,
        known,
        ...(await prepareWithout(tx, viewer, pair, { twinId, same: same.get(pair.id)!, generator: generator.name })),
      };
      if (one.request.plan.kind !== "unknown") return one;
      first ??= one;
    }
    return first;
  });
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
  const start = pairs.findIndex(({ id }) => show === "next" && String(id) === pairId) + 1;
  return [...pairs.slice(start), ...pairs.slice(0, start)].slice(0, TRIED);
}

/** Everything for the answer, as if the twin had never learnt the pair. */
async function prepareWithout(
  tx: Tx,
  viewer: Viewer,
  pair: StoredPair,
  { twinId, same, generator }: { twinId: string; same: ReadonlySet<number>; generator: Generator["name"] },
) {
  const { twin, index, learnt } = await openTwin(tx, viewer, twinId, {
    contactId: pair.contactId,
    leftOut: new Map([
      ["exemplar", same],
      ["open", await openRepliesReadOff(tx, twinId, same)],
    ]),
  });
  const [contact] = await tx
    .select({ address: contacts.tone, styleGroup: contacts.styleGroup })
    .from(contacts)
    .where(eq(contacts.id, pair.contactId));
  const audience = { kind: "contact", contactId: pair.contactId } as const;
  const request = await prepareReply({
    twin,
    index,
    learnt,
    message: pair.incoming,
    history: [],
    audience,
    contact: { facts: [], address: contact?.address ?? null, styleGroup: contact?.styleGroup ?? null },
    // Many pairs are tried in this one transaction, and none may wait for a network in it.
    meaning: null,
    seed: `first-answer:${pair.id}`,
    generator,
  });
  return { request, twin: { id: twin.id, name: twin.name } };
}

async function storedReply(tx: Tx, viewer: Viewer, twinId: string, pair: StoredPair): Promise<Reply | null> {
  const [row] = await tx
    .select({
      id: conversationMessages.id,
      conversationId: conversationMessages.conversationId,
      content: conversationMessages.content,
      grounds: conversationMessages.grounds,
    })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .where(
      and(
        eq(conversations.twinId, twinId),
        eq(conversations.orgId, viewer.organizationId),
        eq(conversations.userId, viewer.userId),
        sql`${conversationMessages.grounds}->>'pairId' = ${String(pair.id)}`,
      ),
    )
    .orderBy(desc(conversationMessages.id))
    .limit(1);
  if (row === undefined) return null;
  const { sources, exemplars, confidence, basis, reason } = row.grounds as StoredGrounds;
  const grounds = { sources, exemplars, confidence, basis, reason };
  return { response: row.content, ...grounds, conversationId: row.conversationId, messageId: String(row.id) };
}

function toJson({ id, incoming, reply, contactName, repliedAt }: StoredPair): HistoryPair {
  return { id: String(id), incoming, ownerReply: reply, contactName, repliedAt: repliedAt.toISOString() };
}
