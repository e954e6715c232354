/** Counts how many different questions of the last weeks the twin answered at once, and how many it answers now. */
import { and, desc, eq, gte, sql } from "drizzle-orm";
import { READINESS_DAYS, type Readiness } from "#contract/gaps.ts";
import type { TwinRow } from "#server/accounts/twins/twins.ts";
import { ownConversation } from "#server/knowledge/corrections/corrected-answer.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { questionForm } from "#server/knowledge/question-similarity/question-form.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";

/** Number of conversations that are read, the most recently active ones, and lines of each. */
const CONVERSATIONS = 200;
const LINES = 40;
const DAY_MS = 24 * 3600_000;
/** Kinds of basis that count as an answer. */
const ANSWERS: ReadonlySet<string> = new Set(["knowledge", "recurring", "corrected", "quoted"]);

export async function readinessOf(tx: Tx, twin: Pick<TwinRow, "id" | "ownerId">): Promise<Readiness> {
  const since = new Date(Date.now() - READINESS_DAYS * DAY_MS);
  const left = await leftQuestions(tx, twin, since);
  const missed = new Set(left.flatMap(({ questions }) => questions.map(keyOf)));
  const answered = new Set<string>();
  for (const { question, basis } of await exchanges(tx, twin, since)) {
    if (!ANSWERS.has(basis) || wantOf(question) !== "question") continue;
    const key = keyOf(question);
    if (key !== "" && !missed.has(key)) answered.add(key);
  }
  // Ignored entries are no questions or need no answer, so they do not affect readiness.
  const counted = left.filter(({ state }) => state !== "ignored");
  return {
    questions: answered.size + counted.length,
    atFirst: answered.size,
    now: answered.size + counted.filter(({ known }) => known).length,
  };
}

/** Questions with the same words in any form are one. */
function keyOf(question: string): string {
  const { stems, numbers, types } = questionForm(question);
  return stems.size === 0 ? "" : [[...stems].sort().join(" "), numbers, [...types].sort().join(" ")].join("|");
}

/** Each gap counts as one question, however often it was asked. */
async function leftQuestions(tx: Tx, { id: twinId, ownerId }: Pick<TwinRow, "id" | "ownerId">, since: Date) {
  return tx
    .select({
      state: gaps.state,
      known: sql<boolean>`${gaps.state} = 'answered' and coalesce(bool_and(${gapQuestions.answered}), false)`,
      questions: sql<string[]>`array_agg(${gapQuestions.said})`,
    })
    .from(gapQuestions)
    .innerJoin(gaps, eq(gaps.id, gapQuestions.gapId))
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .where(and(eq(gapQuestions.twinId, twinId), gte(gapQuestions.askedAt, since), ownConversation({ twinId, ownerId })))
    .groupBy(gaps.id);
}

async function exchanges(
  tx: Tx,
  { id: twinId, ownerId }: Pick<TwinRow, "id" | "ownerId">,
  since: Date,
): Promise<{ question: string; basis: string }[]> {
  const recent = tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(ownConversation({ twinId, ownerId }), gte(conversations.updatedAt, since)))
    .orderBy(desc(conversations.updatedAt))
    .limit(CONVERSATIONS);
  const { rows } = await tx.execute(sql`
    select line.role, line.content, line.author, line.basis, recent.id as conversation from (${recent}) recent
    join lateral (select m.id, m.role, m.content, m.author, m.citations->>'basis' as basis from conversation_messages m
      where m.conversation_id = recent.id and m.created_at >= ${since.toISOString()}::timestamptz
      order by m.id desc limit ${LINES}) line on true
    order by recent.id, line.id`);
  const found: { question: string; basis: string }[] = [];
  let asked: { conversation: unknown; text: string } | null = null;
  for (const { role, content, author, basis, conversation } of rows as Record<string, string | null>[]) {
    if (role === "user") asked = { conversation, text: content! };
    else if (asked !== null && asked.conversation === conversation && author === null && basis !== null) {
      found.push({ question: asked.text, basis: basis! });
      asked = null;
    }
  }
  return found;
}
