/** Serves the webhook addresses outside /api. Each is unguessable and has its own secret. */
import { and, eq, inArray } from "drizzle-orm";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OwnerChatTransport, WebhookProtocol } from "#server/inbox/channel-protocol/channel.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { openChannel, type ProviderAddresses } from "#server/inbox/channels/registry.ts";
import { openWebhookSecret, WEBHOOK_ROOT } from "#server/inbox/channels/webhook-address.ts";
import { createBatcher } from "#server/inbox/incoming/batcher.ts";
import { storeDeliveries } from "#server/inbox/incoming/inbox.ts";
import { guardDelivery } from "#server/inbox/incoming/poison-guard.ts";
import { recordReceipt } from "#server/inbox/incoming/receipts.ts";
import { asPlatform, type Database } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound, unauthorized } from "#server/platform/errors.ts";
import { MAX_JSON_BYTES, parseForeignJson } from "#server/platform/http/json-body.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { receiveAll } from "./receive.ts";

interface WebhookDeps {
  db: Database;
  vault: Vault;
  jobs: Jobs;
  config: ProviderAddresses & { loopbackAddresses: boolean };
}

export function mountWebhooks(app: FastifyInstance, services: WebhookDeps): void {
  const deps = { ...services, storeDelivery: storeDeliveries(services) };
  const targetOf = webhookTargets(services);
  app.register(async (hooks) => {
    const callers = new WeakMap<FastifyRequest, Target>();
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser(
      "application/json",
      { parseAs: "buffer", bodyLimit: MAX_JSON_BYTES },
      (_request, body, done) => done(null, body),
    );
    // The proof is checked before the body is read, so that strangers cannot make the server read large bodies.
    hooks.addHook("onRequest", async (request) => {
      const target = await targetOf((request.params as { path: string }).path);
      if (request.method === "POST" && target.webhook.provenBy === "headers") requireProof(target, request, NO_BODY);
      callers.set(request, target);
    });
    hooks.get(`${WEBHOOK_ROOT}/:path`, async (request, reply) => {
      const { webhook, secret } = callers.get(request)!;
      const answer = webhook.challenge?.(request.query as Record<string, unknown>, secret) ?? null;
      if (answer === null) throw notFound();
      return reply.type("text/plain; charset=utf-8").send(answer);
    });
    hooks.post(`${WEBHOOK_ROOT}/:path`, async (request, reply) => {
      const target = callers.get(request)!;
      const { integration, userId, webhook, ownerChat } = target;
      const raw = request.body instanceof Buffer ? request.body : NO_BODY;
      if (webhook.provenBy === "body") requireProof(target, request, raw);
      const body = parseForeignJson(raw);
      const inWords = (text: string) => reply.type("text/plain; charset=utf-8").send(text);
      const answer = (await webhook.answerTo?.(body)) ?? null;
      if (answer !== null) return typeof answer === "string" ? inWords(answer) : answer;
      const place = { id: integration.id, organizationId: integration.orgId, userId };
      const receiver = { integration: place, ownerChat };
      await guardDelivery(services.db, place, { raw, body }, async () => {
        await receiveAll(deps, receiver, await webhook.read(body));
        for (const receipt of webhook.receipts?.(body) ?? []) await recordReceipt(deps, place, receipt);
      });
      return webhook.accepted === undefined ? { ok: true } : inWords(webhook.accepted);
    });
  });
}

const NO_BODY = Buffer.alloc(0);

interface Target {
  integration: typeof integrations.$inferSelect;
  /** The twin's owner, on whose behalf events are answered. */
  userId: string;
  webhook: WebhookProtocol;
  ownerChat: OwnerChatTransport | undefined;
  secret: string;
}

type TargetRow = Pick<Target, "integration" | "userId">;

/**
 * Finds the integration of an address in the database; simultaneous lookups share a query. Keys and secrets are decrypted again only when
 * their stored bytes change. The returned function throws Problem 404 for an unknown address.
 */
function webhookTargets({ db, vault, config }: WebhookDeps): (path: string) => Promise<Target> {
  const find = createBatcher(async (paths: readonly string[]) => {
    const rows: TargetRow[] = await asPlatform(db, (tx) =>
      tx
        .select({ integration: integrations, userId: twins.ownerId })
        .from(integrations)
        .innerJoin(twins, eq(twins.id, integrations.twinId))
        .where(and(inArray(integrations.webhookPath, [...new Set(paths)]), eq(integrations.status, "active"))),
    );
    const byPath = new Map(rows.map((row) => [row.integration.webhookPath, row]));
    return paths.map((path) => byPath.get(path));
  });
  const opened = new Map<string, { row: TargetRow; target: Target }>();

  function open(path: string, row: TargetRow): Target {
    const { integration } = row;
    const known = opened.get(path);
    if (known !== undefined && opensAlike(known.row.integration, integration)) return { ...known.target, ...row };
    const { webhook, ownerChat } = openChannel(openCredentials(vault, integration), config, integration) ?? {};
    if (webhook === undefined || !integration.webhookSecret) throw notFound();
    const target = {
      ...row,
      webhook,
      ownerChat,
      secret: openWebhookSecret(vault, integration, integration.webhookSecret),
    };
    if (opened.size >= OPENED_AT_MOST) opened.clear();
    opened.set(path, { row, target });
    return target;
  }

  return async (path) => {
    const row = /^[\w-]{43}$/.test(path) ? await find("", path) : undefined;
    if (row === undefined) {
      opened.delete(path);
      throw notFound();
    }
    return open(path, row);
  };
}

const OPENED_AT_MOST = 1000;

const opensAlike = (before: TargetRow["integration"], now: TargetRow["integration"]): boolean =>
  before.id === now.id &&
  before.accountId === now.accountId &&
  before.credentials.equals(now.credentials) &&
  before.webhookSecret!.equals(now.webhookSecret ?? NO_BODY);

/** @throws Problem 401 */
function requireProof({ webhook, secret }: Target, { headers }: FastifyRequest, body: Buffer): void {
  if (!webhook.isAuthentic({ headers, body }, secret)) throw unauthorized("Неверный секрет", "bad_secret");
}
