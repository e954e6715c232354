/**
 * An organisation's access to its CRM. A refresh token is valid once, so one process at a time refreshes, and the new pair is stored before
 * the former is dropped.
 * A refresh that a dead process left is retried with the stored token. If the CRM had already responded, it refuses the token, and the
 * administrator must sign in again.
 */
import { setTimeout as pause } from "node:timers/promises";
import { and, eq, isNull, lt, or } from "drizzle-orm";
import * as z from "zod/mini";
import { CRM_NAMES, type CrmSystem } from "#contract/integrations/crm.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { crmConnections } from "#server/platform/db/schema/programs.ts";
import { type Vault, VaultError } from "#server/platform/secrets/vault.ts";
import { amocrm } from "./amocrm.ts";
import { bitrix24 } from "./bitrix24.ts";
import { type CrmApp, type CrmProtocol, CrmTokens, CrmTrouble } from "./crm-system.ts";

export interface CrmDeps {
  db: Database;
  vault: Vault;
  config: CrmSettings;
}

type CrmSettings = Pick<Config, "publicUrl" | "crmApps" | "crmUrls">;

type Connection = typeof crmConnections.$inferSelect;

/** Milliseconds: an access token that expires sooner is refreshed before use. */
const MARGIN_MS = 60_000;
/** Milliseconds after which an unused refresh token is refreshed, because it expires after three months. */
export const KEEP_ALIVE_MS = 7 * 24 * 3600_000;
const ASK_AGAIN_MS = 250;

export interface RefreshTimes {
  /** Milliseconds after which an unfinished refresh counts as abandoned by a dead process: longer than a call takes. */
  staleMs?: number;
}

export const protocolOf = ({ crmUrls }: CrmSettings, system: CrmSystem): CrmProtocol =>
  system === "amocrm" ? amocrm(crmUrls.amocrm) : bitrix24(crmUrls.bitrix24);

/** The page to which the CRM redirects the browser; the signed-in user passes the code on to the server. */
export const redirectUrlOf = ({ publicUrl }: Pick<CrmSettings, "publicUrl">): string => `${publicUrl}/crm`;

const placeOf = ({ id, orgId }: Pick<Connection, "id" | "orgId">) => ({
  table: "crm_connections",
  tenant: orgId,
  row: id,
  column: "tokens",
});

export const sealTokens = (vault: Vault, row: Pick<Connection, "id" | "orgId">, tokens: CrmTokens): Buffer =>
  vault.seal(placeOf(row), JSON.stringify(tokens));

/** @throws VaultError */
const openTokens = (vault: Vault, row: Connection): CrmTokens =>
  z.parse(CrmTokens, JSON.parse(vault.open(placeOf(row), row.tokens)));

/** Returns the application of the connection; null if its keys can no longer be decrypted. */
export function storedApp(vault: Vault, row: Connection): CrmApp | null {
  try {
    return openTokens(vault, row).app;
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

export const signInAgain = (system: CrmSystem): string =>
  `${CRM_NAMES[system]} больше не принимает доступ. Подключите заново.`;

/**
 * Returns tokens that are valid now; undefined: the connection was deleted.
 * @param unlike an access token that the CRM has refused before it expired
 * @throws CrmTrouble; kind «auth» once the administrator must sign in again
 */
export async function validTokens(
  deps: CrmDeps,
  tenant: Tenant,
  connectionId: string,
  unlike: string | null,
  { staleMs = 40_000 }: RefreshTimes = {},
): Promise<CrmTokens | undefined> {
  const { db, vault, config } = deps;
  const until = Date.now() + 2 * staleMs;
  const ofRow = eq(crmConnections.id, connectionId);
  while (Date.now() < until) {
    const [row] = await asTenant(db, tenant, (tx) => tx.select().from(crmConnections).where(ofRow));
    if (row === undefined) return undefined;
    if (row.state === "broken") throw new CrmTrouble("auth", row.reason ?? signInAgain(row.system));
    const tokens = openTokens(vault, row);
    const old = row.refreshedAt.getTime() < Date.now() - KEEP_ALIVE_MS;
    if (tokens.accessToken !== unlike && tokens.expiresAt > Date.now() + MARGIN_MS && !old) return tokens;
    // The stored token is kept until there is a new one.
    const [mine] = await asTenant(db, tenant, (tx) =>
      tx
        .update(crmConnections)
        .set({ refreshingSince: new Date() })
        .where(
          and(
            ofRow,
            eq(crmConnections.tokens, row.tokens),
            or(
              isNull(crmConnections.refreshingSince),
              lt(crmConnections.refreshingSince, new Date(Date.now() - staleMs)),
            ),
          ),
        )
        .returning({ id: crmConnections.id }),
    );
    if (mine === undefined) {
      await pause(ASK_AGAIN_MS);
      continue;
    }
    return refresh(deps, tenant, row, tokens, protocolOf(config, row.system));
  }
  throw new CrmTrouble("away", "Доступ к CRM обновляется: попробуем ещё раз сами");
}

async function refresh(
  { db, vault, config }: CrmDeps,
  tenant: Tenant,
  row: Connection,
  tokens: CrmTokens,
  protocol: CrmProtocol,
): Promise<CrmTokens> {
  const { id, system, host } = row;
  // Another administrator may have signed in again meanwhile; newer tokens must not be overwritten.
  const still = and(eq(crmConnections.id, id), eq(crmConnections.tokens, row.tokens));
  const write = (set: Partial<typeof crmConnections.$inferInsert>) =>
    asTenant(db, tenant, (tx) =>
      tx
        .update(crmConnections)
        .set({ ...set, refreshingSince: null })
        .where(still),
    );
  try {
    const next = await protocol.refresh(host, tokens, redirectUrlOf(config));
    await write({ tokens: sealTokens(vault, row, next), refreshedAt: new Date() });
    return next;
  } catch (error) {
    if (error instanceof CrmTrouble && error.kind === "auth") {
      await write({ state: "broken", reason: signInAgain(system) });
      throw new CrmTrouble("auth", signInAgain(system), { cause: error });
    }
    await write({});
    throw error;
  }
}
