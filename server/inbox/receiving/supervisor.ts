/**
 * Keeps active integrations receiving. One process receives for each integration: the holder of its lease, a database row that it renews.
 * When a lease expires, another process takes over. The supervisor also enqueues work that is due.
 */

import { randomUUID } from "node:crypto";
import { and, eq, isNull, lt, notInArray, or, type SQL, sql } from "drizzle-orm";
import { CHANNEL_PLATFORMS } from "#contract/platforms.ts";
import { dueMembers } from "#server/accounts/notifications/notify-member.ts";
import type { AnswerDeps } from "#server/inbox/answering/answer-job.ts";
import { type Channel, ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import { channelStateOf } from "#server/inbox/channel-protocol/channel-state.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { refusedIntegration } from "#server/inbox/channels/integration-rows.ts";
import { openChannel, platformOf } from "#server/inbox/channels/registry.ts";
import { isReachable, newWebhook, openWebhookSecret, webhookUrl } from "#server/inbox/channels/webhook-address.ts";
import { waitingConversations } from "#server/inbox/conversation-control/waiting-conversations.ts";
import { findDueConnections } from "#server/inbox/crm/cards.ts";
import { createAttemptTracker } from "#server/inbox/incoming/attempts.ts";
import { fetchHeld } from "#server/inbox/incoming/fetch-held.ts";
import type { AttemptDeps } from "#server/inbox/incoming/read-media.ts";
import type { ReceivingIntegration } from "#server/inbox/incoming/receiving-integration.ts";
import { dueConversations } from "#server/inbox/outbox/outbox.ts";
import { dueOwnerChats } from "#server/inbox/owner-chat/notify-owner.ts";
import { dueWebhooks } from "#server/inbox/webhooks/deliver.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { WriteGuard } from "#server/platform/db-upkeep/write-guard.ts";
import type { JobData, JobName } from "#server/platform/jobs/catalogue.ts";
import { receiveOne } from "./receive.ts";

interface SupervisorOptions {
  everyMs?: number;
  /** Milliseconds after which a lease expires if it is not renewed. */
  leaseMs?: number;
  /** Whether no other process can use this database; then existing leases belong to a process that is gone. */
  alone?: boolean;
  /** Milliseconds of the first pause after a failure; it doubles up to a minute. */
  backoffMs?: number;
}

export interface Supervisor {
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** Platforms whose conversations happen in this product. They receive nothing from outside, so they need no lease. */
const WRITTEN_HERE = CHANNEL_PLATFORMS.filter((id) => platformOf(id).writtenHere === true);
const LONGEST_BACKOFF_MS = 60_000;
const ANNOUNCE_MS = 3600_000;
/** Milliseconds after which unprocessed messages and unfinished sends are enqueued again. */
const STUCK_MS = 60_000;

interface Watched extends ReceivingIntegration {
  twinId: string;
  updatedAt: Date;
  /** Whether this process holds a lease that does not have to be renewed yet. */
  held: boolean;
}

interface Runner {
  watched: Watched;
  controller: AbortController;
  /** null until the channel is opened. */
  channel: Channel | null;
  /** When the lease expires, in milliseconds of `performance.now()`. */
  leasedUntil: number;
  ended: Promise<void>;
}

type SupervisorDeps = AnswerDeps &
  AttemptDeps & { config: { publicUrl: string }; writing: Pick<WriteGuard, "obstacle"> };

export function startSupervisor(deps: SupervisorDeps, options: SupervisorOptions = {}): Supervisor {
  const { everyMs = 2_000, leaseMs = 10_000, alone = false, backoffMs = 1_000 } = options;
  const { db, jobs, log } = deps;
  const me = randomUUID();
  const free = alone
    ? undefined
    : or(isNull(integrations.leaseUntil), lt(integrations.leaseUntil, sql`now()`), eq(integrations.leaseOwner, me));
  // Renewing at every check would cost a transaction per integration every two seconds. So a quarter of the lease may pass first.
  const held = sql<boolean>`coalesce(${integrations.leaseOwner} = ${me}
    and ${integrations.leaseUntil} > now() + ${leaseMs * 0.75} * interval '1 millisecond', false)`;
  const runners = new Map<string, Runner>();
  const originals = fetchHeld(deps);
  let stopped = false;
  let looking = Promise.resolve();

  /** Stops receivers whose lease could not be renewed, for example without the database. They must stop before another process starts. */
  function endOverdue(): void {
    for (const { leasedUntil, controller } of runners.values()) {
      if (performance.now() > leasedUntil - everyMs) controller.abort();
    }
  }

  const look = (): Promise<void> => {
    looking = looking.then(async () => {
      if (stopped) return;
      try {
        // Platforms keep what is not fetched, and deliver again what is not acknowledged.
        if (deps.writing.obstacle !== null) return await pauseAll();
        await watch();
        await originals.look(accountsHere());
        await sweep();
      } catch (error) {
        log.error({ err: error }, "channels could not be looked at");
      }
    });
    return looking;
  };

  async function pauseAll(): Promise<void> {
    await Promise.all([...runners].map(([id, runner]) => end(id, runner).catch(() => {})));
  }

  /** Ids of the integrations whose originals only this process can fetch. */
  const accountsHere = (): string[] =>
    [...runners].flatMap(([id, { channel }]) =>
      channel?.fetchMedia !== undefined && channel.sendsHere?.() === true ? [id] : [],
    );

  async function watch(): Promise<void> {
    const active = await activeIntegrations(deps, free, held);
    const wanted = new Map(active.map((watched) => [watched.id, watched]));
    for (const [id, runner] of runners) {
      const now = wanted.get(id);
      const same =
        now?.twinId === runner.watched.twinId && now.updatedAt.getTime() === runner.watched.updatedAt.getTime();
      if (now === undefined) await leaveIfDeleted(id, runner);
      if (!same) await end(id, runner);
    }
    for (const watched of active) {
      const runner = runners.get(watched.id);
      if (runner !== undefined && watched.held) continue;
      const leasedUntil = performance.now() + leaseMs;
      const taken = await asTenant(db, watched, (tx) =>
        tx
          .update(integrations)
          .set({ leaseOwner: me, leaseUntil: sql`now() + ${leaseMs} * interval '1 millisecond'` })
          .where(and(eq(integrations.id, watched.id), eq(integrations.status, "active"), free))
          .returning({ id: integrations.id }),
      );
      if (taken.length === 0) {
        if (runner !== undefined) await end(watched.id, runner);
      } else if (runner === undefined) begin(watched, leasedUntil);
      else runner.leasedUntil = leasedUntil;
    }
  }

  function begin(watched: Watched, leasedUntil: number): void {
    const controller = new AbortController();
    const opened = (channel: Channel) => {
      runner.channel = channel;
    };
    const runner: Runner = { watched, controller, channel: null, leasedUntil, ended: Promise.resolve() };
    runner.ended = keepReceiving(deps, watched, { me, backoffMs, opened, signal: controller.signal })
      .catch((error: unknown) => log.error({ err: error, integration: watched.id }, "a channel ended"))
      .finally(() => {
        if (runners.get(watched.id) === runner) runners.delete(watched.id);
      });
    runners.set(watched.id, runner);
  }

  /** Ends the session at the platform. The process that deletes the row has no connection with which it could do so. */
  async function leaveIfDeleted(id: string, { channel }: Runner): Promise<void> {
    if (channel?.leave === undefined) return;
    const rows = await asPlatform(db, (tx) =>
      tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.id, id)),
    );
    if (rows.length === 0) await channel.leave();
  }

  async function end(id: string, runner: Runner): Promise<void> {
    runner.controller.abort();
    await runner.ended;
    runners.delete(id);
    await asTenant(db, runner.watched, (tx) =>
      tx
        .update(integrations)
        .set({ leaseOwner: null, leaseUntil: null })
        .where(and(eq(integrations.id, id), eq(integrations.leaseOwner, me))),
    );
  }

  async function sweep(): Promise<void> {
    const due = await asPlatform(db, async (tx) => ({
      conversations: await dueConversations(tx, STUCK_MS),
      messages: await waitingConversations(tx, STUCK_MS),
      ownerChats: await dueOwnerChats(tx),
      members: await dueMembers(tx),
      webhooks: await dueWebhooks(tx),
      crm: await findDueConnections(tx),
    }));
    await askAgain("send-outbox", due.conversations);
    await askAgain("process-inbox", due.messages);
    await askAgain("notify-owner", due.ownerChats);
    await askAgain("notify-member", due.members);
    await askAgain("deliver-webhook", due.webhooks);
    await askAgain("fill-crm", due.crm);
  }

  /** Enqueues per tenant, because one by one a backlog would cost as much as answering it. */
  async function askAgain<Name extends JobName>(name: Name, due: readonly JobData[Name][]): Promise<void> {
    for (const ofTenant of Map.groupBy(due, ({ organizationId, userId }) => `${organizationId} ${userId}`).values()) {
      if (stopped) return;
      await asTenant(db, ofTenant[0]!, (tx) =>
        jobs.enqueueAll(
          tx,
          name,
          ofTenant.map((data) => ({ data })),
        ),
      );
    }
  }

  const timer = setInterval(() => {
    if (!alone) endOverdue();
    void look();
  }, everyMs);
  timer.unref();
  void look();
  return {
    look,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      await originals.stop();
      await pauseAll();
    },
  };
}

