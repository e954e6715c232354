/** `Idempotency-Key`: a POST that is sent again answers what it answered the first time, and is carried out once. */
import { createHash } from "node:crypto";
import { and, eq, isNull, lt, or } from "drizzle-orm";
import { asTenant, type Database, type Tenant } from "./db/database.ts";
import { idempotencyKeys } from "./db/schema.ts";
import { conflict, invalid, unprocessable } from "./errors.ts";

/** Answers are kept this long. */
export const KEPT_MS = 24 * 3600_000;
/** A request that has not ended by then died with its process: longer than any model's time-out. */
const ABANDONED_MS = 15 * 60_000;

export interface KeyedRequest {
  key: string;
  method: string;
  url: string;
  body: unknown;
}

export interface KeyedAnswer {
  status: number;
  /** JSON; undefined for an answer without a body. */
  body: unknown;
}

/**
 * Runs `work` unless this user has sent the key before. `work` gives null for what cannot be repeated (a stream): then, and when it
 * throws, the key is free again, so that the request can be corrected and sent once more.
 * @throws Problem 400 for an unusable key, 409 while the first request runs, 422 when the key came with another request
 */
export type AnswerOnce = (
  tenant: Tenant,
  request: KeyedRequest,
  work: () => Promise<KeyedAnswer | null>,
) => Promise<{ answer: KeyedAnswer | null; replayed: boolean }>;

export function answerOnce(db: Database): AnswerOnce {
  return async (tenant, request, work) => {
    if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
      throw invalid("invalid_idempotency_key", "Idempotency-Key: от 1 до 255 печатных символов ASCII без пробелов");
    }
    const known = await claim(db, tenant, request);
    if (known !== null) return { answer: known, replayed: true };
    let answer: KeyedAnswer | null = null;
    try {
      answer = await work();
      return { answer, replayed: false };
    } finally {
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

/** The stored answer, or null when the key is now this request's. */
function claim(db: Database, tenant: Tenant, request: KeyedRequest): Promise<KeyedAnswer | null> {
  const { organizationId: orgId, userId } = tenant;
  const requestHash = hashOf(request);
  const now = Date.now();
  return asTenant(db, tenant, async (tx) => {
    await tx
      .delete(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.orgId, orgId),
          or(
            lt(idempotencyKeys.createdAt, new Date(now - KEPT_MS)),
            and(isNull(idempotencyKeys.status), lt(idempotencyKeys.createdAt, new Date(now - ABANDONED_MS))),
          ),
        ),
      );
    const [claimed] = await tx
      .insert(idempotencyKeys)
      .values({ orgId, userId, key: request.key, requestHash })
      .onConflictDoNothing()
      .returning({ key: idempotencyKeys.key });
    if (claimed !== undefined) return null;
    const [row] = await tx.select().from(idempotencyKeys).where(own(tenant, request.key));
    if (row !== undefined && row.requestHash !== requestHash) {
      throw unprocessable("idempotency_mismatch", "Этот Idempotency-Key уже использован с другим запросом");
    }
    if (row === undefined || row.status === null) {
      throw conflict("idempotency_running", "Такой запрос уже выполняется", { retryAfter: 1 });
    }
    return { status: row.status, body: row.body ?? undefined };
  });
}

function settle(db: Database, tenant: Tenant, key: string, answer: KeyedAnswer | null): Promise<void> {
  return asTenant(db, tenant, async (tx) => {
    if (answer === null) await tx.delete(idempotencyKeys).where(own(tenant, key));
    else {
      const stored = { status: answer.status, body: answer.body ?? null };
      await tx.update(idempotencyKeys).set(stored).where(own(tenant, key));
    }
  });
}

function hashOf({ method, url, body }: KeyedRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([method, url, body ?? null]))
    .digest("hex");
}
