/** Separates the questions of several consecutive messages, so that each is answered on its own. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { type HistoryTurn, MAX_HISTORY_TURNS } from "#server/knowledge/language/history-turn.ts";
import { askedTypes } from "#server/knowledge/language/question/answer-type.ts";
import { followUpOf } from "#server/knowledge/language/question/contextual-query.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { gapQuestions } from "#server/platform/db/schema/conversations.ts";

interface Message {
  id: number;
  content: string;
}

/** The part of a question in one message, or in several that belong together. */
interface Part {
  /** Id of the last message that contains the part. */
  messageId: number;
  said: string;
}

/** Separates unanswered questions by message. Running it again changes nothing, because a separated part contains only its own messages. */
export async function separateMessages(tx: Tx, twinId: string, limit: number): Promise<void> {
  const unsorted = await tx
    .select()
    .from(gapQuestions)
    .where(and(eq(gapQuestions.twinId, twinId), isNull(gapQuestions.gapId)))
    .orderBy(gapQuestions.id)
    .limit(limit)
    .for("update");
  const messages = await messagesOf(tx, unsorted);
  const apart = unsorted
    .map((row) => ({ row, parts: partsOf(row.said, messages.get(row.id) ?? []) }))
    .filter(({ parts }) => parts.length > 1);
  if (apart.length === 0) return;
  const ids = apart.map(({ row }) => row.id);
  await tx.delete(gapQuestions).where(inArray(gapQuestions.id, ids));
  await tx
    .insert(gapQuestions)
    .values(
      apart.flatMap(({ row: { orgId, conversationId, askedAt }, parts }) =>
        parts.map((part) => ({ ...part, orgId, twinId, conversationId, askedAt })),
      ),
    )
    .onConflictDoNothing();
}

/** Returns, by question, the messages since the last answer, oldest first. */
async function messagesOf(
  tx: Tx,
  asked: readonly Pick<typeof gapQuestions.$inferSelect, "id" | "conversationId" | "messageId">[],
): Promise<Map<number, Message[]>> {
  const { rows } = await tx.execute(sql`
    select asked.id as question, said.id, said.content
    from unnest(${sql.param(asked.map(({ id }) => id))}::bigint[], ${sql.param(asked.map((one) => one.conversationId))}::uuid[],
      ${sql.param(asked.map(({ messageId }) => messageId))}::bigint[]) asked (id, conversation_id, message_id)
    cross join lateral (select m.id, m.role, m.content from conversation_messages m
      where m.conversation_id = asked.conversation_id and m.id <= asked.message_id and m.role = 'user'
        and m.id > coalesce((select max(a.id) from conversation_messages a where a.conversation_id = asked.conversation_id
          and a.id < asked.message_id and a.role = 'assistant'), 0)
      order by m.id desc limit ${MAX_HISTORY_TURNS}) said
    order by asked.id, said.id`);
  const messages = new Map<number, Message[]>();
  for (const { question, id, content } of rows as {
    question: number | string;
    id: number | string;
    content: string;
  }[]) {
    const own = messages.get(Number(question)) ?? [];
    messages.set(Number(question), own);
    own.push({ id: Number(id), content });
  }
  return messages;
}

/** @param said the unanswered lines; @param messages oldest first */
export function partsOf(said: string, messages: readonly Message[]): Part[] {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  const parts: Part[] = [];
  let line = 0;
  for (const { id, content } of messages) {
    const own: string[] = [];
    while (line < lines.length && content.includes(lines[line]!)) own.push(lines[line++]!);
    if (own.length === 0) continue;
    const text = own.join("\n");
    const before = parts.at(-1);
    if (before !== undefined && belongsTo(before.said, text))
      parts[parts.length - 1] = { messageId: id, said: `${before.said}\n${text}` };
    else parts.push({ messageId: id, said: text });
  }
  // Lines found in no message (words of a recording) cannot be separated.
  return line === lines.length ? parts : [];
}

/** Returns whether a message continues the previous one: one of the two is not a complete question, or the later depends on the earlier. */
function belongsTo(before: string, message: string): boolean {
  if (!asks(before) || !asks(message)) return true;
  const history: HistoryTurn[] = [{ role: "user", content: before }];
  return followUpOf(history, message) !== null;
}

const asks = (text: string) =>
  (wantOf(text) === "question" || askedTypes(text).length > 0) && contentWords(text).length > 0;
