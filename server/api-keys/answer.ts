/** A program asks a twin: the answer comes at once, and what a named asker has said is kept as a conversation. */

import { eq, sql } from "drizzle-orm";
import { ALL_STOPPED } from "#server/channels/answer-rules.ts";
import { contactOf, preview } from "#server/channels/contact-conversation.ts";
import { readAhead } from "#server/channels/read-ahead.ts";
import { riskyTopic } from "#server/channels/risky-topics.ts";
import { isStopped } from "#server/channels/stop-switch.ts";
import { readLearnt } from "#server/corrections/learnt.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { conversationMessages, conversations, twins } from "#server/db/schema.ts";
import { forbidden, type Problem } from "#server/errors.ts";
import { standaloneQuestion } from "#server/language/contextual-query.ts";
import { disclosureNotice } from "#server/language/disclosure.ts";
import type { HistoryTurn } from "#server/language/history-turn.ts";
import type { Generator, ReplyRequest } from "#server/replies/generators/generator.ts";
import { type Models, withModels } from "#server/replies/models.ts";
import { openTwin } from "#server/replies/open-twin.ts";
import { type Grounds, groundsOf, type IncomingMessage, prepareReply, streamReply } from "#server/replies/reply.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import type { Audience } from "#server/search/twin-units.ts";
import { tokensOf } from "#server/twins/model-tokens.ts";
import { publicNameOf } from "#server/twins/public-name.ts";
import { countAnswer } from "#server/twins/usage.ts";
import { type KeyCaller, spend, spendMore } from "./key-caller.ts";

export const API_PLATFORM = "api";

export interface AnswerDeps {
  db: Database;
  generator: Generator;
  meanings: Meanings | null;
  localModels: Models | null;
}

export interface KeyQuestion {
  text: string;
  /** What was said before, as the program tells it. */
  history: HistoryTurn[];
  notes?: string;
  /** Of everything that was sent. */
  tokens: number;
  /** Who asks; null: nobody that is known, and nothing of it is kept. */
  user: string | null;
}

export type KeyReplyEvent =
  | { type: "started" }
  | { type: "delta"; text: string }
  /** `risk`: why the owner has to answer instead, and the twin has only said so. */
  | { type: "done"; text: string; tokens: number; grounds: Grounds; risk: string | null };

/** The call cannot wait until the owner has looked: whoever asks is told who answers. */
const OWNER_ANSWERS = "На это отвечает сам владелец: обратитесь к нему, пожалуйста, напрямую.";

interface Talk {
  id: string;
  contactId: number;
  history: number;
}

interface Prepared {
  request: ReplyRequest;
  talk: Talk | null;
  disclosing: boolean;
}

/**
 * The first `next()` has read everything that can be refused: 403 (the twin is paused, its owner speaks), 404, 429 (the day's limit of the key, of the
 * twin or of its organisation).
 * Nobody is answered with what was said to somebody else: the asker is a stranger, or a contact that only this platform knows.
 */
export async function* answerByKey(
  services: AnswerDeps,
  caller: KeyCaller,
  question: KeyQuestion,
  signal: AbortSignal,
): AsyncGenerator<KeyReplyEvent> {
  const asked = performance.now();
  const deps = await withModels(services, caller);
  const meaning = (await deps.meanings?.of(standaloneQuestion(question.history, question.text))) ?? null;
  const { request, talk, disclosing } = await asTenant(deps.db, caller, (tx) =>
    prepare(tx, caller, question, { meaning, generator: deps.generator.name }),
  );
  const notice = disclosing ? `${disclosureNotice({ publicName: publicNameOf(caller.twin) })}\n\n` : "";
  let text = notice;
  const finish = async (durationMs: number | null, risk: string | null) => {
    const known = groundsOf(deps.generator, request, text);
    const grounds = risk === null ? known : { ...known, sources: [], exemplars: [], reason: risk };
    await asTenant(deps.db, caller, (tx) =>
      keep(tx, caller, question, talk, { text, grounds, durationMs, disclosing }),
    );
    return grounds;
  };
  let whole = false;
  let risk = riskyTopic(question.text);
  const deltas = risk === null ? streamReply(deps.generator, request, signal) : null;
  try {
    await deltas?.next();
    yield { type: "started" };
    if (notice !== "") yield { type: "delta", text: notice };
    const reading = readAhead();
    for await (const delta of deltas ?? []) {
      const part = reading.push(delta);
      text += part;
      if (part !== "") yield { type: "delta", text: part };
      if (reading.risk !== null) break;
    }
    const rest = reading.end();
    risk ??= reading.risk;
    const last = risk === null ? rest : OWNER_ANSWERS;
    text += last;
    if (last !== "") yield { type: "delta", text: last };
    whole = true;
  } finally {
    await deltas?.return(undefined);
    // Whoever leaves has read what had come: that was said, and is kept and counted.
    if (!whole && signal.aborted && text.length > notice.length) await finish(null, risk);
  }
  const grounds = await finish(Math.round(performance.now() - asked), risk);
  yield { type: "done", text, tokens: tokensOf(text), grounds, risk };
}

