/** A twin's outgoing webhooks, managed by their owner. */
import { randomUUID } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import {
  DELIVERIES_SHOWN,
  type NewWebhook,
  TEST_EVENT,
  WEBHOOKS_LIMIT,
  type Webhook,
  type WebhookDelivery,
  type WebhookInput,
} from "#contract/integrations/webhooks.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { webhookDeliveries, webhooks } from "#server/platform/db/schema/programs.ts";
import { conflict, invalid, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import { checkAddress } from "#server/platform/network/public-request.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { newSecret, OVERLAP_MS, openSecret, sealSecret } from "./secrets.ts";

export interface WebhookDeps {
  db: Database;
  vault: Vault;
  jobs: Jobs;
  config: { loopbackAddresses: boolean };
}

type Row = typeof webhooks.$inferSelect;
type Input = z.output<typeof WebhookInput>;
type Action = "webhook-created" | "webhook-changed" | "webhook-deleted" | "webhook-secret-changed";

export function listWebhooks(db: Database, caller: Caller, twinId: string): Promise<Webhook[]> {
  return asTenant(db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const rows = await tx.select().from(webhooks).where(eq(webhooks.twinId, twinId)).orderBy(desc(webhooks.createdAt));
    return rows.map(toJson);
  });
}

/** @throws Problem 404, 403; 400 for an address that must not be requested; 409 when the twin has too many */
export function createWebhook(deps: WebhookDeps, caller: Caller, twinId: string, input: Input): Promise<NewWebhook> {
  requireAddress(deps, input.url);
  const secret = newSecret();
  const row = { id: randomUUID(), orgId: caller.organizationId };
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const known = await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.twinId, twinId));
    if (known.length >= WEBHOOKS_LIMIT) {
      throw conflict("too_many_webhooks", `У двойника уже ${WEBHOOKS_LIMIT} вебхуков. Удалите лишний.`);
    }
    const [made] = await tx
      .insert(webhooks)
      .values({ ...row, twinId, ...input, secret: sealSecret(deps.vault, row, "secret", secret) })
      .returning();
    await record(tx, caller, "webhook-created", made!);
    return { webhook: toJson(made!), secret };
  });
}

/** Switching it on again resets its failures. @throws Problem 404, 403, 400 */
export function updateWebhook(deps: WebhookDeps, caller: Caller, place: Place, input: Input): Promise<Webhook> {
  requireAddress(deps, input.url);
  return asTenant(deps.db, caller, async (tx) => {
    await getWebhook(tx, caller, place);
    const [row] = await tx
      .update(webhooks)
      .set({ ...input, failingSince: null, disabledReason: null })
      .where(eq(webhooks.id, place.webhookId))
      .returning();
    await record(tx, caller, "webhook-changed", row!);
    return toJson(row!);
  });
}

export function removeWebhook(db: Database, caller: Caller, place: Place): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    const row = await getWebhook(tx, caller, place);
    await tx.delete(webhooks).where(eq(webhooks.id, row.id));
    await record(tx, caller, "webhook-deleted", row);
  });
}

/** Creates a new secret; for a day both secrets sign. @throws Problem 404, 403 */
export function rotateSecret({ db, vault }: WebhookDeps, caller: Caller, place: Place): Promise<NewWebhook> {
  const secret = newSecret();
  return asTenant(db, caller, async (tx) => {
    const row = await getWebhook(tx, caller, place);
    const old = openSecret(vault, row, "secret", row.secret);
    const [changed] = await tx
      .update(webhooks)
      .set({
        secret: sealSecret(vault, row, "secret", secret),
        previousSecret: sealSecret(vault, row, "previous_secret", old),
        previousUntil: new Date(Date.now() + OVERLAP_MS),
      })
      .where(eq(webhooks.id, row.id))
      .returning();
    await record(tx, caller, "webhook-secret-changed", row);
    return { webhook: toJson(changed!), secret };
  });
}

