/** Sorts unanswered messages: those without a question are dropped, the others join a gap or start one. */
import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import type { Generator } from "#server/answers/replies/generator.ts";
import { escalationTopic } from "#server/inbox/answering/escalation-policy.ts";
import { encodeVector } from "#server/knowledge/embeddings/codes.ts";
import type { QueryEmbedder, QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import { type HistoryTurn, MAX_HISTORY_TURNS } from "#server/knowledge/language/history-turn.ts";
import { askedTypes } from "#server/knowledge/language/question/answer-type.ts";
import { followUpOf, joinFollowUp } from "#server/knowledge/language/question/contextual-query.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { questionForm } from "#server/knowledge/question-similarity/question-form.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { type KnownGap, nearestGap } from "./nearest-gap.ts";
import { separateMessages } from "./separate-messages.ts";

const BATCH = 40;
/** Maximum number of gaps that a question is compared with; these are the latest ones. */
const COMPARED_GAPS = 400;
/** Maximum number of wordings of each gap that a question is compared with. */
const COMPARED_WORDINGS = 5;
/** Maximum number of questions kept for a twin, the newest. */
const MAX_QUESTIONS = 2000;

interface Deps {
  db: Database;
  queryEmbedder: QueryEmbedder | null;
  generator: Pick<Generator, "model">;
}

type TwinData = Tenant & { twinId: string };
type Unsorted = Pick<typeof gapQuestions.$inferSelect, "id" | "said" | "conversationId" | "messageId" | "askedAt"> & {
  history: HistoryTurn[];
};

/** Sorts new questions. Running it again changes nothing. */
export async function sortQuestions(
  { db, queryEmbedder, generator }: Deps,
  data: TwinData,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const unsorted = await asTenant(db, data, async (tx) => {
      await separateMessages(tx, data.twinId, BATCH);
      return readUnsorted(tx, data.twinId);
    });
    if (unsorted.length === 0) break;
    const questions = unsorted.map((one) => ({ ...one, question: questionIn(one) }));
    // Embeddings are requested outside any transaction; most are cached from the search.
    const embeddings = new Map<number, QueryEmbedding>();
    for (const { id, question } of questions) {
      const embedding = question === null ? null : ((await queryEmbedder?.of(question)) ?? null);
      if (embedding !== null) embeddings.set(id, embedding);
    }
    const known = await readGaps(eachAsTenant(db, data), data.twinId, [...embeddings.values()][0]?.model ?? null);
    const found = await findPlaces({ ...data, model: generator.model ?? null }, questions, embeddings, known);
    const kept = await asTenant(db, data, (tx) => keepFound(tx, data.twinId, found));
    // Questions recorded meanwhile have their own job, which sorts more of them at once.
    if (kept && unsorted.length < BATCH) break;
  }
  await asTenant(db, data, (tx) => dropOldest(tx, data.twinId));
}

async function readUnsorted(tx: Tx, twinId: string): Promise<Unsorted[]> {
  const { id, said, conversationId, messageId, askedAt } = gapQuestions;
  const rows = await tx
    .select({ id, said, conversationId, messageId, askedAt })
    .from(gapQuestions)
    .where(and(eq(gapQuestions.twinId, twinId), isNull(gapQuestions.gapId)))
    .orderBy(asc(gapQuestions.id))
    .limit(BATCH);
  const turns = await turnsBefore(tx, rows);
  return rows.map((row) => ({ ...row, history: historyOf(row.said, turns.get(row.id) ?? []) }));
}