async function prepare(
  tx: Tx,
  caller: KeyCaller,
  question: KeyQuestion,
  answering: Pick<IncomingMessage, "meaning" | "generator">,
): Promise<Prepared> {
  const { twin, index } = await openTwin(tx, caller, caller.twin.id);
  if (!twin.isActive) throw twinPaused();
  if (await isStopped(tx, caller.organizationId)) throw allStopped();
  await spend(tx, caller, question.tokens);
  const talk = question.user === null ? null : await talkOf(tx, caller, question.user);
  if (talk !== null && talk.pausedUntil !== null && talk.pausedUntil > new Date()) throw ownerSpeaks();
  const { text: message, history, notes } = question;
  const audience: Audience = talk === null ? { kind: "stranger" } : { kind: "contact", contactId: talk.contactId };
  const request = await prepareReply({
    twin,
    index,
    learnt: await readLearnt(tx, twin.id, audience),
    message,
    history,
    audience,
    ...answering,
    ...(notes === undefined ? {} : { notes }),
    seed: `${talk?.id ?? caller.keyId}:${history.length}:${message}`,
  });
  const disclosing = talk === null ? !history.some(({ role }) => role === "assistant") : talk.disclosedAt === null;
  return { request, talk: talk && { id: talk.id, contactId: talk.contactId, history: history.length }, disclosing };
}

const twinPaused = (): Problem => forbidden("twin_paused", "Двойник приостановлен его владельцем");
const allStopped = (): Problem => forbidden("all_stopped", ALL_STOPPED);
const ownerSpeaks = (): Problem => forbidden("taken_over", "С этим собеседником сейчас говорит сам владелец");

/** Found, or made with its contact: the contact's row, which is there once, keeps two first questions apart. */
async function talkOf(tx: Tx, { organizationId: orgId, twin }: KeyCaller, user: string) {
  const place = { orgId, twinId: twin.id, platform: API_PLATFORM };
  const contactId = await contactOf(tx, place, { id: user, name: user });
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('contact', ${contactId}))`);
  const known = {
    id: conversations.id,
    pausedUntil: conversations.pausedUntil,
    disclosedAt: conversations.disclosedAt,
  };
  const [found] = await tx.select(known).from(conversations).where(eq(conversations.contactId, contactId)).limit(1);
  const [talk] = found
    ? [found]
    : await tx
        .insert(conversations)
        .values({ ...place, contactId, externalId: user, participantName: user })
        .returning(known);
  return { ...talk!, contactId };
}

interface Answer {
  text: string;
  grounds: Grounds;
  /** null: the reader left before its end */
  durationMs: number | null;
  disclosing: boolean;
}

/** What was paused or deleted meanwhile is not kept, and its answer is refused. @throws Problem 403, 404 */
async function keep(
  tx: Tx,
  caller: KeyCaller,
  question: KeyQuestion,
  talk: Talk | null,
  answer: Answer,
): Promise<void> {
  const { text, grounds, durationMs, disclosing } = answer;
  const [twin] = await tx
    .select({ isActive: twins.isActive })
    .from(twins)
    .where(eq(twins.id, caller.twin.id))
    .for("share");
  if (!twin?.isActive) throw twinPaused();
  if (await isStopped(tx, caller.organizationId)) throw allStopped();
  await spendMore(tx, caller, tokensOf(text));
  if (talk !== null) {
    const [row] = await tx
      .update(conversations)
      .set({
        status: "active",
        lastMessage: preview(text),
        lastInboundAt: sql`now()`,
        messageCount: sql`${conversations.messageCount} + 2`,
        updatedAt: sql`now()`,
        ...(disclosing ? { disclosedAt: sql`coalesce(${conversations.disclosedAt}, now())` } : {}),
      })
      .where(eq(conversations.id, talk.id))
      .returning({ pausedUntil: conversations.pausedUntil });
    if (row !== undefined) {
      if (row.pausedUntil !== null && row.pausedUntil > new Date()) throw ownerSpeaks();
      const line = { orgId: caller.organizationId, conversationId: talk.id };
      await tx.insert(conversationMessages).values([
        { ...line, role: "user", content: question.text },
        { ...line, role: "assistant", content: text, grounds, durationMs },
      ]);
    }
  }
  const { confidence } = grounds;
  const conversationId = talk?.id ?? null;
  await countAnswer(tx, caller, caller.twin.id, { question: question.text, conversationId, confidence, durationMs });
}