/** Loads the integrations that no other process holds. */
function activeIntegrations({ db }: AnswerDeps, free: SQL | undefined, held: SQL<boolean>): Promise<Watched[]> {
  return asPlatform(db, (tx) =>
    tx
      .select({
        id: integrations.id,
        organizationId: integrations.orgId,
        userId: twins.ownerId,
        twinId: integrations.twinId,
        updatedAt: integrations.updatedAt,
        held,
      })
      .from(integrations)
      .innerJoin(twins, eq(twins.id, integrations.twinId))
      .where(and(eq(integrations.status, "active"), notInArray(integrations.platform, WRITTEN_HERE), free)),
  );
}

interface Holding {
  me: string;
  backoffMs: number;
  opened(channel: Channel): void;
  signal: AbortSignal;
}

/** Receives until the signal aborts or the owner must act. */
async function keepReceiving(
  deps: SupervisorDeps,
  watched: Watched,
  { me, backoffMs, opened, signal }: Holding,
): Promise<void> {
  const { db } = deps;
  const { publicUrl } = deps.config;
  let failures = 0;
  while (!signal.aborted) {
    const [row] = await asTenant(db, watched, (tx) =>
      tx.select().from(integrations).where(eq(integrations.id, watched.id)),
    );
    if (row === undefined || row.status !== "active") return;
    const channel: Channel | null = openChannel(openCredentials(deps.vault, row), deps.config, row);
    // The account is not signed in yet, so the integration waits.
    if (channel === null) return waitFor(signal, LONGEST_BACKOFF_MS);
    opened(channel);
    const receiver = { integration: watched, ownerChat: channel.ownerChat };
    let told = row.account === null || row.trouble !== null ? undefined : row.limitation;
    try {
      const connected = async (limitation: string | null = null) => {
        failures = 0;
        if (told === limitation) return;
        told = limitation;
        const known = row.account === null ? null : { name: row.account, id: row.accountId };
        const { name, id } = known ?? (await channel.verify(signal));
        const said = [`Подключено: ${name}`, limitation].filter((part) => part !== null).join(". ");
        await tell(deps, watched, { trouble: null, limitation, account: name, accountId: id }, said);
      };
      if (channel.announce !== undefined && isReachable(publicUrl)) {
        await channel.announce(await webhookOf(deps, watched, row), signal);
        await connected();
        // The address is announced again from time to time, because another program may have replaced the bot's webhook.
        await waitFor(signal, ANNOUNCE_MS);
        continue;
      }
      const { cursor } = row;
      await channel.receive({
        organizationId: watched.organizationId,
        cursor,
        state: channelStateOf(db, deps.vault, { ...watched, integrationId: watched.id }),
        signal,
        connected,
        ...createAttemptTracker(deps, {
          integration: watched,
          leaseOwner: me,
          cursor,
          signal,
          emit: (reported, behind) => receiveOne(deps, receiver, reported, behind),
        }),
      });
      // A channel that ends unexpectedly is reopened, with a pause between attempts.
      await waitFor(signal, backoffMs);
    } catch (error) {
      if (signal.aborted) return;
      const trouble =
        error instanceof ChannelTrouble ? error : new ChannelTrouble("away", "Внутренняя ошибка: попробуем ещё раз");
      if (trouble !== error) deps.log.error({ err: error, integration: watched.id }, "receiving failed");
      if (trouble.kind === "auth") {
        const set = { status: "error", statusReason: trouble.message, trouble: null } as const;
        await tell(deps, watched, set, trouble.message, row.credentials);
        return;
      }
      if (row.trouble !== trouble.message) await tell(deps, watched, { trouble: trouble.message }, trouble.message);
      const backoff = Math.min(backoffMs * 2 ** Math.min(failures++, 10), LONGEST_BACKOFF_MS);
      await waitFor(signal, Math.max(trouble.afterMs ?? 0, backoff));
    }
  }
}

