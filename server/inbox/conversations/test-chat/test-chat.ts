/** Answers questions in the owner's own test chat with a twin, and stores them. */
import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { GenerateInput, Reply } from "#contract/conversations/conversations.ts";
import { mayChangeTwin } from "#server/accounts/organizations/access.ts";
import { twinNotFound } from "#server/accounts/twins/twins.ts";
import { answerLine, usageDay } from "#server/accounts/twins/usage.ts";
import { withModels } from "#server/answers/replies/models.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { type Answer, type Citations, planReply, type ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import { prefetchQuestion } from "#server/answers/replies/prefetch-question.ts";
import { openTools, type ToolDesk } from "#server/answers/tools/tool-desk.ts";
import type { CallDeps } from "#server/answers/tools/tool-kind.ts";
import { enqueueSorting, MAX_QUESTION_CHARS } from "#server/inbox/unanswered/unanswered.ts";
import { findUnansweredParts } from "#server/inbox/unanswered/unanswered-parts.ts";
import { audienceOf } from "#server/knowledge/embeddings/twin-units.ts";
import { type HistoryTurn, MAX_HISTORY_TURNS } from "#server/knowledge/language/history-turn.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { namedStatement } from "#server/platform/db/named-statement.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { conversationNotFound } from "../access.ts";
import type { StoredCitations, StoredQuestion } from "../transcript.ts";
import { keepAsked } from "./asked-question.ts";

const PREVIEW_CHARS = 200;
const NAME_CHARS = 80;

export type ReplyEvent =
  | { type: "started"; conversationId: string }
  | { type: "delta"; text: string }
  | { type: "done"; reply: Reply };

/** Signals of the reader who leaves, and of the server that waits for answers no longer. */
interface Ends {
  leaving: AbortSignal;
  stopping: AbortSignal;
}

export interface TestChatDeps extends ReplyDeps, CallDeps {
  jobs: Pick<Jobs, "enqueue">;
  log: Log;
}

const TIME_ZONE = "Europe/Moscow";

/**
 * Streams an answer: `started`, deltas, then the stored reply. Question and answer are stored together when the answer is whole, or when
 * the reader stops it. A failed generation stores nothing, so the question can be asked again. A question whose process is killed or
 * stops (`stopping`) stays in the transcript without an answer.
 * The first `next()` throws every refusal: 404 (twin, conversation), 409 (the twin is paused, the conversation closed), 429 (the daily
 * budget is spent).
 */
export async function* answerInTestChat(
  services: TestChatDeps,
  caller: Caller,
  input: GenerateInput & { newId?: string | undefined },
  { leaving, stopping }: Ends,
): AsyncGenerator<ReplyEvent> {
  const signal = AbortSignal.any([leaving, stopping]);
  const asked = performance.now();
  const conversation: StoredIn = {
    id: input.conversationId ?? input.newId ?? randomUUID(),
    isNew: input.conversationId === undefined,
  };
  const { twin, answer, tools } = await planAnswer(services, caller, input);
  const { message } = input;
  // A question that is repeated stands in the conversation already.
  const kept = input.again
    ? null
    : keepAsked(services, caller, { ...conversation, twinId: twin.id, message, name: cut(message, NAME_CHARS) });
  const finish = async (text: string, stopped: boolean) => {
    const citations = answer.citationsOf(text);
    // How long a person read before stopping says nothing about the twin.
    const durationMs = stopped ? null : Math.round(performance.now() - asked);
    const asker = { twinId: twin.id, contactId: null };
    const leftOpen = await findUnansweredParts(services, caller, { answer, text, said: input.message, asker });
    const answered = { text, citations, durationMs, leftOpen };
    // Ends the renewing in every case: after it, nothing may write the question into the conversation again.
    const isKept = (await kept?.answered()) ?? false;
    const isNew = conversation.isNew && !isKept;
    const reply = await storeExchange(services.db, caller, { ...conversation, isNew }, input, twin, answered);
    await tools?.adopt(conversation.id);
    if (leftOpen !== null) await enqueueSorting(services, { ...caller, twinId: twin.id });
    return reply;
  };
  const deltas = answer.stream(signal);
  let text = "";
  let whole = false;
  try {
    await deltas.next();
    yield { type: "started", conversationId: conversation.id };
    for await (const delta of deltas) {
      text += delta;
      yield { type: "delta", text: delta };
    }
    whole = true;
  } catch (error) {
    throw stopping.aborted ? stopping.reason : error;
  } finally {
    await deltas.return(undefined);
    // After an early end or abort, the conversation keeps what the reader has seen.
    if (!whole && text !== "" && leaving.aborted) await finish(text, true);
    else if (!whole) await (stopping.aborted ? kept?.interrupt() : kept?.forget());
  }
  yield { type: "done", reply: await finish(text, false) };
}

interface StoredIn {
  id: string;
  isNew: boolean;
}

