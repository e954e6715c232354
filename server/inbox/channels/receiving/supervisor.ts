/**
 * Keeps active integrations receiving. One process receives for an integration: the holder of its lease, a row in the database that it
 * renews; another takes over when the lease has expired. Also enqueues work whose time has come.
 */
import { randomUUID } from "node:crypto";
import { and, eq, isNull, lt, notInArray, or, type SQL, sql } from "drizzle-orm";
import { dueMembers } from "#server/accounts/notifications/notify-member.ts";
import { findDueConnections } from "#server/inbox/crm/cards.ts";
import { dueWebhooks } from "#server/inbox/webhooks/deliver.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { JobData, JobName } from "#server/platform/jobs/catalogue.ts";
import { noteEvent } from "../connection/event-log.ts";
import { refusedIntegration } from "../connection/integration-rows.ts";
import { isReachable, newWebhook, openWebhookSecret, webhookUrl } from "../connection/webhook-address.ts";
import type { AnswerDeps } from "../core/answers/answer-job.ts";
import { waitingConversations } from "../core/conversations/waiting-conversations.ts";
import type { ReceivingIntegration } from "../core/inbox/receiving-integration.ts";
import { createAttemptTracker } from "../core/inbox/set-aside/attempts.ts";
import { fetchHeld } from "../core/media/fetch-held.ts";
import type { AttemptDeps } from "../core/media/read-media.ts";
import { dueConversations } from "../core/outbox/outbox.ts";
import { openCredentials } from "../credentials.ts";
import { dueOwnerChats } from "../owner-chat/notify-owner.ts";
import { type Channel, ChannelTrouble } from "../protocol/channel.ts";
import { channelStateOf } from "../protocol/channel-state.ts";
import { CHANNEL_PLATFORMS, openChannel, platformOf } from "../registry.ts";
import { receiveInbound, receiveNotice } from "./receive.ts";

interface SupervisorOptions {
  /** Milliseconds between looks at the integrations. */
  everyMs?: number;
  /** Milliseconds after which a lease that was not renewed expires. */
  leaseMs?: number;
  /** No other process can use this database, so existing leases were left by one that is gone. */
  alone?: boolean;
  /** Milliseconds of the first wait after trouble; it doubles up to a minute. */
  backoffMs?: number;
}

export interface Supervisor {
  /** Looks at the integrations at once. */
  look(): Promise<void>;
  /** Stops receiving and gives the leases back. */
  stop(): Promise<void>;
}

/** Nothing is received for them, so no process holds them. */
const WRITTEN_HERE = CHANNEL_PLATFORMS.filter((id) => platformOf(id).writtenHere === true);
const LONGEST_BACKOFF_MS = 60_000;
const ANNOUNCE_MS = 3600_000;
/** Milliseconds after which untaken messages and unfinished sends are enqueued again. */
const STUCK_MS = 60_000;

interface Watched extends ReceivingIntegration {
  twinId: string;
  updatedAt: Date;
  /** Whether this process holds the lease for long enough still. */
  held: boolean;
}

interface Runner {
  watched: Watched;
  controller: AbortController;
  /** null: it has not been opened yet. */
  channel: Channel | null;
  /** Until when the lease lasts, by `performance.now()`. */
  leasedUntil: number;
  ended: Promise<void>;
}

type SupervisorDeps = AnswerDeps & AttemptDeps & { config: { publicUrl: string } };

export function startSupervisor(deps: SupervisorDeps, options: SupervisorOptions = {}): Supervisor {
  const { everyMs = 2_000, leaseMs = 10_000, alone = false, backoffMs = 1_000 } = options;
  const { db, jobs, log } = deps;
  const me = randomUUID();
  const free = alone
    ? undefined
    : or(isNull(integrations.leaseUntil), lt(integrations.leaseUntil, sql`now()`), eq(integrations.leaseOwner, me));
  // Renewed at each look, a lease would cost a transaction every two seconds for each integration: a quarter of it may pass.
  const held = sql<boolean>`coalesce(${integrations.leaseOwner} = ${me}
    and ${integrations.leaseUntil} > now() + ${leaseMs * 0.75} * interval '1 millisecond', false)`;
  const runners = new Map<string, Runner>();
  const originals = fetchHeld(deps);
  let stopped = false;
  let looking = Promise.resolve();

  /** A process that cannot renew a lease, because only it has lost the database, stops before another process begins. */
  function endOverdue(): void {
    for (const { leasedUntil, controller } of runners.values()) {
      if (performance.now() > leasedUntil - everyMs) controller.abort();
    }
  }

  const look = (): Promise<void> => {
    looking = looking.then(async () => {
      if (stopped) return;
      try {
        await watch();
        await originals.look(accountsHere());
        await sweep();
      } catch (error) {
        log.error({ err: error }, "channels could not be looked at");
      }
    });
    return looking;
  };

  /** Those whose originals no other process can fetch. */
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

  /** A process that answers requests deletes the row, and has no connection with which it could end a session. */
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

  /** Enqueues per tenant, because a backlog would otherwise cost as much as answering it. */
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
      await Promise.all([...runners].map(([id, runner]) => end(id, runner).catch(() => {})));
    },
  };
}

/** The integrations that this process may receive for, because no other process holds them. */
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
    // Kept for a later time: the account is not signed in.
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
        // Repeated from time to time, because another program may have given the bot another address.
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
          emit: (inbound, behind) => receiveInbound(deps, receiver, inbound, behind),
          tell: (notice, behind) => receiveNotice(deps, receiver, notice, behind),
        }),
      });
      // A channel that ends unexpectedly is opened again, with a pause between attempts.
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

/** The address that the platform is given, created once for each integration. */
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
  /** The credentials that this is said of; those that an owner has entered meanwhile have not been tried. */
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
