/** A twin's outgoing webhooks, as their owner sets them up and looks after them. */
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
} from "#contract/webhooks.ts";
import { auditInTenant } from "#server/auth/audit.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { webhookDeliveries, webhooks } from "#server/db/schema.ts";
import { conflict, invalid, notFound } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { PrivateAddress } from "#server/public-address.ts";
import { getChangeableTwin } from "#server/twins/twins.ts";
import type { Vault } from "#server/vault.ts";
import { checkAddress } from "./post.ts";
import { newSecret, OVERLAP_MS, openSecret, sealSecret } from "./secrets.ts";

export interface WebhookDeps {
  db: Database;
  vault: Vault;
  jobs: Jobs;
  config: { loopbackWebhooks: boolean };
}

type Row = typeof webhooks.$inferSelect;
type Input = z.output<typeof WebhookInput>;
type Action = "webhook-created" | "webhook-changed" | "webhook-deleted" | "webhook-secret-changed";

export function listWebhooks(db: Database, viewer: Viewer, twinId: string): Promise<Webhook[]> {
  return asTenant(db, viewer, async (tx) => {
    await getChangeableTwin(tx, viewer, twinId);
    const rows = await tx.select().from(webhooks).where(eq(webhooks.twinId, twinId)).orderBy(desc(webhooks.createdAt));
    return rows.map(toJson);
  });
}

/** @throws Problem 404, 403; 400 for an address that no request may go to; 409 when the twin has too many */
export function createWebhook(deps: WebhookDeps, viewer: Viewer, twinId: string, input: Input): Promise<NewWebhook> {
  demandAddress(deps, input.url);
  const secret = newSecret();
  const row = { id: randomUUID(), orgId: viewer.organizationId };
  return asTenant(deps.db, viewer, async (tx) => {
    await getChangeableTwin(tx, viewer, twinId);
    const known = await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.twinId, twinId));
    if (known.length >= WEBHOOKS_LIMIT) {
      throw conflict("too_many_webhooks", `У двойника уже ${WEBHOOKS_LIMIT} вебхуков. Удалите лишний.`);
    }
    const [made] = await tx
      .insert(webhooks)
      .values({ ...row, twinId, ...input, secret: sealSecret(deps.vault, row, "secret", secret) })
      .returning();
    await record(tx, viewer, "webhook-created", made!);
    return { webhook: toJson(made!), secret };
  });
}

/** Switched on again it begins anew: what it failed at is forgotten. @throws Problem 404, 403, 400 */
export function updateWebhook(deps: WebhookDeps, viewer: Viewer, place: Place, input: Input): Promise<Webhook> {
  demandAddress(deps, input.url);
  return asTenant(deps.db, viewer, async (tx) => {
    await getWebhook(tx, viewer, place);
    const [row] = await tx
      .update(webhooks)
      .set({ ...input, failingSince: null, disabledReason: null })
      .where(eq(webhooks.id, place.webhookId))
      .returning();
    await record(tx, viewer, "webhook-changed", row!);
    return toJson(row!);
  });
}

export function removeWebhook(db: Database, viewer: Viewer, place: Place): Promise<void> {
  return asTenant(db, viewer, async (tx) => {
    const row = await getWebhook(tx, viewer, place);
    await tx.delete(webhooks).where(eq(webhooks.id, row.id));
    await record(tx, viewer, "webhook-deleted", row);
  });
}

/** For a day both secrets sign. @throws Problem 404, 403 */
export function rotateSecret({ db, vault }: WebhookDeps, viewer: Viewer, place: Place): Promise<NewWebhook> {
  const secret = newSecret();
  return asTenant(db, viewer, async (tx) => {
    const row = await getWebhook(tx, viewer, place);
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
    await record(tx, viewer, "webhook-secret-changed", row);
    return { webhook: toJson(changed!), secret };
  });
}

/** @throws Problem 404, 403 */
export function testWebhook({ db, jobs }: WebhookDeps, viewer: Viewer, place: Place): Promise<WebhookDelivery> {
  return asTenant(db, viewer, async (tx) => {
    const { id, orgId, twinId } = await getWebhook(tx, viewer, place);
    const payload = JSON.stringify({ type: TEST_EVENT, timestamp: new Date().toISOString(), data: { twinId } });
    const [row] = await tx
      .insert(webhookDeliveries)
      .values({ orgId, webhookId: id, event: TEST_EVENT, payload })
      .returning();
    await ask(tx, jobs, viewer, id);
    return toDelivery(row!);
  });
}

/** Newest first. @throws Problem 404, 403 */
export function listDeliveries(db: Database, viewer: Viewer, place: Place): Promise<WebhookDelivery[]> {
  return asTenant(db, viewer, async (tx) => {
    await getWebhook(tx, viewer, place);
    const rows = await tx
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, place.webhookId))
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
      .limit(DELIVERIES_SHOWN);
    return rows.map(toDelivery);
  });
}

/** The same event with the same id: a receiver that has it already knows it again. @throws Problem 404, 403 */
export function resendDelivery(
  { db, jobs }: WebhookDeps,
  viewer: Viewer,
  place: Place & { deliveryId: string },
): Promise<WebhookDelivery> {
  return asTenant(db, viewer, async (tx) => {
    const { id } = await getWebhook(tx, viewer, place);
    const [row] = await tx
      .update(webhookDeliveries)
      .set({ state: "pending", attempts: 0, nextAttemptAt: sql`now()` })
      .where(and(eq(webhookDeliveries.id, place.deliveryId), eq(webhookDeliveries.webhookId, id)))
      .returning();
    if (row === undefined) throw notFound("Доставка не найдена", "delivery_not_found");
    await ask(tx, jobs, viewer, id);
    return toDelivery(row);
  });
}

interface Place {
  id: string;
  webhookId: string;
}

async function getWebhook(tx: Tx, viewer: Viewer, { id, webhookId }: Place): Promise<Row> {
  await getChangeableTwin(tx, viewer, id);
  const [row] = await tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.twinId, id)));
  if (row === undefined) throw notFound("Вебхук не найден", "webhook_not_found");
  return row;
}

function demandAddress({ config }: WebhookDeps, url: string): void {
  try {
    checkAddress(new URL(url), config.loopbackWebhooks);
  } catch (error) {
    if (!(error instanceof PrivateAddress) && !(error instanceof TypeError)) throw error;
    const said = "Нужен публичный адрес по https, например https://example.ru/hooks";
    throw invalid("invalid_input", said, { fields: { url: said } });
  }
}

function ask(tx: Tx, jobs: Jobs, { organizationId, userId }: Viewer, webhookId: string): Promise<void> {
  return jobs.enqueue(tx, "deliver-webhook", { organizationId, userId, webhookId });
}

function record(tx: Tx, { userId, organizationId }: Viewer, action: Action, row: Row): Promise<void> {
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
