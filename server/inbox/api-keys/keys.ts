/** Manages a twin's keys for its owner. */
import { and, asc, desc, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import {
  API_KEY_PREFIX,
  API_KEYS_LIMIT,
  type ApiAccess,
  type ApiKey,
  type ApiKeyInput,
  type NewApiKey,
} from "#contract/integrations/api-keys.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { hashToken, newToken } from "#server/accounts/auth/sessions.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { apiKeys, apiKeyUsage } from "#server/platform/db/schema/programs.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { modelName } from "./model-name.ts";

type KeyRow = typeof apiKeys.$inferSelect;

const DAY_MS = 24 * 3600_000;
const SHOWN_DAYS = 7;
/** «dtk_» and six of the 43 random characters: enough to distinguish keys, too few to guess the rest. */
const PREFIX_CHARS = API_KEY_PREFIX.length + 6;

/** Lists keys, valid ones first, then newest first. @throws Problem 404, 403 */
export async function listKeys(db: Database, caller: Caller, twinId: string): Promise<ApiAccess> {
  const { twin, keys } = await asTenant(db, caller, async (tx) => {
    const twin = await getChangeableTwin(tx, caller, twinId);
    const rows = await tx
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.twinId, twinId))
      .orderBy(desc(sql`${apiKeys.revokedAt} is null`), desc(apiKeys.createdAt), desc(apiKeys.id))
      .limit(100);
    return { twin, keys: await withUsage(tx, rows) };
  });
  const names = await namesOf(
    db,
    keys.map(({ row }) => row.createdBy),
  );
  return { model: modelName(twin), keys: keys.map(({ row, usage }) => toKey(row, usage, names)) };
}

async function withUsage(tx: Tx, rows: KeyRow[]): Promise<{ row: KeyRow; usage: ApiKey["usage"] }[]> {
  const since = usageDay(new Date(Date.now() - (SHOWN_DAYS - 1) * DAY_MS));
  const days =
    rows.length === 0
      ? []
      : await tx
          .select()
          .from(apiKeyUsage)
          .where(
            and(
              inArray(
                apiKeyUsage.keyId,
                rows.map(({ id }) => id),
              ),
              gte(apiKeyUsage.day, since),
            ),
          )
          .orderBy(asc(apiKeyUsage.day));
  const byKey = Map.groupBy(days, ({ keyId }) => keyId);
  return rows.map((row) => ({
    row,
    usage: (byKey.get(row.id) ?? []).map(({ day, messages, tokens }) => ({ day, messages, tokens })),
  }));
}

async function namesOf(db: Database, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const people = await db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(users)
    .where(inArray(users.id, ids));
  return new Map(
    people.map(({ id, firstName, lastName, email }) => [id, `${firstName} ${lastName}`.trim() || email || ""]),
  );
}

/**
 * Returns the key itself, which is never stored.
 * @throws Problem 404, 403; 409 when the twin has too many
 */
export async function createKey(
  db: Database,
  caller: Caller,
  twinId: string,
  input: z.output<typeof ApiKeyInput>,
): Promise<NewApiKey> {
  const { name, scopes, expiresInDays, dailyMessages, dailyTokens } = input;
  const token = `${API_KEY_PREFIX}${newToken()}`;
  const row = await asTenant(db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const open = and(eq(apiKeys.twinId, twinId), isNull(apiKeys.revokedAt));
    if ((await tx.select({ id: apiKeys.id }).from(apiKeys).where(open)).length >= API_KEYS_LIMIT) {
      throw conflict("too_many_keys", `У двойника уже ${API_KEYS_LIMIT} ключей. Отзовите лишний.`);
    }
    const [made] = await tx
      .insert(apiKeys)
      .values({
        orgId: caller.organizationId,
        twinId,
        createdBy: caller.userId,
        name,
        prefix: token.slice(0, PREFIX_CHARS),
        tokenHash: hashToken(token),
        scopes,
        dailyMessages,
        dailyTokens,
        expiresAt: expiresInDays === undefined ? null : new Date(Date.now() + expiresInDays * DAY_MS),
      })
      .returning();
    await record(tx, caller, "api-key-created", made!, { scopes });
    return made!;
  });
  return { key: toKey(row, [], await namesOf(db, [row.createdBy])), token };
}

/** Revokes a key from its next call on; repeating it changes nothing. @throws Problem 404, 403 */
export async function revokeKey(db: Database, caller: Caller, twinId: string, keyId: string): Promise<void> {
  await asTenant(db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const [row] = await tx
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.id, keyId), eq(apiKeys.twinId, twinId)));
    if (row === undefined) throw notFound("Ключ не найден", "key_not_found");
    if (row.revokedAt !== null) return;
    await tx.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, keyId));
    await record(tx, caller, "api-key-revoked", row, {});
  });
}

function record(tx: Tx, caller: Caller, action: "api-key-created" | "api-key-revoked", row: KeyRow, detail: object) {
  const { userId, organizationId } = caller;
  return auditInTenant(tx, {
    action,
    userId,
    organizationId,
    subject: row.id,
    detail: { twinId: row.twinId, ...detail },
  });
}

const hasExpired = ({ expiresAt }: Pick<KeyRow, "expiresAt">): boolean => expiresAt !== null && expiresAt <= new Date();

function toKey(row: KeyRow, usage: ApiKey["usage"], names: ReadonlyMap<string, string>): ApiKey {
  const { id, name, prefix, scopes, dailyMessages, dailyTokens } = row;
  return {
    id,
    name,
    prefix,
    scopes,
    state: row.revokedAt !== null ? "revoked" : hasExpired(row) ? "expired" : "active",
    dailyMessages,
    dailyTokens,
    createdBy: names.get(row.createdBy) || null,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    usage,
  };
}
