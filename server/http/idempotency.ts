/**
 * `Idempotency-Key`: a repeated POST is executed only once and gets the first response. What a transaction of the request changes and the
 * mark that it was executed are committed together, so neither a killed process nor a database that goes away makes a repeated request
 * happen twice. A statement outside transactions (the exchange of a test chat) is not marked.
 */
import { createHash } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { writingBeforeCommit } from "#server/db/before-commit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { idempotencyKeys } from "#server/db/schema.ts";
import { conflict, invalid, unprocessable } from "#server/errors.ts";

/** How long responses are stored. */
export const KEPT_MS = 24 * 3600_000;
/** How often a running request refreshes its key. */
const ALIVE_MS = 5_000;
/** After this many missed refreshes the request is considered dead with its process. */
const SILENT = 4;

/** Stored as the status of a request that has changed something, until its response is stored. */
const EXECUTED = 0;

export interface KeyedRequest {
  key: string;
  method: string;
  url: string;
  body: unknown;
}

export interface KeyedAnswer {
  status: number;
  /** JSON value; undefined for a response without a body. */
  body: unknown;
}

/**
 * Runs `work` unless this user has used the key before. `work` returns null for a response that cannot be repeated (a stream); then, and
 * when it throws, the key is released, so that the request can be corrected and sent again.
 * @throws Problem 400 for an invalid key; 409 while the first request runs, and where it was executed but its response is lost; 422 when
 * the key was used with another request
 */
export type RunIdempotently = (
  tenant: Tenant,
  request: KeyedRequest,
  work: () => Promise<KeyedAnswer | null>,
) => Promise<{ answer: KeyedAnswer | null; replayed: boolean }>;

/** @param options.aliveMs how often a running request refreshes its key, ms */
export function runIdempotently(db: Database, { aliveMs = ALIVE_MS }: { aliveMs?: number } = {}): RunIdempotently {
  return async (tenant, request, work) => {
    if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
      throw invalid("invalid_idempotency_key", "Idempotency-Key: от 1 до 255 печатных символов ASCII без пробелов");
    }
    const known = await claim(db, tenant, request, aliveMs * SILENT);
    if (known !== null) return { answer: known, replayed: true };
    let answer: KeyedAnswer | null = null;
    // If the database is unavailable for a moment, the next turn tries again.
    const alive = setInterval(() => void stayAlive(db, tenant, request.key).catch(() => {}), aliveMs).unref();
    try {
      answer = await writingBeforeCommit((tx) => markExecuted(tx, tenant, request.key), work);
      return { answer, replayed: false };
    } finally {
      clearInterval(alive);
      await settle(db, tenant, request.key, answer);
    }
  };
}

const own = (tenant: Tenant, key: string) =>
  and(
    eq(idempotencyKeys.orgId, tenant.organizationId),
    eq(idempotencyKeys.userId, tenant.userId),
    eq(idempotencyKeys.key, key),
  );

/**
 * In the transaction that has changed something. Where several do, the first one counts: a repetition would do its part again, and whoever
 * is told that the response is lost looks what became of it.
 */
async function markExecuted(tx: Tx, tenant: Tenant, key: string): Promise<void> {
  const hasChanged = sql`pg_current_xact_id_if_assigned() is not null`;
  await tx
    .update(idempotencyKeys)
    .set({ status: EXECUTED })
    .where(and(own(tenant, key), isNull(idempotencyKeys.status), hasChanged));
}

/** The stored response, or null when this request has acquired the key. */
function claim(db: Database, tenant: Tenant, request: KeyedRequest, abandonedMs: number): Promise<KeyedAnswer | null> {
  const { organizationId: orgId, userId } = tenant;
  const requestHash = hashOf(request);
  const now = Date.now();
  const abandoned = new Date(now - abandonedMs);
  return asTenant(db, tenant, async (tx) => {
    await tx
      .delete(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.orgId, orgId),
          or(
            lt(idempotencyKeys.createdAt, new Date(now - KEPT_MS)),
            and(isNull(idempotencyKeys.status), lt(idempotencyKeys.createdAt, abandoned)),
          ),
        ),
      );
    const [claimed] = await tx
      .insert(idempotencyKeys)
      .values({ orgId, userId, key: request.key, requestHash, mentions: idsIn([request.url, request.body]) })
      .onConflictDoNothing()
      .returning({ key: idempotencyKeys.key });
    if (claimed !== undefined) return null;
    const [row] = await tx.select().from(idempotencyKeys).where(own(tenant, request.key));
    if (row !== undefined && row.requestHash !== requestHash) {
      throw unprocessable("idempotency_mismatch", "Этот Idempotency-Key уже использован с другим запросом");
    }
    if (row?.status === EXECUTED && row.createdAt < abandoned) {
      throw conflict(
        "idempotency_response_lost",
        "Запрос уже выполнен, но ответ на него не сохранился. Обновите страницу и посмотрите, что получилось",
      );
    }
    if (row === undefined || row.status === null || row.status === EXECUTED) {
      throw conflict("idempotency_running", "Такой запрос уже выполняется", { retryAfter: 1 });
    }
    return { status: row.status, body: row.body ?? undefined };
  });
}

/** Refreshes a key without a response: its `createdAt` says when its request was last known to run. */
function stayAlive(db: Database, tenant: Tenant, key: string): Promise<unknown> {
  return asTenant(db, tenant, (tx) =>
    tx
      .update(idempotencyKeys)
      .set({ createdAt: new Date() })
      .where(and(own(tenant, key), or(isNull(idempotencyKeys.status), eq(idempotencyKeys.status, EXECUTED)))),
  );
}

function settle(db: Database, tenant: Tenant, key: string, answer: KeyedAnswer | null): Promise<void> {
  return asTenant(db, tenant, async (tx) => {
    if (answer === null) await tx.delete(idempotencyKeys).where(own(tenant, key));
    else {
      const mentions = sql`${idempotencyKeys.mentions} || ${sql.param(idsIn(answer.body))}::text[]`;
      const stored = { status: answer.status, body: answer.body ?? null, mentions };
      await tx.update(idempotencyKeys).set(stored).where(own(tenant, key));
    }
  });
}

const ID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

function idsIn(said: unknown): string[] {
  const ids = JSON.stringify(said ?? null).match(ID) ?? [];
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

function hashOf({ method, url, body }: KeyedRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([method, url, body ?? null]))
    .digest("hex");
}