/** Returns the latest turns before each question, newest first. */
async function turnsBefore(
  tx: Tx,
  asked: readonly Pick<Unsorted, "id" | "conversationId" | "messageId">[],
): Promise<Map<number, HistoryTurn[]>> {
  const { rows } = await tx.execute(sql`
    select asked.id, turn.role, turn.content
    from unnest(${sql.param(asked.map(({ id }) => id))}::bigint[], ${sql.param(asked.map((one) => one.conversationId))}::uuid[],
      ${sql.param(asked.map(({ messageId }) => messageId))}::bigint[]) asked (id, conversation_id, message_id)
    cross join lateral (select m.id, m.role, m.content from conversation_messages m
      where m.conversation_id = asked.conversation_id and m.id < asked.message_id
      order by m.id desc limit ${MAX_HISTORY_TURNS}) turn
    order by asked.id, turn.id desc`);
  const turns = new Map<number, HistoryTurn[]>();
  for (const { id, role, content } of rows as unknown as ({ id: number | string } & HistoryTurn)[]) {
    const before = turns.get(Number(id)) ?? [];
    turns.set(Number(id), before);
    before.push({ role, content });
  }
  return turns;
}

/** Returns the turns before the burst, oldest first. */
function historyOf(said: string, turns: readonly HistoryTurn[]): HistoryTurn[] {
  const before = turns.findIndex(({ role, content }) => role === "assistant" || !said.includes(content));
  return before < 0 ? [] : turns.slice(before).reverse();
}

/** Returns the question without its context; null if there is none, or its topic is always reserved for the owner. */
function questionIn({ said, history }: Unsorted): string | null {
  const asks = wantOf(said) === "question" || askedTypes(said).length > 0;
  if (!asks || contentWords(said).length === 0 || escalationTopic(said) !== null) return null;
  const before = followUpOf(history, said);
  const asked = withoutLead(
    withoutSmallTalk(before === null ? said.trim() : joinFollowUp(before, withoutLead(said.trim()))),
  );
  return asked || null;
}

/** «Добрый день!» before a question is not part of it. */
function withoutSmallTalk(question: string): string {
  return splitSentences(question)
    .filter((sentence) => smallTalkOf(sentence) === null)
    .join(" ");
}

/** «И ещё вопрос: …»: the text before the colon only announces the question. */
function withoutLead(question: string): string {
  const colon = question.indexOf(":");
  const announces = colon > 0 && contentWords(question.slice(0, colon)).length === 0;
  const asked = announces ? question.slice(colon + 1).trim() : "";
  return asked === "" ? question : `${asked[0]!.toUpperCase()}${asked.slice(1)}`;
}

interface Found {
  /** Ids of messages without a question. */
  nothing: number[];
  begun: { id: string; orgId: string; twinId: string; createdAt: Date; checkedBy: string | null }[];
  placed: Placed[];
}

/** Finds the gap of each question. Comparing one with hundreds of others computes for milliseconds, so each is a piece of its own. */
async function findPlaces(
  { organizationId: orgId, twinId, model }: TwinData & { model: string | null },
  questions: readonly (Unsorted & { question: string | null })[],
  embeddings: ReadonlyMap<number, QueryEmbedding>,
  known: KnownGap[],
): Promise<Found> {
  const found: Found = { nothing: [], begun: [], placed: [] };
  for (const { id, question, askedAt } of questions) {
    if (question === null) {
      found.nothing.push(id);
      continue;
    }
    const form = questionForm(question);
    const embedding = embeddings.get(id) ?? null;
    const codes = embedding === null ? null : encodeVector(embedding.vector).codes;
    let gap = await backgroundThrottle.compute(() => nearestGap(form, embedding, known));
    if (gap === null) {
      gap = { id: randomUUID(), wordings: [] };
      found.begun.push({ id: gap.id, orgId, twinId, createdAt: askedAt, checkedBy: model });
      known.push(gap);
    }
    if (gap.wordings.length < COMPARED_WORDINGS) gap.wordings.push({ form, codes });
    found.placed.push({ id, gapId: gap.id, question, codes, model: embedding?.model ?? null });
  }
  return found;
}

/** @returns false if a gap was deleted meanwhile: its questions stay unsorted and must be placed anew */
async function keepFound(tx: Tx, twinId: string, { nothing, begun, placed }: Found): Promise<boolean> {
  const [twin] = await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, twinId)).for("no key update");
  if (twin === undefined) return true;
  if (nothing.length > 0) await tx.delete(gapQuestions).where(inArray(gapQuestions.id, nothing));
  if (begun.length > 0) await tx.insert(gaps).values(begun);
  const wanted = [...new Set(placed.map(({ gapId }) => gapId))];
  const rows = await tx.select({ id: gaps.id }).from(gaps).where(inArray(gaps.id, wanted)).for("key share");
  const there = new Set(rows.map(({ id }) => id));
  const kept = placed.filter(({ gapId }) => there.has(gapId));
  if (kept.length > 0) await keepPlaces(tx, kept);
  return kept.length === placed.length;
}

