/** Identifies the caller by its key, and applies the key's limits. */
import { and, eq, isNull, sql } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import { API_KEY_PREFIX, type ApiKeyScope } from "#contract/integrations/api-keys.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { bearerOf } from "#server/accounts/auth/caller.ts";
import { findMember, hashToken } from "#server/accounts/auth/sessions.ts";
import { mayChangeTwin } from "#server/accounts/organizations/access.ts";
import { secondsOfToday, usageDay } from "#server/accounts/twins/usage.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { apiKeys, apiKeyUsage } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { forbidden, tooMany, unauthorized } from "#server/platform/errors.ts";

/** Precision of `last_used_at`, so that not every call writes to the database. */
const SEEN_STEP_MS = 60_000;

/** Acts as the twin's owner, on whose behalf contacts are answered. */
export interface KeyCaller extends Tenant {
  keyId: string;
  /** The member who created the key. A program with it reads only what he may read. */
  madeBy: string;
  twin: { id: string; name: string; publicName: string | null; createdAt: Date };
  scopes: readonly ApiKeyScope[];
  dailyMessages: number;
  dailyTokens: number;
}

/**
 * Returns the caller that presents this key. A key is invalid when it is revoked, has expired, or its creator may no longer change the
 * twin.
 * @throws Problem 401
 */
export async function callerOf(db: Database, request: FastifyRequest): Promise<KeyCaller> {
  const token = bearerOf(request);
  if (token === null) throw unauthorized("Нужен ключ: заголовок Authorization: Bearer dtk_…", "missing_api_key");
  const caller = token.startsWith(API_KEY_PREFIX) ? await findCaller(db, token) : null;
  if (caller === null) throw unauthorized("Ключ не подходит: он неверен, отозван или истёк", "invalid_api_key");
  return caller;
}

async function findCaller(db: Database, token: string): Promise<KeyCaller | null> {
  const [found] = await asPlatform(db, (tx) =>
    tx
      .select({
        key: apiKeys,
        twin: {
          id: twins.id,
          name: twins.name,
          publicName: twins.publicName,
          ownerId: twins.ownerId,
          createdAt: twins.createdAt,
        },
      })
      .from(apiKeys)
      .innerJoin(twins, eq(twins.id, apiKeys.twinId))
      .where(
        and(
          eq(apiKeys.tokenHash, hashToken(token)),
          isNull(apiKeys.revokedAt),
          sql`coalesce(${apiKeys.expiresAt} > now(), true)`,
        ),
      ),
  );
  if (found === undefined) return null;
  const { key, twin } = found;
  const maker = await findMember(db, { userId: key.createdBy, organizationId: key.orgId });
  if (maker === null || !maker.confirmed || !mayChangeTwin(maker, { orgId: key.orgId, ownerId: twin.ownerId }))
    return null;
  const caller = {
    organizationId: key.orgId,
    userId: twin.ownerId,
    keyId: key.id,
    madeBy: key.createdBy,
    twin,
    scopes: key.scopes,
    dailyMessages: key.dailyMessages,
    dailyTokens: key.dailyTokens,
  };
  if (key.lastUsedAt === null || Date.now() - key.lastUsedAt.getTime() > SEEN_STEP_MS) {
    await asTenant(db, caller, (tx) =>
      tx.update(apiKeys).set({ lastUsedAt: new Date() }).where(eq(apiKeys.id, key.id)),
    );
  }
  return caller;
}

/** The daily limit is the owner's choice; this one keeps a loop from using it up in a second. */
const CALLS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/**
 * Counts calls of a key, all or none, across all processes and protocols. Clients see the limit in the error, so the database keeps the
 * count instead of each process.
 * @throws Problem 429 with Retry-After
 */
export async function countCalls(db: Database, caller: KeyCaller, calls: number): Promise<void> {
  const since = sql`now() - ${MINUTE_MS} * interval '1 millisecond'`;
  const isOver = sql`coalesce(${apiKeys.minuteFrom} <= ${since}, true)`;
  const refusedMs = await asTenant(db, caller, async (tx) => {
    const counted = await tx
      .update(apiKeys)
      .set({
        minuteFrom: sql`case when ${isOver} then now() else ${apiKeys.minuteFrom} end`,
        minuteCalls: sql`case when ${isOver} then 0 else ${apiKeys.minuteCalls} end + ${calls}`,
      })
      .where(
        and(
          eq(apiKeys.id, caller.keyId),
          sql`case when ${isOver} then 0 else ${apiKeys.minuteCalls} end + ${calls} <= ${CALLS_PER_MINUTE}`,
        ),
      )
      .returning({ id: apiKeys.id });
    if (counted.length > 0) return null;
    const [key] = await tx.select({ from: apiKeys.minuteFrom }).from(apiKeys).where(eq(apiKeys.id, caller.keyId));
    return Math.max(0, (key?.from?.getTime() ?? 0) + MINUTE_MS - Date.now());
  });
  if (refusedMs === null) return;
  throw tooMany("too_many_requests", `Не больше ${CALLS_PER_MINUTE} вызовов в минуту`, {
    retryAfter: Math.max(1000, refusedMs) / 1000,
  });
}

/** @throws Problem 403 */
export function requireScope(caller: KeyCaller, scope: ApiKeyScope): void {
  if (!caller.scopes.includes(scope)) throw forbidden("insufficient_scope", `У ключа нет права «${scope}»`);
}

/**
 * Reserves one message and its known tokens from the daily limits, both or neither, before anything is answered.
 * @throws Problem 429 (insufficient_quota) with Retry-After until the next day
 */
export async function reserveTokens(tx: Tx, caller: KeyCaller, tokens: number): Promise<void> {
  const { keyId, organizationId: orgId, dailyMessages, dailyTokens } = caller;
  const day = usageDay(new Date());
  const first = await tx.insert(apiKeyUsage).values({ orgId, keyId, day }).onConflictDoNothing().returning();
  if (first.length > 0) {
    const detail = { twinId: caller.twin.id };
    await auditInTenant(tx, { action: "api-key-used", organizationId: orgId, subject: keyId, detail });
  }
  const taken = await tx
    .update(apiKeyUsage)
    .set({ messages: sql`${apiKeyUsage.messages} + 1`, tokens: sql`${apiKeyUsage.tokens} + ${tokens}` })
    .where(
      and(
        eq(apiKeyUsage.keyId, keyId),
        eq(apiKeyUsage.day, day),
        sql`${apiKeyUsage.messages} < ${dailyMessages}`,
        sql`${apiKeyUsage.tokens} + ${tokens} <= ${dailyTokens}`,
      ),
    )
    .returning({ day: apiKeyUsage.day });
  if (taken.length > 0) return;
  throw tooMany("insufficient_quota", "Дневной лимит ключа исчерпан. Он обновится в полночь по Москве.", {
    retryAfter: secondsOfToday(),
  });
}

/** Charges the answer's own tokens. They are known only afterwards, so the last answer of a day may exceed the limit. */
export async function chargeTokens(tx: Tx, { keyId }: KeyCaller, tokens: number): Promise<void> {
  const day = usageDay(new Date());
  await tx
    .update(apiKeyUsage)
    .set({ tokens: sql`${apiKeyUsage.tokens} + ${tokens}` })
    .where(and(eq(apiKeyUsage.keyId, keyId), eq(apiKeyUsage.day, day)));
}