/** Each statement is a transaction of its own, so models may be asked between them. @throws Problem 404, 409 */
async function planAnswer(
  services: ReplyDeps & CallDeps,
  caller: Caller,
  input: GenerateInput,
): Promise<{ twin: { id: string; name: string }; answer: Answer; tools: ToolDesk | null }> {
  const models = await withModels(services, caller);
  const tx = eachAsTenant(models.db, caller);
  const opened = await openTwin(tx, caller, input.twinId);
  const { twin, index } = opened;
  if (!twin.isActive) throw conflict("twin_paused", "Двойник приостановлен. Включите его в настройках.");
  const { conversationId, message } = input;
  const history = conversationId === undefined ? [] : await getTestConversation(tx, caller, conversationId, twin.id);
  const question = { twinId: twin.id, message, history, audience: audienceOf(caller, twin) };
  const prefetched = await prefetchQuestion(models, caller, question, index);
  // The seed includes the length of the history, so a repeated question may get other words.
  const seed = `${conversationId ?? ""}:${history.length}:${message}`;
  // A colleague who only reads the twin must not ask its owner's systems.
  const tools = mayChangeTwin(caller, twin)
    ? await openTools(tx, services, {
        ...{ tenant: caller, twinId: twin.id, message, history, timeZone: TIME_ZONE, address: null },
        asker: { conversationId: conversationId ?? null, contactId: null, phone: null },
        mode: input.live === true ? "live" : "dry",
      })
    : null;
  const answer = await planReply(opened, { ...question, seed, tools }, prefetched);
  return { twin: { id: twin.id, name: twin.name }, answer, tools };
}

const testConversation = namedStatement<
  { id: string; organizationId: string; twinId: string; userId: string },
  { status: string; turns: HistoryTurn[] }
>(
  "test conversation",
  sql`select c.status, (
      select coalesce(json_agg(json_build_object('role', latest.role, 'content', latest.content) order by latest.id), '[]')
      from (select m.id, m.role, m.content from conversation_messages m where m.conversation_id = c.id
        order by m.id desc limit ${sql.raw(`${MAX_HISTORY_TURNS}`)}) latest) as turns
    from conversations c where c.id = ${sql.placeholder("id")} and c.org_id = ${sql.placeholder("organizationId")}
      and c.twin_id = ${sql.placeholder("twinId")} and c.user_id = ${sql.placeholder("userId")}`,
);

/** Loads the latest turns of a test chat, oldest first; it belongs to the member who opened it. @throws Problem 404, 409 (it is closed) */
export async function getTestConversation(tx: Tx, caller: Caller, id: string, twinId: string): Promise<HistoryTurn[]> {
  const { organizationId, userId } = caller;
  const [conversation] = await testConversation(tx, { id, organizationId, twinId, userId });
  if (conversation === undefined) throw conversationNotFound();
  if (conversation.status === "closed")
    throw conflict("conversation_closed", "Диалог закрыт. Откройте его снова, чтобы продолжить.");
  return conversation.turns;
}

interface GivenAnswer {
  text: string;
  citations: Citations;
  /** Milliseconds; null: the reader stopped the answer. */
  durationMs: number | null;
  /** Id of the history pair that the question comes from, if any. */
  pairId?: string;
  /** The part of the question that the answer leaves open. Absent for history pairs: without its pair the twin's gap means nothing. */
  leftOpen?: string | null;
}

interface Exchange extends Record<string, unknown> {
  organizationId: string;
  userId: string;
  conversationId: string;
  twinId: string;
  twinName: string;
  message: string;
  /** JSON text, like `citations`. */
  repeat: string | null;
  response: string;
  /** The beginning of the answer for the list of conversations. */
  preview: string;
  /** Name of a test chat that begins with this question. */
  name: string;
  citations: string;
  durationMs: number | null;
  /** Text of the entry in the activity log. */
  line: string;
  day: string;
  measured: number;
  confidence: number;
  /** The question, if it was left without an answer. */
  unanswered: string | null;
}

interface StoredExchange {
  /** null: not the caller's, or the twin was deleted. */
  conversation: string | null;
  message: number | null;
  twin: boolean;
}

const given = (name: keyof Exchange & string) => sql.placeholder(name);

