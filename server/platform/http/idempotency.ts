/**
 * `Idempotency-Key`: a repeated POST is executed only once and gets the first response. The request's changes and the mark that it was
 * executed are committed together. So a crash or a lost database connection never makes a retry execute twice. Nor does a process that has
 * stalled until a retry acquired its key: it finds another claim and does not commit. Statements outside transactions (the exchange of a
 * test chat) are not marked.
 */
import { createHash, randomUUID } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { writingBeforeCommit } from "#server/platform/db/before-commit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { idempotencyKeys } from "#server/platform/db/schema/platform.ts";
import { conflict, invalid, unprocessable } from "#server/platform/errors.ts";
import { hasRoom, requireFewKeys, STORE_LIMITS, type StoreLimits } from "./idempotency-limits.ts";

export const KEPT_MS = 24 * 3600_000;
const ALIVE_MS = 5_000;
/** After this many missed refreshes the request counts as dead, together with its process. */
const SILENT = 4;

/** Status of a request that has committed a change but whose response is not stored yet. */
const EXECUTED = 0;

interface KeyedRequest {
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
 * after an error, the key is released, so that the request can be corrected and sent again. A response beyond the limits is not stored: a
 * retry then gets an error that says that the response is lost.
 * @throws Problem 400 for an invalid key; 409 while the first request runs, when it was executed but its response is lost, and when a
 *   retry has acquired the key of this request in the meantime; 422 when the key was used with another request; 429 after too many keys
 */
export type RunIdempotently = (
  tenant: Tenant,
  request: KeyedRequest,
  work: () => Promise<KeyedAnswer | null>,
) => Promise<{ answer: KeyedAnswer | null; replayed: boolean }>;

/** @param options.aliveMs how often a running request refreshes its key, ms */
export function runIdempotently(
  db: Database,
  { aliveMs = ALIVE_MS, limits = STORE_LIMITS }: { aliveMs?: number; limits?: StoreLimits } = {},
): RunIdempotently {
  return async (tenant, request, work) => {
    if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
      throw invalid("invalid_idempotency_key", "Idempotency-Key: от 1 до 255 печатных символов ASCII без пробелов");
    }
    const claimed: Claim = { tenant, key: request.key, claim: randomUUID() };
    const abandonedMs = aliveMs * SILENT;
    const known = await acquire(db, claimed, request, abandonedMs, limits);
    if (known !== null) return { answer: known, replayed: true };
    let answer: KeyedAnswer | null = null;
    // If the database is briefly unavailable, the next tick tries again.
    const alive = setInterval(() => void stayAlive(db, claimed).catch(() => {}), aliveMs).unref();
    try {
      answer = await writingBeforeCommit((tx) => markExecuted(tx, claimed), work);
      return { answer, replayed: false };
    } finally {
      clearInterval(alive);
      await settle(db, claimed, { request, answer, abandonedMs, limits });
    }
  };
}

interface Claim {
  tenant: Tenant;
  key: string;
  claim: string;
}

const ofUser = ({ tenant, key }: Pick<Claim, "tenant" | "key">) =>
  and(
    eq(idempotencyKeys.orgId, tenant.organizationId),
    eq(idempotencyKeys.userId, tenant.userId),
    eq(idempotencyKeys.key, key),
  );
/** Matches only this run's claim, so that a run that has lost its key cannot touch that of the retry. */
const held = (claimed: Claim) => and(ofUser(claimed), eq(idempotencyKeys.claim, claimed.claim));

const running = () => conflict("idempotency_running", "Такой запрос уже выполняется", { retryAfter: 1 });

/**
 * Marks the request as executed in the transaction that changes something. Of several transactions the first counts: a retry would repeat a
 * part of the work. A client with the «response lost» error checks the result itself. The row stays locked until the commit, after which no
 * retry can acquire it.
 * @throws Problem 409, which rolls the transaction back, when another run has acquired the key
 */
async function markExecuted(tx: Tx, claimed: Claim): Promise<void> {
  const hasChanged = sql`pg_current_xact_id_if_assigned() is not null`;
  const marked = await tx
    .update(idempotencyKeys)
    .set({ status: EXECUTED })
    .where(and(held(claimed), hasChanged))
    .returning({ key: idempotencyKeys.key });
  if (marked.length > 0) return;
  // A separate statement sees the retry's commit that the first one may have waited for. A missing row was deleted together with data of
  // this request.
  const others = sql`${idempotencyKeys.claim} is distinct from ${claimed.claim}`;
  const [other] = await tx
    .select({ key: idempotencyKeys.key })
    .from(idempotencyKeys)
    .where(and(ofUser(claimed), others, hasChanged));
  if (other !== undefined) throw running();
}

/** Returns the stored response, or null when this run has acquired the key. */
function acquire(
  db: Database,
  claimed: Claim,
  request: KeyedRequest,
  abandonedMs: number,
  limits: StoreLimits,
): Promise<KeyedAnswer | null> {
  const { tenant, claim } = claimed;
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
    const mentions = idsIn([request.url, request.body]).slice(0, limits.ids);
    const [acquired] = await tx
      .insert(idempotencyKeys)
      .values({ orgId, userId, key: request.key, requestHash, claim, mentions })
      .onConflictDoNothing()
      .returning({ key: idempotencyKeys.key });
    if (acquired !== undefined) {
      // Checked after the insert, which an error rolls back: a retry gets its response however many keys exist.
      await requireFewKeys(tx, tenant, limits);
      return null;
    }
    const [row] = await tx.select().from(idempotencyKeys).where(ofUser(claimed));
    if (row !== undefined && row.requestHash !== requestHash) {
      throw unprocessable("idempotency_mismatch", "Этот Idempotency-Key уже использован с другим запросом");
    }
    if (row?.status === EXECUTED && row.createdAt < abandoned) {
      throw conflict(
        "idempotency_response_lost",
        "Запрос уже выполнен, но ответ на него не сохранился. Обновите страницу и посмотрите, что получилось",
      );
    }
    if (row === undefined || row.status === null || row.status === EXECUTED) throw running();
    return { status: row.status, body: row.body ?? undefined };
  });
}

/** Refreshes a key without a response: its `createdAt` is the time when its request was last known to run. */
function stayAlive(db: Database, claimed: Claim): Promise<unknown> {
  return asTenant(db, claimed.tenant, (tx) =>
    tx
      .update(idempotencyKeys)
      .set({ createdAt: new Date() })
      .where(and(held(claimed), or(isNull(idempotencyKeys.status), eq(idempotencyKeys.status, EXECUTED)))),
  );
}

interface Settled {
  request: KeyedRequest;
  answer: KeyedAnswer | null;
  abandonedMs: number;
  limits: StoreLimits;
}

function settle(db: Database, claimed: Claim, { request, answer, abandonedMs, limits }: Settled): Promise<void> {
  return asTenant(db, claimed.tenant, async (tx) => {
    if (answer === null) return void (await tx.delete(idempotencyKeys).where(held(claimed)));
    const written = JSON.stringify(answer.body ?? null);
    const mentions = idsIn([request.url, request.body, answer.body]);
    const fits =
      Buffer.byteLength(written) <= limits.answerBytes &&
      mentions.length <= limits.ids &&
      (await hasRoom(tx, claimed.tenant, Buffer.byteLength(written), limits));
    await tx
      .update(idempotencyKeys)
      .set(
        fits
          ? { status: answer.status, body: answer.body ?? null, mentions }
          : // Stored as if the request's process had died after the commit.
            { status: EXECUTED, createdAt: new Date(Date.now() - abandonedMs - 1) },
      )
      .where(held(claimed));
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
