/**
 * `Idempotency-Key`: a repeated POST is executed only once and gets the first response. What a transaction of the request changes and the
 * mark that it was executed are committed together, so neither a killed process nor a database that goes away makes a repeated request
 * happen twice; nor does a process that has stalled so long that a repetition has acquired its key: it finds the claim of another, and does
 * not commit. A statement outside transactions (the exchange of a test chat) is not marked.
 */
import { createHash, randomUUID } from "node:crypto";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { writingBeforeCommit } from "#server/platform/db/before-commit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { idempotencyKeys } from "#server/platform/db/schema/platform.ts";
import { conflict, invalid, unprocessable } from "#server/platform/errors.ts";
import { hasRoom, requireFewKeys, STORE_LIMITS, type StoreLimits } from "./idempotency-limits.ts";

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
 * when it throws, the key is released, so that the request can be corrected and sent again. A response beyond the store's limits is not
 * kept: the request counts as executed, and a retry gets an error that says that the response is lost.
 * @throws Problem 400 for an invalid key; 409 while the first request runs, where it was executed but its response is lost, and where a
 * repetition has acquired the key of this one meanwhile; 422 when the key was used with another request; 429 after too many keys
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
    // If the database is unavailable for a moment, the next turn tries again.
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

/** What one run of a request holds its key by. */
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
/** A run that has lost its key touches what its repetition holds no more. */
const held = (claimed: Claim) => and(ofUser(claimed), eq(idempotencyKeys.claim, claimed.claim));

const running = () => conflict("idempotency_running", "Такой запрос уже выполняется", { retryAfter: 1 });

/**
 * In the transaction that has changed something. Where several do, the first one counts: a retry would repeat a part of the work, and a
 * client that gets the «response lost» error checks the result itself. The row stays locked until the commit, and once it is marked no
 * repetition acquires it.
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
  // Another statement, because the first may have waited for the repetition to commit. No row at all: it went with what was deleted here.
  const others = sql`${idempotencyKeys.claim} is distinct from ${claimed.claim}`;
  const [other] = await tx
    .select({ key: idempotencyKeys.key })
    .from(idempotencyKeys)
    .where(and(ofUser(claimed), others, hasChanged));
  if (other !== undefined) throw running();
}

/** The stored response, or null when this run has acquired the key. */
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
      // Refused after the insert, which is rolled back: a repetition is answered however many keys there are.
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

/** Refreshes a key without a response: its `createdAt` says when its request was last known to run. */
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
          : // As if its process had died after the commit.
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
