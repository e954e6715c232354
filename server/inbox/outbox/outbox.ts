/** Sends answers: each is checked again under lock just before, and is sent at most once. */

import { setTimeout as pause } from "node:timers/promises";
import { and, asc, eq, gt, inArray, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { CHANNEL_PLATFORMS } from "#contract/platforms.ts";
import { sendUntilAsked } from "#server/accounts/twins/in-flight-sends.ts";
import { publicNameOf } from "#server/accounts/twins/public-name.ts";
import { countAnswer } from "#server/accounts/twins/usage.ts";
import type { Citations } from "#server/answers/replies/plan-reply.ts";
import type { Channel, Outgoing, SendResult } from "#server/inbox/channel-protocol/channel.ts";
import { takeRateSlot } from "#server/inbox/channel-protocol/rate-limit.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { refusedIntegration } from "#server/inbox/channels/integration-rows.ts";
import { openChannel, type ProviderAddresses, platformOf } from "#server/inbox/channels/registry.ts";
import { ALL_STOPPED } from "#server/inbox/conversation-control/answer-policy.ts";
import { idsOf, lockTwinOf, preview, webhookIdsOf } from "#server/inbox/conversation-control/contact-conversation.ts";
import { isStopped } from "#server/inbox/conversation-control/stop-switch.ts";
import { markCardDue } from "#server/inbox/crm/cards.ts";
import { businessConnectionObstacle } from "#server/inbox/incoming/business-connection.ts";
import { emit } from "#server/inbox/webhooks/emit.ts";
import { teachSent } from "#server/knowledge/corrections/teach-sent.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { disclosureNotice } from "#server/knowledge/language/disclosure.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { HIDDEN_WORDS, isPrivate } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { addSpanAttributes, traced } from "#server/platform/process/tracing.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { healthAfter, isBroken, PROBE_MS, SENDING_WAITS, type SendHealth } from "./circuit-breaker.ts";

type SendJob = JobData["send-outbox"];

export interface OutboxDeps {
  db: Database;
  jobs: Jobs;
  queryEmbedder: QueryEmbedder | null;
  vault: Vault;
  log: Log;
  config: ProviderAddresses;
}

const ATTEMPTS = 10;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
const INTERRUPTED = "Сервер остановился во время отправки: дошло ли сообщение, неизвестно";

interface Claim {
  id: string;
  outgoing: Outgoing;
  attempts: number;
  disclosing: boolean;
  /** Scope in which the twin learns the sent text; null: it learns nothing. */
  teaches: CorrectionScope | null;
  channel: Channel;
  integrationId: string;
  credentials: Buffer;
  health: SendHealth;
}

export async function sendOutbox(deps: OutboxDeps, job: SendJob, signal: AbortSignal): Promise<void> {
  await settleInterrupted(deps, job);
  while (!signal.aborted) {
    const claim = await asTenant(deps.db, job, (tx) => claimNext(tx, deps, job));
    if (claim === "nothing") return;
    if (claim === "refused") continue;
    if ("waitMs" in claim) {
      await pause(claim.waitMs, undefined, { signal }).catch(() => {});
      continue;
    }
    const result = await sendUntilAsked(
      () => wasAskedToEnd(deps, job, claim.id),
      (ending) => sendTraced(claim, ending),
    );
    await asTenant(deps.db, job, (tx) => settle(tx, job, claim, result));
    if (result.ok && claim.teaches) await teachSent(deps, job, claim.id, claim.teaches);
    if (!result.ok) {
      const { kind, message } = result;
      deps.log.warn({ outbox: claim.id, kind, reason: message }, "a message did not go out");
    }
  }
}

const sendTraced = ({ channel, outgoing }: Claim, ending: AbortSignal | undefined): Promise<SendResult> =>
  traced(`send ${channel.platform}`, { kind: "client" }, async () => {
    const result = await channel.send(outgoing, ending);
    addSpanAttributes({ "send.outcome": result.ok ? "ok" : result.kind });
    return result;
  });

async function wasAskedToEnd({ db }: OutboxDeps, job: SendJob, id: string): Promise<boolean> {
  const [row] = await asTenant(db, job, (tx) =>
    tx.select({ endAsked: outbox.endAsked }).from(outbox).where(eq(outbox.id, id)),
  );
  return row?.endAsked ?? true;
}

/**
 * Settles rows that a dead run left in «sending»; only one run at a time sends in a conversation. Platforms that can be asked say whether
 * it arrived; platforms that recognise repeats get it again; on others it is unknown.
 */
async function settleInterrupted(deps: OutboxDeps, job: SendJob): Promise<void> {
  const { db } = deps;
  for (const { claim, since } of await asTenant(db, job, (tx) => interruptedClaims(tx, deps, job))) {
    const result = await claim.channel.arrived!(claim.outgoing, since);
    if (result.ok) {
      await asTenant(db, job, (tx) => settle(tx, job, claim, result));
      if (claim.teaches) await teachSent(deps, job, claim.id, claim.teaches);
      continue;
    }
    const parts = sql`${outbox.externalIds} || ${sql.param(result.externalIds)}::text[]`;
    await asTenant(db, job, (tx) =>
      tx
        .update(outbox)
        .set({ externalIds: parts })
        .where(and(eq(outbox.id, claim.id), eq(outbox.state, "sending"))),
    );
  }
  await asTenant(db, job, (tx) =>
    tx
      .update(outbox)
      .set({ state: "unknown", reason: INTERRUPTED })
      .where(and(eq(outbox.conversationId, job.conversationId), eq(outbox.state, "sending"), not(mayBeRepeated(tx)))),
  );
}

/** Loads the rows that a dead run left in «sending», on platforms that can be asked; `since`: when the send began. */
async function interruptedClaims(tx: Tx, deps: OutboxDeps, job: SendJob): Promise<{ claim: Claim; since: Date }[]> {
  const rows = await tx
    .select({ row: outbox, conversation: conversations, integration: integrations, twin: twins })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(integrations, eq(integrations.id, outbox.integrationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(eq(outbox.conversationId, job.conversationId), eq(outbox.state, "sending")));
  return rows.flatMap((found) => {
    const channel = openChannel(openCredentials(deps.vault, found.integration), deps.config, found.integration);
    if (channel?.arrived === undefined) return [];
    return [{ claim: claimOf({ ...found, channel }), since: found.row.nextAttemptAt }];
  });
}

const isDisclosing = (row: Pick<Claimed["row"], "author">, { disclosedAt }: Claimed["conversation"]): boolean =>
  row.author !== "owner" && disclosedAt === null;

interface Claimed {
  row: typeof outbox.$inferSelect;
  conversation: typeof conversations.$inferSelect;
  integration: typeof integrations.$inferSelect;
  twin: typeof twins.$inferSelect;
  channel: Channel;
}

function claimOf({ row, conversation, integration, twin, channel }: Claimed): Claim {
  // A repeated send goes on after the delivered parts, so the parts must be those of the first attempt.
  const disclosing = row.disclosing ?? isDisclosing(row, conversation);
  const text = disclosing ? `${disclosureNotice({ publicName: publicNameOf(twin) })}\n\n${row.text}` : row.text;
  return {
    id: row.id,
    attempts: row.attempts,
    outgoing: {
      key: row.id,
      conversation: conversation.externalId!,
      context: conversation.replyContext,
      lastInboundAt: conversation.lastInboundAt,
      text,
      ...((row.citations as Citations | null)?.parted ? { parted: true } : {}),
      delivered: row.externalIds.length,
    },
    disclosing,
    teaches: row.teachesScope ?? (row.teaches ? "contact" : null),
    channel,
    integrationId: integration.id,
    credentials: integration.credentials,
    health: { sendFailures: integration.sendFailures, sendPausedUntil: integration.sendPausedUntil },
  };
}

/** Condition for rows whose send began so recently that the platform would recognise a repeat. */
function mayBeRepeated(tx: Tx): SQL {
  const known = CHANNEL_PLATFORMS.flatMap((platform) => {
    const { knowsRepeatsMs } = platformOf(platform);
    if (knowsRepeatsMs === undefined) return [];
    const of = tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.platform, platform));
    const since = new Date(Date.now() - knowsRepeatsMs);
    return [and(inArray(outbox.integrationId, of), gt(outbox.nextAttemptAt, since))!];
  });
  return or(...known) ?? sql`false`;
}

