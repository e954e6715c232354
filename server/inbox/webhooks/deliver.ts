/** The job that delivers webhook events: signed, in chronological order, retried with growing pauses for more than a day. */
import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import { Webhook as Signer } from "standardwebhooks";
import { sendUntilAsked } from "#server/accounts/twins/in-flight-sends.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { webhookDeliveries, webhooks } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Log } from "#server/platform/log.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { requestPublic } from "#server/platform/network/public-request.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { openSecret } from "./secrets.ts";

interface DeliveryDeps {
  db: Database;
  vault: Vault;
  log: Log;
  config: { loopbackAddresses: boolean };
}

type Job = JobData["deliver-webhook"];
type Row = typeof webhookDeliveries.$inferSelect;
type Target = typeof webhooks.$inferSelect;

const TIMEOUT_MS = 10_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Pauses before the second and further attempts; 37 hours in all. */
const PAUSES_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR];
/** A webhook whose address has accepted nothing for this time is switched off. */
const GIVE_UP_MS = 3 * 24 * HOUR;
const IN_ONE_RUN = 50;
/** A deletion ended the attempt; if the deletion is refused, the event is delivered later. */
const ENDED = "Остановлено удалением";
/** Milliseconds that delivered and failed events are kept; not longer, because they contain what people wrote. */
export const KEPT_MS = 30 * 24 * HOUR;

export async function deliverWebhook(deps: DeliveryDeps, job: Job, signal: AbortSignal): Promise<void> {
  for (let sent = 0; sent < IN_ONE_RUN && !signal.aborted; sent++) {
    const due = await asTenant(deps.db, job, (tx) => claimNext(tx, job));
    if (due === undefined) return;
    const { status, error } = await sendUntilAsked(
      () => wasAskedToEnd(deps.db, job, due.row.id),
      (ending) => attempt(deps, due.target, due.row, ending),
    );
    await settle(deps, job, due, status, error);
  }
}

interface Due {
  target: Target;
  row: Row;
}

/**
 * Claims the next due event and marks it as being sent. Twin and conversation are locked in the order in which they are deleted. A
 * transaction that deletes one of them has committed before, or waits for this attempt (accounts/twins/in-flight-sends.ts).
 */
async function claimNext(tx: Tx, job: Job): Promise<Due | undefined> {
  const now = new Date();
  const pending = and(eq(webhookDeliveries.state, "pending"), lte(webhookDeliveries.nextAttemptAt, now));
  const [next] = await tx
    .select({ id: webhookDeliveries.id, conversationId: webhookDeliveries.conversationId, twinId: webhooks.twinId })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(and(eq(webhooks.id, job.webhookId), eq(webhooks.orgId, job.organizationId), pending))
    .orderBy(asc(webhookDeliveries.nextAttemptAt), asc(webhookDeliveries.createdAt))
    .limit(1);
  if (next === undefined) return undefined;
  await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, next.twinId)).for("share");
  if (next.conversationId !== null) {
    const ofEvent = eq(conversations.id, next.conversationId);
    await tx.select({ id: conversations.id }).from(conversations).where(ofEvent).for("share");
  }
  const [target] = await tx.select().from(webhooks).where(eq(webhooks.id, job.webhookId)).for("key share");
  const [row] = await tx
    .update(webhookDeliveries)
    .set({ sendingSince: now, endAsked: false })
    .where(and(eq(webhookDeliveries.id, next.id), pending))
    .returning();
  return target === undefined || row === undefined ? undefined : { target, row };
}

async function wasAskedToEnd(db: Database, job: Job, id: string): Promise<boolean> {
  const [row] = await asTenant(db, job, (tx) =>
    tx.select({ endAsked: webhookDeliveries.endAsked }).from(webhookDeliveries).where(eq(webhookDeliveries.id, id)),
  );
  return row?.endAsked ?? true;
}