interface Placed {
  id: number;
  gapId: string;
  question: string;
  codes: Buffer | null;
  model: string | null;
}

async function keepPlaces(tx: Tx, placed: readonly Placed[]): Promise<void> {
  const column = <K extends keyof Placed>(name: K) => sql.param(placed.map((one) => one[name]));
  await tx.execute(sql`
    update gap_questions q set gap_id = p.gap_id, question = p.question, embedding_codes = p.codes, embedding_model = p.model
    from unnest(${column("id")}::bigint[], ${column("gapId")}::uuid[], ${column("question")}::text[],
      ${column("codes")}::bytea[], ${column("model")}::text[]) p (id, gap_id, question, codes, model)
    where q.id = p.id and q.gap_id is null`);
  // The question was asked and left open again after the gap was answered: the answer is wrong, or does not cover this asker. The owner's
  // test chat is an exception when his answer is only for those who had asked.
  await tx.execute(sql`
    update gaps g set state = 'open', answered_by = null, decided_at = null, checked_at = now()
    where g.id = any(${sql.param([...new Set(placed.map(({ gapId }) => gapId))])}::uuid[]) and g.state = 'answered'
      and g.decided_at < (select max(q.asked_at) from gap_questions q join conversations c on c.id = q.conversation_id
        left join corrections answer on answer.id = g.correction_id
        where q.gap_id = g.id and q.id = any(${column("id")}::bigint[])
          and (c.contact_id is not null or coalesce(answer.audience, 0) = 0))`);
}

/** Loads the latest gaps, oldest of them first, with their first wordings. */
async function readGaps(tx: Tx, twinId: string, model: string | null): Promise<KnownGap[]> {
  const { rows } = await tx.execute(sql`
    select g.id, wording.question, case when wording.embedding_model = ${model} then wording.embedding_codes end as codes
    from (select gap_id as id, min(id) as first from gap_questions where twin_id = ${twinId} and gap_id is not null
      group by gap_id order by max(id) desc limit ${COMPARED_GAPS}) g
    join lateral (select distinct on (q.question) q.id, q.question, q.embedding_model, q.embedding_codes from gap_questions q
      where q.gap_id = g.id and q.question is not null order by q.question, q.id) wording on true
    order by g.first, wording.id`);
  const known = new Map<string, KnownGap>();
  for (const { id, question, codes } of rows as { id: string; question: string; codes: Buffer | null }[]) {
    const gap = known.get(id) ?? { id, wordings: [] };
    known.set(id, gap);
    if (gap.wordings.length < COMPARED_WORDINGS)
      gap.wordings.push({ form: questionForm(question), codes: codes === null ? null : Buffer.from(codes) });
  }
  return [...known.values()];
}

async function dropOldest(tx: Tx, twinId: string): Promise<void> {
  const kept = tx
    .select({ id: gapQuestions.id })
    .from(gapQuestions)
    .where(eq(gapQuestions.twinId, twinId))
    .orderBy(desc(gapQuestions.id))
    .limit(MAX_QUESTIONS);
  await tx.delete(gapQuestions).where(and(eq(gapQuestions.twinId, twinId), notInArray(gapQuestions.id, kept)));
  await dropEmptyGaps(tx, twinId);
}

/** Deletes gaps whose last question was deleted or is too old. Their corrections stay. */
async function dropEmptyGaps(tx: Tx, twinId: string): Promise<void> {
  await tx
    .delete(gaps)
    .where(
      and(
        eq(gaps.twinId, twinId),
        sql`not exists (select 1 from ${gapQuestions} where ${gapQuestions.gapId} = ${gaps.id})`,
      ),
    );
}
