/** The job that takes what a contact wrote into the conversation and answers it: as a draft, or by itself. */
import { and, asc, eq, gte, inArray, isNull, ne, sql } from "drizzle-orm";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { conversations, inboxEvents, integrations, outbox, twins } from "#server/db/schema.ts";
import type { JobData } from "#server/jobs/catalogue.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { standaloneQuestion } from "#server/language/contextual-query.ts";
import type { Log } from "#server/log.ts";
import { planAfter, planBefore } from "#server/replies/decide.ts";
import type { Generator, ReplyRequest } from "#server/replies/generators/generator.ts";
import { type Models, withModels } from "#server/replies/models.ts";
import { openTwin } from "#server/replies/open-twin.ts";
import { type Grounds, groundsOf, prepareReply, streamReply } from "#server/replies/reply.ts";
import { leavesToOwner } from "#server/replies/wording/owner-answers.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import { isBudgetSpent } from "#server/twins/model-budget.ts";
import type { Vault } from "#server/vault.ts";
import { emit } from "#server/webhooks/emit.ts";
import { draftReason, LOOP_MS, type Situation, silence, tellsAway } from "./answer-rules.ts";
import { burstEnd } from "./burst.ts";
import { Inbound } from "./channel.ts";
import {
  type ConversationRow,
  conversationOf,
  idsOf,
  lineOf,
  lockTwin,
  notedOf,
  placeOf,
  writeIncoming,
} from "./contact-conversation.ts";
import { asksToStart, asksToStop } from "./contact-words.ts";
import { openCredentials } from "./credentials.ts";
import { noteEvent } from "./event-log.ts";
import { type IncomingMeaning, incomingMeaning, messageOf } from "./incoming-meaning.ts";
import { isOpen, keepQuestion, openQuestionsOf } from "./open-questions/open-questions.ts";
import { isEcho } from "./owner-words.ts";
import { readAhead } from "./read-ahead.ts";
import { openChannel, type ProviderAddresses } from "./registry.ts";
import { riskyTopic } from "./risky-topics.ts";
import { countAttempt, giveUp, takeBack, uncounted } from "./set-aside/answer-attempts.ts";
import { isStopped } from "./stop-switch.ts";
import { stepBack, takeoverFrom } from "./takeover.ts";
import { historyOf } from "./talk-so-far.ts";
import { keepTyping } from "./typing.ts";
import { waitingIn } from "./waiting-events.ts";
import { closedNow } from "./working-hours.ts";

export interface AnswerDeps {
  db: Database;
  jobs: Jobs;
  vault: Vault;
  log: Log;
  generator: Generator;
  meanings: Meanings | null;
  localModels: Models | null;
  config: ProviderAddresses;
}

type AnswerJob = JobData["answer-inbox"];

// Turns of the conversation that the twin sees.

interface Burst {
  eventIds: number[];
  conversation: ConversationRow;
  question: string;
  request: ReplyRequest;
  reason: string | null;
  /** The same for what the plan comes to when the answer is there. */
  reasonFor: (plan: ReplyRequest["plan"]) => string | null;
  /** Whether it is known that the answer goes out before it is whole; else nobody is shown a part of it. */
  shownEarly: boolean;
  receivedAt: Date;
  typing: () => Promise<void>;
}

/** Somebody who reads an answer that goes out by itself while it is written. */
export interface Onlooker {
  begins(answer: { disclosing: boolean }): void;
  delta(text: string): void;
}

/** @param onlooker waits for the answer: then there is no waiting for the end of a burst */
export async function answerInbox(
  services: AnswerDeps,
  job: AnswerJob,
  signal: AbortSignal,
  onlooker?: Onlooker,
): Promise<void> {
  const deps = await withModels(services, job);
  const patient = onlooker === undefined;
  if (!(await countAttempt(deps, job))) return;
  const failed = (error: unknown) => (signal.aborted ? takeBack(deps, job) : giveUp(deps, job, error));
  let burst: Burst | null;
  try {
    const meant = await incomingMeaning(deps, job, patient);
    burst = await asTenant(deps.db, job, (tx) => takeIn(tx, deps, job, patient, meant));
  } catch (error) {
    await failed(error);
    throw error;
  }
  if (burst === null) return;
  const endTyping = burst.reason === null ? keepTyping(burst.typing) : () => {};
  try {
    if (burst.reason === null) onlooker?.begins({ disclosing: burst.conversation.disclosedAt === null });
    let text = "";
    const reading = readAhead();
    const show = (part: string) =>
      burst.reason === null && burst.shownEarly && part !== "" ? onlooker?.delta(part) : undefined;
    for await (const delta of streamReply(deps.generator, burst.request, signal)) {
      text += delta;
      show(reading.push(delta));
    }
    show(reading.end());
    const sent = await asTenant(deps.db, job, (tx) => keepAnswer(tx, deps, job, burst, text.trim()));
    if (sent && !burst.shownEarly) onlooker?.delta(text.trim());
  } catch (error) {
    if (isBudgetSpent(error)) {
      await asTenant(deps.db, job, (tx) => keepUnanswered(tx, job, burst, error.message));
      return;
    }
    await failed(error);
    throw error;
  } finally {
    endTyping();
  }
}

