/** «Пробелы» for the twin's owner: the questions that the twin could not answer, with data that helps to answer them. */

import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { ReplySource } from "#contract/conversations/conversations.ts";
import { GAP_QUESTIONS_SHOWN, GAPS_SHOWN, type Gap, type GapState, type Gaps } from "#contract/gaps.ts";
import { getOwnTwin, type TwinRow } from "#server/accounts/twins/twins.ts";
import { hasNoAnswer } from "#server/inbox/unanswered/unanswered.ts";
import { ownConversation } from "#server/knowledge/corrections/corrected-answer.ts";
import { masked, personalSpans } from "#server/knowledge/facts/personal-data.ts";
import { askerOf } from "#server/knowledge/messages/people.ts";
import { contactNamesOf } from "#server/knowledge/messages/reply-examples.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { conversations, gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { type AskedWording, nearGaps } from "./near-gaps.ts";
import { isPendingNotification } from "./notify-askers.ts";
import { proposalsFor } from "./owner-replies.ts";
import { readinessOf } from "./readiness.ts";

type Names = Awaited<ReturnType<typeof contactNamesOf>>;

/** SQL condition: at least one question that the owner may see still belongs to the gap. */
export const hasVisibleQuestion = (twin: Pick<TwinRow, "id" | "ownerId">) => sql`exists (
  select 1 from ${gapQuestions} join ${conversations} on ${conversations.id} = ${gapQuestions.conversationId}
  where ${gapQuestions.gapId} = ${gaps.id} and ${ownConversation({ twinId: twin.id, ownerId: twin.ownerId })})`;

/** @throws Problem 404 when the twin is not the caller's own */
export function listGaps(db: Database, caller: Caller, twinId: string, state: GapState = "open"): Promise<Gaps> {
  return asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId);
    const counted = await tx
      .select({ state: gaps.state, total: sql<number>`count(*)::int` })
      .from(gaps)
      .where(and(eq(gaps.twinId, twinId), hasVisibleQuestion(twin)))
      .groupBy(gaps.state);
    const of = (wanted: GapState) => counted.find((row) => row.state === wanted)?.total ?? 0;
    return {
      readiness: await readinessOf(tx, twin),
      counts: { open: of("open"), answered: of("answered"), ignored: of("ignored") },
      gaps: await shownGaps(tx, twin, state),
      working: await isWorking(tx, twinId),
    };
  });
}

/** @throws Problem 404 when the twin is not the caller's own */
export function countGaps(db: Database, caller: Caller, twinId: string): Promise<{ open: number }> {
  return asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId);
    const [row] = await tx
      .select({ open: sql<number>`count(*)::int` })
      .from(gaps)
      .where(and(eq(gaps.twinId, twinId), eq(gaps.state, "open"), hasVisibleQuestion(twin)));
    return { open: row?.open ?? 0 };
  });
}

/** Returns whether questions are unsorted, askers are not notified yet, or the twin was not asked again yet. */
async function isWorking(tx: Tx, twinId: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: gapQuestions.id })
    .from(gapQuestions)
    .leftJoin(gaps, eq(gaps.id, gapQuestions.gapId))
    .where(
      and(
        eq(gapQuestions.twinId, twinId),
        or(isNull(gapQuestions.gapId), and(eq(gaps.answeredBy, "owner"), isPendingNotification())),
      ),
    )
    .limit(1);
  return row !== undefined;
}

async function shownGaps(tx: Tx, twin: TwinRow, state: GapState): Promise<Gap[]> {
  const people = sql<number>`count(distinct ${askerOf(conversations.contactId)})::int`;
  const last = sql`max(${gapQuestions.askedAt})`;
  const rows = await tx
    .select({ gap: gaps, people, times: sql<number>`count(*)::int` })
    .from(gaps)
    .innerJoin(gapQuestions, eq(gapQuestions.gapId, gaps.id))
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .where(
      and(eq(gaps.twinId, twin.id), eq(gaps.state, state), ownConversation({ twinId: twin.id, ownerId: twin.ownerId })),
    )
    .groupBy(gaps.id)
    .orderBy(...(state === "open" ? [desc(people), desc(last)] : [desc(gaps.decidedAt)]), desc(gaps.id))
    .limit(GAPS_SHOWN);
  const ids = rows.map(({ gap }) => gap.id);
  if (ids.length === 0) return [];
  const names = await contactNamesOf(tx, twin.id);
  const questions = await questionsOf(tx, twin, ids);
  const proposals = state === "open" ? await proposalsFor(tx, twin, ids) : new Map();
  const near = state === "open" ? nearGaps(wordingsOf(questions)) : new Map<string, string[]>();
  const nearest = state === "open" ? await nearestPassages(tx, ids) : new Map<string, ReplySource>();
  const shownAs = (id: string) => hidden(representative(questions.get(id) ?? []), names);
  const answers = await answersOf(
    tx,
    names,
    rows.map(({ gap }) => gap.correctionId).filter((id) => id !== null),
  );
  return rows.map(({ gap, people, times }) => {
    const own = questions.get(gap.id) ?? [];
    const proposal = proposals.get(gap.id);
    return {
      id: gap.id,
      state: gap.state,
      question: shownAs(gap.id),
      people,
      times,
      lastAskedAt: own[0]!.askedAt.toISOString(),
      questions: own.slice(0, GAP_QUESTIONS_SHOWN).map(({ id, said, askedAt, ...one }) => ({
        id: String(id),
        text: said,
        askedAt: askedAt.toISOString(),
        conversationId: one.conversationId,
        messageId: String(one.messageId),
        platform: one.platform,
        contactName: one.contactName,
        answered: one.answered,
        told: one.told,
      })),
      proposal: proposal === undefined ? null : { ...proposal, text: hidden(proposal.text, names) },
      answer: gap.correctionId === null ? null : (answers.get(gap.correctionId) ?? null),
      answeredBy: gap.answeredBy,
      ignoredAs: gap.ignoredAs,
      nearest: nearest.get(gap.id) ?? null,
      near: (near.get(gap.id) ?? []).map((id) => ({ id, question: shownAs(id) })),
    };
  });
}

