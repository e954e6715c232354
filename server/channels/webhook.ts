/** Where platforms deliver events themselves: opaque addresses outside /api, each with a secret of its own. */
import { timingSafeEqual } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { asPlatform, type Database } from "#server/db/database.ts";
import { integrations, twins } from "#server/db/schema.ts";
import { notFound, unauthorized } from "#server/errors.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { MAX_JSON_BYTES, parseStrictJson } from "#server/json-body.ts";
import type { Vault } from "#server/vault.ts";
import { openCredentials } from "./credentials.ts";
import { storeInbound } from "./inbox.ts";
import { openChannel, type ProviderAddresses } from "./registry.ts";

interface WebhookDeps {
  db: Database;
  vault: Vault;
  jobs: Jobs;
  config: ProviderAddresses;
}

export const WEBHOOK_ROOT = "/hooks";
const SECRET_HEADER = "x-telegram-bot-api-secret-token";

/** Of an integration's sealed webhook secret. */
export const secretPlace = ({ id, orgId }: { id: string; orgId: string }) => ({
  table: "integrations",
  tenant: orgId,
  row: id,
  column: "webhook_secret",
});

export function mountWebhooks(app: FastifyInstance, deps: WebhookDeps): void {
  app.register(async (hooks) => {
    const callers = new WeakMap<FastifyRequest, Target>();
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser(
      "application/json",
      { parseAs: "buffer", bodyLimit: MAX_JSON_BYTES },
      (_request, body, done) => done(null, body),
    );
    // Before the body is read: nobody without the secret makes us take one in.
    hooks.addHook("onRequest", async (request) => {
      callers.set(request, await proven(deps, request));
    });
    hooks.post(`${WEBHOOK_ROOT}/:path`, async (request) => {
      const { integration, userId } = callers.get(request)!;
      const channel = openChannel(openCredentials(deps.vault, integration), deps.config);
      const events = channel?.read?.(parseStrictJson(request.body as Buffer)) ?? [];
      const place = { id: integration.id, organizationId: integration.orgId, userId };
      for (const inbound of events) await storeInbound(deps, place, inbound);
      return { ok: true };
    });
  });
}

interface Target {
  integration: typeof integrations.$inferSelect;
  /** The twin's owner: in whose name it is answered. */
  userId: string;
}

/** @throws Problem 404 for an address that is nobody's, 401 without its secret */
async function proven({ db, vault }: WebhookDeps, request: FastifyRequest): Promise<Target> {
  const { path } = request.params as { path: string };
  const [target] = !/^[\w-]{43}$/.test(path)
    ? []
    : await asPlatform(db, (tx) =>
        tx
          .select({ integration: integrations, userId: twins.ownerId })
          .from(integrations)
          .innerJoin(twins, eq(twins.id, integrations.twinId))
          .where(and(eq(integrations.webhookPath, path), eq(integrations.status, "active"))),
      );
  const sealed = target?.integration.webhookSecret;
  if (target === undefined || !sealed) throw notFound();
  const secret = Buffer.from(vault.open(secretPlace(target.integration), sealed));
  const given = Buffer.from(String(request.headers[SECRET_HEADER] ?? ""));
  if (given.length !== secret.length || !timingSafeEqual(given, secret))
    throw unauthorized("Неверный секрет", "bad_secret");
  return target;
}