/** Writes the messages into the conversation; gives what is to be answered, or null when nothing is (yet). */
async function takeIn(
  tx: Tx,
  deps: AnswerDeps,
  job: AnswerJob,
  patient: boolean,
  meant: IncomingMeaning | null,
): Promise<Burst | null> {
  const [place] = await tx
    .select({
      integration: integrations,
      twin: { id: twins.id, isActive: twins.isActive },
    })
    .from(integrations)
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .where(and(eq(integrations.id, job.integrationId), eq(integrations.orgId, job.organizationId)));
  if (place === undefined) return null;
  await lockTwin(tx, place.twin.id);
  const rows = await tx
    .select()
    .from(inboxEvents)
    .where(waitingIn(job))
    .orderBy(asc(inboxEvents.position), asc(inboxEvents.id))
    .for("update");
  const events = rows.map((row) => ({ ...row, inbound: Inbound.parse(row.inbound) }));
  const [first] = events;
  if (first === undefined) return null;
  const { integration } = place;
  const conversation = await conversationOf(
    tx,
    { orgId: job.organizationId, twinId: place.twin.id, integrationId: integration.id, platform: integration.platform },
    first.inbound,
  );
  const echoes = new Set<number>();
  for (const { id, inbound, messageId } of events) {
    if (inbound.fromOwner && messageId === null && (await isEcho(tx, conversation.id, inbound))) echoes.add(id);
  }
  await writeIncoming(
    tx,
    conversation,
    events.filter((event) => event.messageId === null && !echoes.has(event.id)),
  );
  const settle = (ids: number[], status: "done" | "ignored", error: string | null = null) =>
    ids.length === 0
      ? Promise.resolve()
      : tx
          .update(inboxEvents)
          .set({ status, error })
          .where(inArray(inboxEvents.id, ids))
          .then(() => {});

  const automated = events.filter(({ inbound }) => inbound.automated).map(({ id }) => id);
  await settle(automated, "ignored", "Автоматическое сообщение");
  const owners = events.filter(({ id, inbound }) => inbound.fromOwner && !inbound.automated && !echoes.has(id));
  await settle([...echoes], "ignored", "Отправлено отсюда");
  const heard = owners.at(-1);
  if (heard !== undefined) {
    await settle(
      owners.map(({ id }) => id),
      "done",
    );
    const until = takeoverFrom(new Date(heard.inbound.sentAt));
    await stepBack(tx, conversation.id, until);
    if (conversation.pausedUntil === null || conversation.pausedUntil < until) conversation.pausedUntil = until;
  }
  const contacts = events.filter(({ inbound }) => !inbound.automated && !inbound.fromOwner);
  // What stands before the owner's words, he has answered.
  const human = contacts.filter((event) => heard === undefined || events.indexOf(event) > events.indexOf(heard));
  await settle(
    contacts.filter((event) => !human.includes(event)).map(({ id }) => id),
    "ignored",
    "Вы ответили сами",
  );
  const ids = human.map(({ id }) => id);
  const optedOutAt = await orders(
    tx,
    deps,
    conversation,
    contacts.map(({ inbound }) => inbound.text),
  );
  const asked = human.filter(({ inbound }) => !asksToStop(inbound.text));
  const last = asked.at(-1);
  const autonomy = conversation.autonomy ?? integration.autonomy;
  const noted = await notedOf(tx, conversation.contactId!);
  const stopped = await isStopped(tx, job.organizationId);
  const situation: Situation = {
    twinActive: place.twin.isActive,
    integrationStatus: integration.status,
    autonomy,
    pausedUntil: conversation.pausedUntil,
    optedOutAt,
    consentRefused: noted.consentRefused,
    closed: closedNow(integration.workingHours),
    now: new Date(),
  };
  const silent = silence(situation);
  if (last !== undefined && tellsAway(situation, { stopped, awayToldAt: conversation.awayToldAt })) {
    await keepAway(tx, deps, job, conversation, lineOf(last.inbound), integration.workingHours!.awayText);
  }
  if (last === undefined || silent !== null) {
    await settle(ids, "ignored", silent);
    return null;
  }
  const ended = burstEnd(human.map(({ inbound, receivedAt }) => ({ text: inbound.text, at: receivedAt.getTime() })));
  if (patient && ended > Date.now() + 50) {
    await uncounted(tx, job);
    await deps.jobs.enqueue(tx, "answer-inbox", job, new Date(ended));
    return null;
  }
  const question = asked.map(({ inbound }) => lineOf(inbound)).join("\n");
  const message = messageOf(asked.map(({ inbound }) => inbound));
  const { twin, index, learnt } = await openTwin(tx, job, place.twin.id, { contactId: conversation.contactId });
  const history = await historyOf(tx, conversation.id, ids);
  const audience = { kind: "contact", contactId: conversation.contactId! } as const;
  const prepared = await prepareReply({
    twin,
    index,
    learnt,
    message,
    history,
    audience,
    meaning: meant?.asked === standaloneQuestion(history, message) ? meant.meaning : null,
    // A visitor of a page has no name but ours.
    contact: integration.platform === "web" ? noted : { ...noted, name: conversation.participantName },
    timeZone: integration.workingHours?.timeZone,
    seed: `${conversation.id}:${history.length}:${message}`,
    generator: deps.generator.name,
  });
  const textless = asked.every(({ inbound }) => inbound.text === "");
  const recentReplies = await recentRepliesOf(tx, conversation);
  const signs = { stopped, closed: situation.closed, textless, recentReplies, risk: riskyTopic(question) };
  const reasonFor = (plan: ReplyRequest["plan"]) => draftReason(autonomy, plan, signs);
  // What goes out by itself may promise the owner's answer, for then his draft is made beside it.
  const byItself = autonomy === "auto" && reasonFor(prepared.plan) === null;
  const open = byItself ? await openQuestionsOf(tx, conversation.id) : [];
  const request: ReplyRequest = byItself
    ? { ...prepared, ownerAnswers: isOpen(open, question) ? "asked" : "will" }
    : prepared;
  const planned = planBefore(deps.generator, request);
  const channel = openChannel(openCredentials(deps.vault, integration), deps.config, integration);
  return {
    eventIds: ids,
    conversation,
    question,
    request,
    reason: reasonFor(planned),
    shownEarly: planned === request.plan,
    reasonFor,
    receivedAt: last.receivedAt,
    typing: async () => channel?.typing?.(job.conversationKey, last.inbound.context ?? {}),
  };
}