/**
 * Locks twin, integration and conversation in the order in which owners change them. A transaction that pauses or deletes one of them has
 * committed before and is seen, or waits until «sending» is committed.
 */
async function claimNext(
  tx: Tx,
  deps: OutboxDeps,
  job: SendJob,
): Promise<Claim | { waitMs: number } | "refused" | "nothing"> {
  const [place] = await tx
    .select({
      twinId: conversations.twinId,
      integrationId: conversations.integrationId,
      sendFailures: integrations.sendFailures,
    })
    .from(conversations)
    .leftJoin(integrations, eq(integrations.id, conversations.integrationId))
    .where(eq(conversations.id, job.conversationId));
  if (place === undefined) return "nothing";
  const [twin] = await tx.select().from(twins).where(eq(twins.id, place.twinId)).for("share");
  // While a platform fails, only one message at a time is tried, and only its sender may update the row.
  const alone = isBroken({ sendFailures: place.sendFailures ?? 0 });
  const [integration] =
    place.integrationId === null
      ? []
      : await tx
          .select()
          .from(integrations)
          .where(eq(integrations.id, place.integrationId))
          .for(alone ? "no key update" : "share");
  const [conversation] = await tx
    .select()
    .from(conversations)
    .where(eq(conversations.id, job.conversationId))
    .for("share");
  const [row] = await tx
    .select()
    .from(outbox)
    .where(and(eq(outbox.conversationId, job.conversationId), inArray(outbox.state, ["pending", "sending"])))
    .orderBy(asc(outbox.createdAt), asc(outbox.id))
    .limit(1)
    .for("update");
  // The next message in order is not due, so those behind it wait too.
  if (row === undefined || conversation === undefined || row.nextAttemptAt > new Date()) return "nothing";
  // A dead run left it in «sending» and began at this time; the platform must recognise a repeat until then.
  const repeatedFrom = row.state === "sending" ? row.nextAttemptAt : null;
  const refuse = async (reason: string, state: "cancelled" | "failed" | "draft" = "cancelled") => {
    const set = repeatedFrom === null ? { state, reason } : ({ state: "unknown", reason: INTERRUPTED } as const);
    await tx.update(outbox).set(set).where(eq(outbox.id, row.id));
    return "refused" as const;
  };
  const waitUntil = async (nextAttemptAt: Date) => {
    if (repeatedFrom === null) await tx.update(outbox).set({ nextAttemptAt }).where(eq(outbox.id, row.id));
    return "nothing" as const;
  };
  const own = row.author === "owner";
  if (twin === undefined || (!twin.isActive && !own)) return refuse("Двойник приостановлен");
  if (integration === undefined || integration.status !== "active") return refuse("Интеграция приостановлена");
  if (conversation.optedOutAt !== null) return refuse("Собеседник попросил больше не писать");
  if (!own && conversation.pausedUntil !== null && conversation.pausedUntil > new Date())
    return refuse("Диалог ведёте вы");
  // It becomes a draft for the owner, so the question can be answered once the twins are switched on again.
  if (!own && (await isStopped(tx, job.organizationId))) return refuse(ALL_STOPPED, "draft");
  const { lentBy } = conversation.replyContext;
  const obstacle = typeof lentBy === "string" ? await businessConnectionObstacle(tx, integration.id, lentBy) : null;
  if (obstacle !== null) return refuse(obstacle, "failed");
  const channel = openChannel(openCredentials(deps.vault, integration), deps.config, integration);
  if (channel === null) return refuse("Отправка на эту платформу пока недоступна", "failed");
  if (channel.sendsHere?.() === false) {
    // The sweep enqueues it again, in the process that has the connection.
    return waitUntil(new Date(Date.now() + SHORTEST_WAIT_MS));
  }
  const waitMs =
    channel.rateLimit === undefined ? 0 : takeRateSlot(channel.rateLimit, integration.id, job.conversationId);
  if (waitMs > 0) return { waitMs };
  if (isBroken(integration)) {
    const until = integration.sendPausedUntil ?? new Date();
    if (!alone || until > new Date()) {
      return waitUntil(until);
    }
    const sendPausedUntil = new Date(Date.now() + PROBE_MS);
    await tx.update(integrations).set({ sendPausedUntil }).where(eq(integrations.id, integration.id));
  }
  // Unless a part has arrived, the conversation decides anew: another answer may have disclosed it meanwhile.
  const isBegun = row.externalIds.length > 0 || repeatedFrom !== null;
  const disclosing = (isBegun ? row.disclosing : null) ?? isDisclosing(row, conversation);
  await tx
    .update(outbox)
    // From now on this column stores since when the answer is being sent.
    .set({
      state: "sending",
      attempts: row.attempts + 1,
      nextAttemptAt: repeatedFrom ?? new Date(),
      endAsked: false,
      disclosing,
    })
    .where(eq(outbox.id, row.id));
  return claimOf({ row: { ...row, attempts: row.attempts + 1, disclosing }, conversation, integration, twin, channel });
}

