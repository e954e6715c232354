/** The owner's own chat with a twin: a question in, a stored answer out. */
import { and, desc, eq, sql } from "drizzle-orm";
import type { GenerateInput, Reply } from "#contract/conversations.ts";
import { asTenant, type Database, sqlState, type Tx } from "#server/db/database.ts";
import { conversationMessages, conversations } from "#server/db/schema.ts";
import type { Generator, HistoryTurn, ReplyRequest } from "#server/engine/generators/generator.ts";
import { type Grounds, groundsOf, prepareReply, streamReply } from "#server/engine/reply.ts";
import { conflict } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { getTwinRow, twinNotFound } from "#server/twins/twins.ts";
import { countMessage, recordActivity } from "#server/twins/usage.ts";
import { conversationNotFound, type StoredGrounds } from "./conversations.ts";

// Turns of the conversation that the twin sees.
const HISTORY_TURNS = 12;
const PREVIEW_CHARS = 200;
const FOREIGN_KEY_VIOLATION = "23503";

export interface TestChatDeps {
  db: Database;
  generator: Generator;
}

export type ReplyEvent = { type: "started" } | { type: "delta"; text: string } | { type: "done"; reply: Reply };

/**
 * Answers as a stream: `started`, deltas, then the stored reply. Question and answer are stored together when the answer is
 * whole, or cut when the reader stopped it; a failed generation stores nothing, so that it can simply be asked again.
 * The first `next()` has read everything that can be refused: 404 (twin, conversation), 409 (the twin is paused).
 */
export async function* answerInTestChat(
  deps: TestChatDeps,
  viewer: Viewer,
  input: GenerateInput,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  const { twin, request } = await prepare(deps.db, viewer, input);
  const finish = (text: string, stopped: boolean) =>
    store(deps.db, viewer, input, twin, groundsOf(deps.generator, request, text), text, stopped);
  yield { type: "started" };
  let text = "";
  let whole = false;
  try {
    for await (const delta of streamReply(deps.generator, request, signal)) {
      text += delta;
      yield { type: "delta", text: delta };
    }
    whole = true;
  } finally {
    // A consumer that leaves early, or an abort: what the reader has seen stays in the conversation.
    if (!whole && text !== "" && signal.aborted) await finish(text, true);
  }
  yield { type: "done", reply: await finish(text, false) };
}

interface Prepared {
  twin: { id: string; name: string };
  request: ReplyRequest;
}

function prepare(db: Database, viewer: Viewer, input: GenerateInput): Promise<Prepared> {
  return asTenant(db, viewer, async (tx) => {
    const twin = await getTwinRow(tx, viewer, input.twinId);
    if (!twin.isActive) throw conflict("twin_paused", "Агент приостановлен. Включите его в настройках.");
    const history =
      input.conversationId === undefined ? [] : await historyOf(tx, viewer, input.conversationId, twin.id);
    const request = await prepareReply(tx, {
      twin,
      message: input.message,
      history,
      audience: { kind: "owner" },
      seed: `${input.conversationId ?? ""}:${input.message}`,
    });
    return { request, twin: { id: twin.id, name: twin.name } };
  });
}

async function historyOf(tx: Tx, viewer: Viewer, conversationId: string, twinId: string): Promise<HistoryTurn[]> {
  await getTestConversation(tx, viewer, conversationId, twinId);
  const rows = await tx
    .select({ role: conversationMessages.role, content: conversationMessages.content })
    .from(conversationMessages)
    .where(eq(conversationMessages.conversationId, conversationId))
    .orderBy(desc(conversationMessages.id))
    .limit(HISTORY_TURNS);
  return rows.reverse();
}

/** A test chat belongs to the member who opened it. @throws Problem 404 */
async function getTestConversation(tx: Tx, viewer: Viewer, id: string, twinId: string): Promise<void> {
  const [row] = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.id, id),
        eq(conversations.orgId, viewer.organizationId),
        eq(conversations.twinId, twinId),
        eq(conversations.userId, viewer.userId),
      ),
    );
  if (row === undefined) throw conversationNotFound();
}

async function store(
  db: Database,
  viewer: Viewer,
  input: GenerateInput,
  twin: { id: string; name: string },
  grounds: Grounds,
  response: string,
  stopped: boolean,
): Promise<Reply> {
  try {
    return await asTenant(db, viewer, async (tx) => {
      const conversationId = await touchConversation(tx, viewer, input, twin.id, response);
      const stored: StoredGrounds = stopped ? { ...grounds, stopped } : grounds;
      const rows = await tx
        .insert(conversationMessages)
        .values([
          { orgId: viewer.organizationId, conversationId, role: "user", content: input.message },
          { orgId: viewer.organizationId, conversationId, role: "assistant", content: response, grounds: stored },
        ])
        .returning({ id: conversationMessages.id });
      await countMessage(tx, viewer, twin.id);
      await recordActivity(tx, viewer, twin, "response_generated", `Ответ на «${cut(input.message, 80)}»`);
      return { response, ...grounds, conversationId, messageId: String(rows[1]!.id) };
    });
  } catch (error) {
    // Deleted while the answer was on its way.
    if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw twinNotFound();
    throw error;
  }
}

async function touchConversation(
  tx: Tx,
  viewer: Viewer,
  input: GenerateInput,
  twinId: string,
  response: string,
): Promise<string> {
  const change = { lastMessage: cut(response, PREVIEW_CHARS), updatedAt: new Date() };
  if (input.conversationId !== undefined) {
    const [row] = await tx
      .update(conversations)
      .set({ ...change, messageCount: sql`${conversations.messageCount} + 2` })
      .where(
        and(
          eq(conversations.id, input.conversationId),
          eq(conversations.twinId, twinId),
          eq(conversations.userId, viewer.userId),
        ),
      )
      .returning({ id: conversations.id });
    if (row === undefined) throw conversationNotFound();
    return row.id;
  }
  const [row] = await tx
    .insert(conversations)
    .values({
      ...change,
      orgId: viewer.organizationId,
      twinId,
      userId: viewer.userId,
      participantName: "Тестовый чат",
      messageCount: 2,
    })
    .returning({ id: conversations.id });
  return row!.id;
}

function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