/** The owner's own words for the hours when nobody answers: they go out whatever the autonomy. */
async function keepAway(
  tx: Tx,
  deps: AnswerDeps,
  { organizationId, userId, integrationId }: AnswerJob,
  conversation: ConversationRow,
  question: string,
  text: string,
): Promise<void> {
  const reason = "Вне рабочих часов";
  const grounds: Grounds = { sources: [], exemplars: [], confidence: 1, basis: "smalltalk", reason };
  const place = { orgId: organizationId, integrationId, conversationId: conversation.id };
  await tx.insert(outbox).values({ ...place, question, text, state: "pending", confidence: 1, grounds });
  await tx.update(conversations).set({ awayToldAt: new Date() }).where(eq(conversations.id, conversation.id));
  await deps.jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: conversation.id });
}

/** «СТОП» and «СТАРТ», the last one counts. Gives since when the contact wants no replies. */
async function orders(
  tx: Tx,
  deps: AnswerDeps,
  conversation: ConversationRow,
  texts: readonly string[],
): Promise<Date | null> {
  const last = texts.findLast((text) => asksToStop(text) || asksToStart(text));
  if (last === undefined) return conversation.optedOutAt;
  const optedOutAt = asksToStop(last) ? (conversation.optedOutAt ?? new Date()) : null;
  if (optedOutAt?.getTime() === conversation.optedOutAt?.getTime()) return optedOutAt;
  await tx.update(conversations).set({ optedOutAt }).where(eq(conversations.id, conversation.id));
  if (optedOutAt !== null) {
    await tx
      .update(outbox)
      .set({ state: "cancelled", reason: "Собеседник попросил больше не писать" })
      .where(and(eq(outbox.conversationId, conversation.id), inArray(outbox.state, ["draft", "pending"])));
    const said = `${conversation.participantName}: просит больше не писать`;
    await noteEvent(tx, conversation.orgId, conversation.integrationId!, said);
  }
  deps.log.info({ conversation: conversation.id, optedOut: optedOutAt !== null }, "a contact's order");
  return optedOutAt;
}