async function attempt(
  { vault, log, config }: DeliveryDeps,
  target: Target,
  { id, payload }: Row,
  ending: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  const moment = new Date();
  const signatures = secretsOf(vault, target).map((secret) => new Signer(secret).sign(id, moment, payload));
  try {
    const { status } = await requestPublic(new URL(target.url), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "digital-twins-webhooks",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(moment.getTime() / 1000)),
        "webhook-signature": signatures.join(" "),
      },
      body: payload,
      timeoutMs: TIMEOUT_MS,
      ending,
      loopback: config.loopbackAddresses,
      // The response body is not used.
      maxBytes: 0,
    });
    return { status, error: status >= 200 && status < 300 ? null : `Ответ ${status}` };
  } catch (error) {
    if (ending.aborted) return { status: null, error: ENDED };
    log.info({ err: error, webhook: target.id }, "a webhook could not be delivered");
    return { status: null, error: reasonOf(error) };
  }
}

function secretsOf(vault: Vault, target: Target): string[] {
  const { secret, previousSecret, previousUntil } = target;
  const old = previousSecret !== null && previousUntil !== null && previousUntil > new Date() ? [previousSecret] : [];
  return [
    openSecret(vault, target, "secret", secret),
    ...old.map((sealed) => openSecret(vault, target, "previous_secret", sealed)),
  ];
}

/** Words the failure for the owner, without details of the network about other machines. */
function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) return "Адрес не ведёт в публичный интернет по https";
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError"))
    return "Нет ответа за 10 секунд";
  return "Не удалось соединиться";
}

async function settle(
  { db }: DeliveryDeps,
  job: Job,
  { target, row }: Due,
  status: number | null,
  error: string | null,
): Promise<void> {
  const now = new Date();
  const attempts = row.attempts + 1;
  const pause = PAUSES_MS[attempts - 1];
  await asTenant(db, job, async (tx) => {
    // Deletions lock in the same order; locking the delivery first could deadlock with them.
    const [twin] = await tx
      .select({ id: twins.id, name: twins.name })
      .from(twins)
      .where(eq(twins.id, target.twinId))
      .for("key share");
    // A stronger lock would block deletions: when one changes a delivery twice, PostgreSQL locks the webhook (FOR KEY SHARE).
    const held = tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, target.id)).for("no key update");
    const [kept] = await held;
    if (twin === undefined || kept === undefined) return;
    const told = eq(webhookDeliveries.id, row.id);
    if (error === ENDED) {
      await tx.update(webhookDeliveries).set({ sendingSince: null, endAsked: false }).where(told);
      return;
    }
    const outcome =
      error === null
        ? ({ state: "delivered", deliveredAt: now } as const)
        : pause === undefined
          ? ({ state: "failed" } as const)
          : ({ state: "pending", nextAttemptAt: new Date(now.getTime() + pause) } as const);
    await tx
      .update(webhookDeliveries)
      .set({ ...outcome, attempts, status, error, sendingSince: null, endAsked: false })
      .where(told);
    if (error === null) {
      await tx.update(webhooks).set({ failingSince: null }).where(eq(webhooks.id, target.id));
      return;
    }
    await tx
      .update(webhooks)
      .set({ failingSince: now })
      .where(and(eq(webhooks.id, target.id), isNull(webhooks.failingSince)));
    const hopeless = target.failingSince !== null && now.getTime() - target.failingSince.getTime() > GIVE_UP_MS;
    if (status !== 410 && !hopeless) return;
    const disabledReason =
      status === 410 ? "Адрес ответил, что его больше нет (410)" : "Три дня подряд ничего не удалось доставить";
    await tx.update(webhooks).set({ enabled: false, disabledReason }).where(eq(webhooks.id, target.id));
    await tx
      .update(webhookDeliveries)
      .set({ state: "failed", error: "Вебхук отключён" })
      .where(and(eq(webhookDeliveries.webhookId, target.id), eq(webhookDeliveries.state, "pending")));
    await recordActivity(tx, job, twin, "webhook_disabled", `Вебхук отключён: ${disabledReason}`);
  });
}

/** Finds webhooks with something due, for the periodic sweep. */
export async function dueWebhooks(tx: Tx): Promise<Job[]> {
  return tx
    .selectDistinct({ organizationId: webhooks.orgId, userId: twins.ownerId, webhookId: webhooks.id })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .innerJoin(twins, eq(twins.id, webhooks.twinId))
    .where(and(eq(webhookDeliveries.state, "pending"), sql`${webhookDeliveries.nextAttemptAt} <= now()`))
    .limit(200);
}