async function settle(tx: Tx, job: SendJob, claim: Claim, result: SendResult): Promise<void> {
  await lockTwinOf(tx, job.conversationId);
  // Locked before the answer's row, in the same order as by transactions that disconnect the integration or delete the conversation.
  await noteHealth(tx, job, claim, result);
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.id, job.conversationId))
    .for("no key update");
  const { set, note } = outcome(claim, result);
  const parts = sql`${outbox.externalIds} || ${sql.param(result.externalIds)}::text[]`;
  const [row] = await tx
    .update(outbox)
    .set({ ...set, externalIds: parts })
    .where(and(eq(outbox.id, claim.id), inArray(outbox.state, ["sending", "unknown"])))
    .returning();
  // It was deleted with its conversation while being sent.
  if (row === undefined) return;
  if (note !== null) await noteEvent(tx, job.organizationId, row.integrationId, note);
  if (!result.ok && result.kind === "auth") {
    await tx
      .update(integrations)
      .set({ status: "error", statusReason: result.message })
      .where(refusedIntegration(row.integrationId, claim.credentials));
  }
  if (result.ok) await writeOutgoing(tx, job, row, claim);
}

/** Opens the breaker, lengthens its pause or closes it; after closing, the waiting messages are sent at once. */
async function noteHealth(tx: Tx, job: SendJob, { integrationId, health }: Claim, result: SendResult): Promise<void> {
  if (result.ok && health.sendFailures === 0) return;
  const [now] = await tx
    .select({ sendFailures: integrations.sendFailures, sendPausedUntil: integrations.sendPausedUntil })
    .from(integrations)
    .where(eq(integrations.id, integrationId))
    .for("no key update");
  if (now === undefined) return;
  const after = healthAfter(now, result, new Date());
  if (after.sendFailures === now.sendFailures) return;
  await tx.update(integrations).set(after).where(eq(integrations.id, integrationId));
  if (isBroken(after) && !isBroken(now)) {
    await noteEvent(tx, job.organizationId, integrationId, SENDING_WAITS);
  }
  if (isBroken(after) || !isBroken(now)) return;
  await noteEvent(tx, job.organizationId, integrationId, "Отправка снова работает");
  await tx
    .update(outbox)
    .set({ nextAttemptAt: new Date() })
    .where(and(eq(outbox.integrationId, integrationId), eq(outbox.state, "pending"), eq(outbox.attempts, 0)));
}

