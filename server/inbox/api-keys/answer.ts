/** Answers programs at once. The messages of an asker with an id are stored as a conversation. */

import { eq, sql } from "drizzle-orm";
import { tokensOf } from "#server/accounts/twins/model-tokens.ts";
import { publicNameOf } from "#server/accounts/twins/public-name.ts";
import { countAnswer } from "#server/accounts/twins/usage.ts";
import { withModels } from "#server/answers/replies/models.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { type Answer, type Citations, planReply, type ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import { type PrefetchedQuestion, prefetchQuestion } from "#server/answers/replies/prefetch-question.ts";
import { escalationTopic } from "#server/inbox/answering/escalation-policy.ts";
import { streamingModeration } from "#server/inbox/answering/streaming-moderation.ts";
import { ALL_STOPPED } from "#server/inbox/conversation-control/answer-policy.ts";
import { contactOf, loadContactNotes, preview } from "#server/inbox/conversation-control/contact-conversation.ts";
import { isStopped } from "#server/inbox/conversation-control/stop-switch.ts";
import { recordUnanswered, sortStartTime } from "#server/inbox/unanswered/unanswered.ts";
import { findUnansweredParts } from "#server/inbox/unanswered/unanswered-parts.ts";
import { readActiveCorrections } from "#server/knowledge/corrections/active-corrections.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { disclosureNotice } from "#server/knowledge/language/disclosure.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { HIDDEN_WORDS, isPrivate, type Secrecy, strictestOf } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { forbidden, type Problem } from "#server/platform/errors.ts";
import { chargeTokens, type KeyCaller, reserveTokens } from "./key-caller.ts";
import type { KeyDeps } from "./key-deps.ts";

const API_PLATFORM = "api";

export interface KeyQuestion {
  text: string;
  history: HistoryTurn[];
  notes?: string;
  /** Number of tokens in all messages of the request. */
  tokens: number;
  /** The asker's id from the program; null: unknown, and no conversation is stored. */
  user: string | null;
}

export type KeyReplyEvent =
  | { type: "started" }
  | { type: "delta"; text: string }
  /** `risk`: why only the owner may answer; the text then says only that. null: the twin has answered. */
  | { type: "done"; text: string; tokens: number; citations: Citations; risk: string | null };

/** The answer when only the owner may answer, because the call cannot wait for him. */
const OWNER_ANSWERS = "На это отвечает сам владелец: обратитесь к нему, пожалуйста, напрямую.";

interface KeptConversation {
  id: string;
  contactId: number;
  history: number;
}

interface PlannedAnswer {
  answer: Answer;
  conversation: KeptConversation | null;
  disclosing: boolean;
}

/**
 * Streams an answer. The first `next()` throws every refusal: 403 (the twin is paused, its owner has taken over), 404, 429 (a daily limit
 * of the key, twin or organisation).
 * The asker counts as a stranger, or as a contact known only on this platform, so other people's conversations are never used.
 */
export async function* answerByKey(
  services: ReplyDeps & Pick<KeyDeps, "jobs">,
  caller: KeyCaller,
  question: KeyQuestion,
  signal: AbortSignal,
): AsyncGenerator<KeyReplyEvent> {
  const asked = performance.now();
  const models = await withModels(services, caller);
  const prefetched = await prefetchQuestion(models, caller, {
    ...{ twinId: caller.twin.id, message: question.text, history: question.history },
    audience: { kind: "stranger" },
  });
  const { answer, conversation, disclosing } = await asTenant(models.db, caller, (tx) =>
    planAnswer(tx, caller, question, prefetched),
  );
  const notice = disclosing ? `${disclosureNotice({ publicName: publicNameOf(caller.twin) })}\n\n` : "";
  let text = notice;
  const finish = async (durationMs: number | null, risk: string | null) => {
    const known = answer.citationsOf(text);
    const citations = risk === null ? known : { ...known, sources: [], replyExamples: [], reason: risk };
    const asker = { twinId: caller.twin.id, contactId: conversation?.contactId ?? null };
    const leftOpen = await findUnansweredParts(services, caller, { answer, text, said: question.text, asker });
    await asTenant(services.db, caller, (tx) =>
      keep(tx, services, caller, question, conversation, {
        ...{ text, citations, leftOpen, durationMs, disclosing },
        secrecy: strictestOf("organization", answer.secrecyOf(text)),
      }),
    );
    return citations;
  };
  let whole = false;
  let risk = escalationTopic(question.text);
  const deltas = risk === null ? answer.stream(signal) : null;
  try {
    await deltas?.next();
    yield { type: "started" };
    if (notice !== "") yield { type: "delta", text: notice };
    const moderation = streamingModeration();
    for await (const delta of deltas ?? []) {
      const part = moderation.push(delta);
      text += part;
      if (part !== "") yield { type: "delta", text: part };
      if (moderation.risk !== null) break;
    }
    const rest = moderation.end();
    risk ??= moderation.risk;
    const last = risk === null ? rest : OWNER_ANSWERS;
    text += last;
    if (last !== "") yield { type: "delta", text: last };
    whole = true;
  } finally {
    await deltas?.return(undefined);
    // A client that disconnects has already read part of the reply, so that part is stored and counted.
    if (!whole && signal.aborted && text.length > notice.length) await finish(null, risk);
  }
  const citations = await finish(Math.round(performance.now() - asked), risk);
  yield { type: "done", text, tokens: tokensOf(text), citations, risk };
}