/** Returns the webhook address of the integration, creating it once. */
async function webhookOf(
  { db, vault, config }: SupervisorDeps,
  watched: Watched,
  row: typeof integrations.$inferSelect,
): Promise<{ url: string; secret: string }> {
  const { webhookPath, webhookSecret } = row;
  const kept = webhookPath !== null && webhookSecret !== null;
  const columns = kept ? { webhookPath, webhookSecret } : newWebhook(vault, row);
  if (!kept) {
    await asTenant(db, watched, (tx) => tx.update(integrations).set(columns).where(eq(integrations.id, row.id)));
  }
  return {
    url: webhookUrl(config.publicUrl, columns.webhookPath),
    secret: openWebhookSecret(vault, row, columns.webhookSecret),
  };
}

async function tell(
  { db }: AnswerDeps,
  watched: Watched,
  set: Partial<typeof integrations.$inferInsert>,
  text: string,
  /** The credentials that the status is about; if the owner has entered others meanwhile, the status does not apply. */
  credentials?: Buffer,
): Promise<void> {
  await asTenant(db, watched, async (tx) => {
    const changed = await tx
      .update(integrations)
      .set(set)
      .where(
        credentials === undefined
          ? and(eq(integrations.id, watched.id), eq(integrations.status, "active"))
          : refusedIntegration(watched.id, credentials),
      )
      .returning({ id: integrations.id });
    if (changed.length > 0) await noteEvent(tx, watched.organizationId, watched.id, text);
  });
}

function waitFor(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