/** Replies that nobody has looked at before they went out, to one contact: each letter may begin a talk of its own. */
async function recentRepliesOf(tx: Tx, { contactId, integrationId }: ConversationRow): Promise<number> {
  const since = new Date(Date.now() - LOOP_MS);
  const talks = tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.contactId, contactId!));
  const [row] = await tx
    .select({ total: sql<number>`count(*)::int` })
    .from(outbox)
    .where(
      and(
        // Not a join: the embedded database keeps no statistics, and would go through all replies of the integration.
        sql`${outbox.conversationId} = any(array(${talks}))`,
        eq(outbox.integrationId, integrationId!),
        isNull(outbox.decidedBy),
        // A question that waits for the owner's words says nothing.
        ne(outbox.text, ""),
        gte(outbox.createdAt, since),
      ),
    );
  return row?.total ?? 0;
}

/** What was waiting is settled, once, whoever runs; whether there is still somebody to answer, and the twin's to answer. */
async function settleBurst(tx: Tx, { eventIds, conversation }: Burst): Promise<boolean> {
  await lockTwin(tx, conversation.twinId);
  const [talk] = await tx
    .select({ pausedUntil: conversations.pausedUntil })
    .from(conversations)
    .where(eq(conversations.id, conversation.id))
    .for("no key update");
  // Taken over while it was thought about: the twin has nothing to say any more.
  const ownerLeads = talk !== undefined && talk.pausedUntil !== null && talk.pausedUntil > new Date();
  const settled = await tx
    .update(inboxEvents)
    .set(ownerLeads ? { status: "ignored", error: "Диалог ведёте вы" } : { status: "done", error: null })
    .where(and(inArray(inboxEvents.id, eventIds), eq(inboxEvents.status, "pending")))
    .returning({ id: inboxEvents.id });
  return settled.length > 0 && !ownerLeads;
}

const placeInOutbox = (job: AnswerJob, { conversation }: Burst) => ({
  orgId: job.organizationId,
  integrationId: job.integrationId,
  conversationId: conversation.id,
});

/** No model may be asked today: the message waits for the owner's own words, beside why. Nothing else answers in its place. */
async function keepUnanswered(tx: Tx, job: AnswerJob, burst: Burst, reason: string): Promise<void> {
  if (!(await settleBurst(tx, burst))) return;
  const { conversation, question } = burst;
  await tx.insert(outbox).values({ ...placeInOutbox(job, burst), question, text: "", state: "draft", reason });
  await emit(tx, {
    type: "draft.created",
    ...placeOf(conversation),
    data: { ...idsOf(conversation), confidence: 0, reason },
    texts: { contactName: conversation.participantName, question, text: "" },
  });
}

/** @returns whether it goes out by itself */
async function keepAnswer(tx: Tx, deps: AnswerDeps, job: AnswerJob, burst: Burst, text: string): Promise<boolean> {
  const { conversation, question, request, receivedAt } = burst;
  // Neither what is asked nor what is answered goes out by itself where only the owner may speak.
  const reason = burst.reason ?? riskyTopic(text) ?? burst.reasonFor(planAfter(deps.generator, request, text));
  if (!(await settleBurst(tx, burst))) return false;
  const grounds = groundsOf(deps.generator, request, text);
  await tx.insert(outbox).values({
    ...placeInOutbox(job, burst),
    question,
    text,
    state: reason === null ? "pending" : "draft",
    reason,
    confidence: grounds.confidence,
    grounds,
    durationMs: Math.max(0, Date.now() - receivedAt.getTime()),
  });
  if (reason !== null) {
    await emit(tx, {
      type: "draft.created",
      ...placeOf(conversation),
      data: { ...idsOf(conversation), confidence: grounds.confidence, reason },
      texts: { contactName: conversation.participantName, question, text },
    });
    return false;
  }
  if (request.ownerAnswers && leavesToOwner(deps.generator, request, text))
    await keepQuestion(tx, { conversation, question, request, told: text, grounds });
  const { organizationId, userId } = job;
  await deps.jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId: conversation.id });
  return true;
}