/** By gap, the passage nearest to its latest question, taken from the waiting draft, else from the reply that was sent. */
async function nearestPassages(tx: Tx, ids: readonly string[]): Promise<Map<string, ReplySource>> {
  const { rows } = await tx.execute(sql`
    select distinct on (q.gap_id) q.gap_id as id, reply.source from gap_questions q
    cross join lateral (
      (select 0 as place, o.citations #> '{sources,0}' as source from outbox o
        where o.conversation_id = q.conversation_id and ${hasNoAnswer(sql`o.citations`)}
          and position(q.said in o.question) > 0 limit 1)
      union all
      (select m.id, case when ${hasNoAnswer(sql`m.citations`)} then m.citations #> '{sources,0}' end
        from conversation_messages m
        where m.conversation_id = q.conversation_id and m.id > q.message_id and m.role = 'assistant'
        order by m.id limit 1)
    ) reply
    where q.gap_id = any(${sql.param([...ids])}::uuid[]) and reply.source is not null
    order by q.gap_id, q.id desc, reply.place`);
  return new Map((rows as { id: string; source: ReplySource }[]).map(({ id, source }) => [id, source]));
}

const hidden = (text: string, names: Names): string => masked(text, personalSpans(text, names));

type ShownQuestion = Awaited<ReturnType<typeof readQuestions>>[number];

/** By gap, newest first. */
async function questionsOf(tx: Tx, twin: TwinRow, ids: readonly string[]): Promise<Map<string, ShownQuestion[]>> {
  return Map.groupBy(await readQuestions(tx, twin, ids), ({ gapId }) => gapId!);
}

/** Returns each different wording once, newest first. */
function wordingsOf(questions: ReadonlyMap<string, readonly ShownQuestion[]>): Map<string, AskedWording[]> {
  return new Map(
    [...questions].map(([id, asked]) => {
      const wordings = new Map<string, AskedWording>();
      for (const { question, said, codes, model } of asked)
        wordings.set(question ?? said, { question: question ?? said, codes, model });
      return [id, [...wordings.values()]];
    }),
  );
}

export function readQuestions(tx: Tx, { id: twinId, ownerId }: TwinRow, ids: readonly string[]) {
  return tx
    .select({
      id: gapQuestions.id,
      gapId: gapQuestions.gapId,
      said: gapQuestions.said,
      question: gapQuestions.question,
      askedAt: gapQuestions.askedAt,
      answered: gapQuestions.answered,
      told: gapQuestions.told,
      codes: gapQuestions.embeddingCodes,
      model: gapQuestions.embeddingModel,
      conversationId: conversations.id,
      messageId: gapQuestions.messageId,
      platform: conversations.platform,
      contactId: conversations.contactId,
      contactName: conversations.participantName,
    })
    .from(gapQuestions)
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .where(and(inArray(gapQuestions.gapId, [...ids]), ownConversation({ twinId, ownerId })))
    .orderBy(desc(gapQuestions.id));
}

/** Returns the most frequent wording; among equals the shortest, then the newest. */
function representative(questions: readonly ShownQuestion[]): string {
  const wordings = Map.groupBy(questions, ({ question, said }) => question ?? said);
  const [best] = [...wordings].sort(([a, one], [b, other]) => other.length - one.length || a.length - b.length);
  return best?.[0] ?? "";
}

async function answersOf(
  tx: Tx,
  names: Names,
  ids: readonly string[],
): Promise<Map<string, NonNullable<Gap["answer"]>>> {
  if (ids.length === 0) return new Map();
  const { id, question, text, audience } = corrections;
  const rows = await tx
    .select({ id, question, text, audience })
    .from(corrections)
    .where(inArray(corrections.id, [...ids]));
  return new Map(
    rows.map(({ id, question, text, audience }) => [
      id,
      // The question of a private answer contains the contact's words, which not every member may read.
      audience === 0
        ? { question, text, scope: "everybody" }
        : { question: hidden(question, names), text, scope: "contact" },
    ]),
  );
}