async function planAnswer(
  tx: Tx,
  caller: KeyCaller,
  question: KeyQuestion,
  prefetched: PrefetchedQuestion,
): Promise<PlannedAnswer> {
  const opened = await openTwin(tx, caller, caller.twin.id);
  if (!opened.twin.isActive) throw twinPaused();
  if (await isStopped(tx, caller.organizationId)) throw allStopped();
  await reserveTokens(tx, caller, question.tokens);
  const conversation = question.user === null ? null : await conversationOf(tx, caller, question.user);
  if (conversation !== null && conversation.pausedUntil !== null && conversation.pausedUntil > new Date())
    throw ownerSpeaks();
  const { text: message, history, notes } = question;
  const audience: Audience =
    conversation === null ? { kind: "stranger" } : { kind: "contact", contactId: conversation.contactId };
  const incoming = {
    learnt: await readActiveCorrections(tx, opened.twin.id, audience),
    message,
    history,
    audience,
    ...(conversation === null ? {} : { contact: await loadContactNotes(tx, conversation.contactId) }),
    ...(notes === undefined ? {} : { notes }),
    seed: `${conversation?.id ?? caller.keyId}:${history.length}:${message}`,
  };
  const answer = await planReply(opened, incoming, prefetched);
  const disclosing =
    conversation === null ? !history.some(({ role }) => role === "assistant") : conversation.disclosedAt === null;
  return {
    answer,
    conversation: conversation && { id: conversation.id, contactId: conversation.contactId, history: history.length },
    disclosing,
  };
}

const twinPaused = (): Problem => forbidden("twin_paused", "Двойник приостановлен его владельцем");
const allStopped = (): Problem => forbidden("all_stopped", ALL_STOPPED);
const ownerSpeaks = (): Problem => forbidden("taken_over", "С этим собеседником сейчас говорит сам владелец");

/**
 * Finds or creates the conversation with its contact. The contact's row is unique, so two simultaneous first questions get one
 * conversation.
 */
async function conversationOf(tx: Tx, { organizationId: orgId, twin }: KeyCaller, user: string) {
  const place = { orgId, twinId: twin.id, platform: API_PLATFORM };
  const contactId = await contactOf(tx, place, { id: user, name: user });
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('contact', ${contactId}))`);
  const known = {
    id: conversations.id,
    pausedUntil: conversations.pausedUntil,
    disclosedAt: conversations.disclosedAt,
  };
  const [found] = await tx.select(known).from(conversations).where(eq(conversations.contactId, contactId)).limit(1);
  const [conversation] = found
    ? [found]
    : await tx
        .insert(conversations)
        .values({ ...place, contactId, externalId: user, participantName: user })
        .returning(known);
  return { ...conversation!, contactId };
}

interface Given {
  text: string;
  secrecy: Secrecy;
  citations: Citations;
  /** The part of the question that the answer leaves open; null when it leaves none. */
  leftOpen: string | null;
  /** null: the reader left before its end. */
  durationMs: number | null;
  disclosing: boolean;
}

/** Stores nothing if the twin was paused or deleted meanwhile, and refuses the answer. @throws Problem 403, 404 */
async function keep(
  tx: Tx,
  { jobs }: Pick<KeyDeps, "jobs">,
  caller: KeyCaller,
  question: KeyQuestion,
  conversation: KeptConversation | null,
  given: Given,
): Promise<void> {
  const { text, secrecy, citations, leftOpen, durationMs, disclosing } = given;
  const [twin] = await tx
    .select({ isActive: twins.isActive })
    .from(twins)
    .where(eq(twins.id, caller.twin.id))
    .for("share");
  if (!twin?.isActive) throw twinPaused();
  if (await isStopped(tx, caller.organizationId)) throw allStopped();
  await chargeTokens(tx, caller, tokensOf(text));
  if (conversation !== null) {
    const [row] = await tx
      .update(conversations)
      .set({
        status: "active",
        lastMessage: isPrivate(secrecy) ? HIDDEN_WORDS : preview(text),
        lastInboundAt: sql`now()`,
        messageCount: sql`${conversations.messageCount} + 2`,
        updatedAt: sql`now()`,
        ...(disclosing ? { disclosedAt: sql`coalesce(${conversations.disclosedAt}, now())` } : {}),
      })
      .where(eq(conversations.id, conversation.id))
      .returning({ pausedUntil: conversations.pausedUntil });
    if (row !== undefined) {
      if (row.pausedUntil !== null && row.pausedUntil > new Date()) throw ownerSpeaks();
      const line = { orgId: caller.organizationId, conversationId: conversation.id };
      await tx.insert(conversationMessages).values([
        { ...line, role: "user", content: question.text, secrecy: "organization" },
        { ...line, role: "assistant", content: text, secrecy, citations, durationMs },
      ]);
      if (leftOpen !== null) {
        await recordUnanswered(tx, { ...line, twinId: caller.twin.id, said: leftOpen });
        const { organizationId, userId } = caller;
        await jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId: caller.twin.id }, sortStartTime());
      }
    }
  }
  const { confidence } = citations;
  const conversationId = conversation?.id ?? null;
  await countAnswer(tx, caller, caller.twin.id, { question: question.text, conversationId, confidence, durationMs });
}