/** @throws Problem 404, 403 */
export function testWebhook({ db, jobs }: WebhookDeps, caller: Caller, place: Place): Promise<WebhookDelivery> {
  return asTenant(db, caller, async (tx) => {
    const { id, orgId, twinId } = await getWebhook(tx, caller, place);
    const payload = JSON.stringify({ type: TEST_EVENT, timestamp: new Date().toISOString(), data: { twinId } });
    const [row] = await tx
      .insert(webhookDeliveries)
      .values({ orgId, webhookId: id, event: TEST_EVENT, payload })
      .returning();
    await ask(tx, jobs, caller, id);
    return toDelivery(row!);
  });
}

/** Lists deliveries, newest first. @throws Problem 404, 403 */
export function listDeliveries(db: Database, caller: Caller, place: Place): Promise<WebhookDelivery[]> {
  return asTenant(db, caller, async (tx) => {
    await getWebhook(tx, caller, place);
    const rows = await tx
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, place.webhookId))
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
      .limit(DELIVERIES_SHOWN);
    return rows.map(toDelivery);
  });
}

/** Delivers an event again under its id, so that a receiver recognises it. @throws Problem 404, 403 */
export function resendDelivery(
  { db, jobs }: WebhookDeps,
  caller: Caller,
  place: Place & { deliveryId: string },
): Promise<WebhookDelivery> {
  return asTenant(db, caller, async (tx) => {
    const { id } = await getWebhook(tx, caller, place);
    const [row] = await tx
      .update(webhookDeliveries)
      .set({ state: "pending", attempts: 0, nextAttemptAt: sql`now()` })
      .where(and(eq(webhookDeliveries.id, place.deliveryId), eq(webhookDeliveries.webhookId, id)))
      .returning();
    if (row === undefined) throw notFound("Доставка не найдена", "delivery_not_found");
    await ask(tx, jobs, caller, id);
    return toDelivery(row);
  });
}

interface Place {
  id: string;
  webhookId: string;
}

async function getWebhook(tx: Tx, caller: Caller, { id, webhookId }: Place): Promise<Row> {
  await getChangeableTwin(tx, caller, id);
  const [row] = await tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.twinId, id)));
  if (row === undefined) throw notFound("Вебхук не найден", "webhook_not_found");
  return row;
}

function requireAddress({ config }: WebhookDeps, url: string): void {
  try {
    checkAddress(new URL(url), config.loopbackAddresses);
  } catch (error) {
    if (!(error instanceof PrivateAddress) && !(error instanceof TypeError)) throw error;
    const said = "Нужен публичный адрес по https, например https://example.ru/hooks";
    throw invalid("invalid_input", said, { fields: { url: said } });
  }
}

function ask(tx: Tx, jobs: Jobs, { organizationId, userId }: Caller, webhookId: string): Promise<void> {
  return jobs.enqueue(tx, "deliver-webhook", { organizationId, userId, webhookId });
}

function record(tx: Tx, { userId, organizationId }: Caller, action: Action, row: Row): Promise<void> {
  const detail = { twinId: row.twinId, host: new URL(row.url).host };
  return auditInTenant(tx, { action, userId, organizationId, subject: row.id, detail });
}

function toJson({ id, url, events, includeTexts, enabled, disabledReason, failingSince, createdAt }: Row): Webhook {
  const times = { failingSince: failingSince?.toISOString() ?? null, createdAt: createdAt.toISOString() };
  return { id, url, events, includeTexts, enabled, disabledReason, ...times };
}

function toDelivery(row: typeof webhookDeliveries.$inferSelect): WebhookDelivery {
  const { id, event, state, attempts, status, error } = row;
  const nextAttemptAt = state === "pending" && attempts > 0 ? row.nextAttemptAt.toISOString() : null;
  return { id, event, state, attempts, status, error, nextAttemptAt, createdAt: row.createdAt.toISOString() };
}