type Outcome = { set: Partial<typeof outbox.$inferInsert>; note: string | null };

function outcome(claim: Claim, result: SendResult): Outcome {
  if (result.ok) return { set: { state: "sent", sentAt: new Date(), reason: null }, note: null };
  const { kind, message } = result;
  if (kind === "retry") {
    if (claim.attempts >= ATTEMPTS) return { set: { state: "failed", reason: message }, note: message };
    const backoff = Math.min(SHORTEST_WAIT_MS * 2 ** (claim.attempts - 1), LONGEST_WAIT_MS);
    // The platform's requested wait is the minimum; the waits for an unavailable platform grow.
    const wait = Math.max(result.afterMs, backoff);
    return { set: { state: "pending", reason: message, nextAttemptAt: new Date(Date.now() + wait) }, note: null };
  }
  return { set: { state: kind === "unknown" ? "unknown" : "failed", reason: message }, note: message };
}

async function writeOutgoing(tx: Tx, job: SendJob, row: typeof outbox.$inferSelect, claim: Claim): Promise<void> {
  const { organizationId: orgId } = job;
  const rewritten = row.original !== null && row.original !== row.text;
  // Text that the owner has rewritten is his own: the draft's sources and doubts do not apply to it.
  const written = rewritten
    ? { author: "owner" as const, citations: null, durationMs: null }
    : { author: row.author, citations: row.citations as Citations | null, durationMs: row.durationMs };
  await tx.insert(conversationMessages).values({
    orgId,
    conversationId: row.conversationId,
    role: "assistant",
    content: claim.outgoing.text,
    secrecy: row.secrecy,
    ...written,
  });
  const [conversation] = await tx
    .update(conversations)
    .set({
      ...(claim.disclosing ? { disclosedAt: new Date() } : {}),
      unread: 0,
      // Lists, searches and exports of the organisation read this column, so it must not copy what only the owner may read.
      lastMessage: isPrivate(row.secrecy) ? HIDDEN_WORDS : preview(row.text),
      messageCount: sql`${conversations.messageCount} + 1`,
      updatedAt: sql`now()`,
    })
    .where(eq(conversations.id, row.conversationId))
    .returning();
  if (conversation === undefined) return;
  await emit(tx, {
    type: "reply.sent",
    ...webhookIdsOf(conversation),
    secrecy: row.secrecy,
    data: { ...idsOf(conversation), by: written.author ?? "twin" },
    texts: { contactName: conversation.participantName, text: claim.outgoing.text },
  });
  await markCardDue(tx, { orgId, twinId: conversation.twinId, conversationId: conversation.id });
  // The owner's own texts have no confidence, and do not count as the twin's work.
  if (row.confidence === null) return;
  await tx
    .update(integrations)
    .set({ messagesHandled: sql`${integrations.messagesHandled} + 1` })
    .where(eq(integrations.id, row.integrationId));
  await countAnswer(tx, job, conversation.twinId, {
    question: row.question,
    conversationId: conversation.id,
    confidence: row.confidence,
    durationMs: row.durationMs,
  });
}

/** Finds conversations with something due, or left in «sending» by a dead process, for the periodic sweep. */
export async function dueConversations(tx: Tx, stuckMs: number): Promise<SendJob[]> {
  const now = new Date();
  return tx
    .selectDistinct({
      organizationId: outbox.orgId,
      userId: twins.ownerId,
      conversationId: outbox.conversationId,
    })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(
      or(
        and(eq(outbox.state, "pending"), lte(outbox.nextAttemptAt, now)),
        and(eq(outbox.state, "sending"), lt(outbox.nextAttemptAt, new Date(now.getTime() - stuckMs))),
      ),
    )
    .limit(200);
}