/** @param conversation SQL that updates the conversation's row, or inserts it */
const storeAfter = (name: string, conversation: SQL) =>
  namedStatement<Exchange, StoredExchange>(
    name,
    sql`
      with twin as (select id, owner_id from twins where id = ${given("twinId")} for key share),
      conversation as (${conversation} returning id),
      stored as (
        insert into conversation_messages (org_id, conversation_id, role, content, secrecy, citations, duration_ms)
        select ${given("organizationId")}::uuid, conversation.id, line.role, line.content,
          -- The owner is answered from all letters; a colleague, who alone reads his own test chat, from what is open.
          case when twin.owner_id = ${given("userId")}::uuid then 'owner' else 'organization' end, line.citations, line.duration
        from conversation, twin, (values
          (1, 'user', ${given("message")}::text, ${given("repeat")}::jsonb, null),
          (2, 'assistant', ${given("response")}::text, ${given("citations")}::jsonb, ${given("durationMs")}::int)
        ) as line (place, role, content, citations, duration) order by line.place
        returning id
      ),
      unanswered as (
        insert into gap_questions (org_id, twin_id, conversation_id, message_id, said)
        select ${given("organizationId")}::uuid, twin.id, conversation.id, (select min(id) from stored), ${given("unanswered")}::text
        from conversation, twin where ${given("unanswered")}::text is not null and twin.owner_id = ${given("userId")}::uuid
      ),
      noted as (
        insert into activity (org_id, twin_id, twin_name, type, description, conversation_id)
        select ${given("organizationId")}::uuid, ${given("twinId")}::uuid, ${given("twinName")}::text, 'response_generated',
          ${given("line")}::text, conversation.id from conversation
      ),
      counted as (
        insert into daily_usage (org_id, twin_id, day, messages, measured, confidence_sum, duration_sum,
          tests, tests_measured, tests_confidence_sum, tests_duration_sum)
        select org_id, twin_id, day, messages, measured, confidence, duration, messages, measured, confidence, duration
        from conversation, (values (${given("organizationId")}::uuid, ${given("twinId")}::uuid, ${given("day")}::text, 1,
          ${given("measured")}::int, ${given("confidence")}::float8, coalesce(${given("durationMs")}::bigint, 0)
        )) as answer (org_id, twin_id, day, messages, measured, confidence, duration)
        on conflict (twin_id, day) do update set messages = daily_usage.messages + 1,
          measured = daily_usage.measured + excluded.measured,
          confidence_sum = daily_usage.confidence_sum + excluded.confidence_sum,
          duration_sum = daily_usage.duration_sum + excluded.duration_sum,
          tests = daily_usage.tests + 1,
          tests_measured = daily_usage.tests_measured + excluded.tests_measured,
          tests_confidence_sum = daily_usage.tests_confidence_sum + excluded.tests_confidence_sum,
          tests_duration_sum = daily_usage.tests_duration_sum + excluded.tests_duration_sum
      )
      select (select id from conversation) as conversation, (select max(id) from stored) as message, exists (select from twin) as twin`,
  );

const storeInNewConversation = storeAfter(
  "exchange in a new conversation",
  sql`insert into conversations (id, org_id, twin_id, user_id, participant_name, message_count, last_message)
    select ${given("conversationId")}::uuid, ${given("organizationId")}::uuid, id, ${given("userId")}::uuid,
      ${given("name")}::text, 2, ${given("preview")}::text from twin`,
);

const storeInConversation = storeAfter(
  "exchange in a conversation",
  sql`update conversations set last_message = ${given("preview")}, updated_at = now(), message_count = message_count + 2,
      asked = null, asked_until = null,
      participant_name = case when message_count = 0 then ${given("name")} else participant_name end
    where id = ${given("conversationId")} and twin_id = (select id from twin) and user_id = ${given("userId")}`,
);

/** Stores question and answer together and counts them. @throws Problem 404 when the conversation or the twin was deleted */
export async function storeExchange(
  db: Database,
  caller: Caller,
  conversation: StoredIn,
  { message, again }: Pick<GenerateInput, "message" | "again">,
  twin: { id: string; name: string },
  { text: response, citations, durationMs, pairId, leftOpen = null }: GivenAnswer,
): Promise<Reply> {
  const stored: StoredCitations = {
    ...citations,
    ...(durationMs === null ? { stopped: true } : {}),
    ...(pairId === undefined ? {} : { pairId }),
  };
  const repeat: StoredQuestion | null = again ? { again } : null;
  const measured = durationMs === null ? 0 : 1;
  const [row] = await (conversation.isNew ? storeInNewConversation : storeInConversation)(eachAsTenant(db, caller), {
    organizationId: caller.organizationId,
    userId: caller.userId,
    conversationId: conversation.id,
    twinId: twin.id,
    twinName: twin.name,
    message,
    repeat: repeat && JSON.stringify(repeat),
    response,
    preview: cut(response, PREVIEW_CHARS),
    name: cut(message, NAME_CHARS),
    citations: JSON.stringify(stored),
    durationMs,
    line: answerLine(message),
    day: usageDay(new Date()),
    measured,
    confidence: citations.confidence * measured,
    unanswered: leftOpen?.slice(0, MAX_QUESTION_CHARS).toWellFormed() ?? null,
  });
  if (row === undefined) throw new Error("Storing an exchange answers one row");
  // The twin or conversation was deleted while the answer was being generated.
  if (!row.twin) throw twinNotFound();
  if (row.conversation === null) throw conversationNotFound();
  return { response, ...citations, conversationId: conversation.id, messageId: String(row.message) };
}

function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
