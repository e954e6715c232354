/** Connects an organisation to its CRM: sign-in, the connection's state, disconnecting, and the choice of twins that use it. */
import { randomUUID } from "node:crypto";
import { and, count, desc, eq, gt, inArray, lt, ne, or } from "drizzle-orm";
import * as z from "zod/mini";
import {
  CRM_NAMES,
  type CrmChoice,
  type CrmCode,
  type CrmConnection,
  type CrmOverview,
  type CrmSignIn,
  CrmSystem,
  crmHost,
} from "#contract/integrations/crm.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { hashToken, newToken } from "#server/accounts/auth/sessions.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { crmCards, crmConnections, crmSignIns, crmTwins } from "#server/platform/db/schema/programs.ts";
import { notFound, unprocessable, upstream } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { CrmApp, type CrmTokens, CrmTrouble } from "./crm-system.ts";
import { type CrmDeps, protocolOf, redirectUrlOf, sealTokens, storedApp } from "./tokens.ts";

/** Milliseconds in which the administrator must sign in at the CRM: a code lives for 20 minutes. */
const SIGN_IN_MS = 20 * 60_000;

type ConnectionRow = typeof crmConnections.$inferSelect;
type SignInRow = typeof crmSignIns.$inferSelect;

const appPlace = ({ id, orgId }: Pick<SignInRow, "id" | "orgId">) => ({
  table: "crm_sign_ins",
  tenant: orgId,
  row: id,
  column: "app",
});

const openApp = (vault: Vault, row: SignInRow): CrmApp =>
  z.parse(CrmApp, JSON.parse(vault.open(appPlace(row), row.app)));

export async function crmOverview({ db, config }: CrmDeps, caller: Caller): Promise<CrmOverview> {
  const { connections, choices } = await asTenant(db, caller, async (tx) => {
    const rows = await tx
      .select()
      .from(crmConnections)
      .where(eq(crmConnections.orgId, caller.organizationId))
      .orderBy(crmConnections.createdAt);
    const shown: CrmConnection[] = [];
    for (const row of rows) shown.push(await toConnection(tx, row));
    const { twinId, connectionId, includeTexts } = crmTwins;
    const chosen = await tx
      .select({ twinId, connectionId, includeTexts })
      .from(crmTwins)
      .where(eq(crmTwins.orgId, caller.organizationId));
    return { connections: shown, choices: chosen };
  });
  const systems = CrmSystem.options.map((system) => ({ system, ready: config.crmApps[system] !== null }));
  return { systems, redirectUrl: redirectUrlOf(config), connections, choices };
}

async function toConnection(tx: Tx, row: ConnectionRow): Promise<CrmConnection> {
  const ofRow = eq(crmCards.connectionId, row.id);
  const counted = await tx
    .select({ state: crmCards.state, number: count() })
    .from(crmCards)
    .where(ofRow)
    .groupBy(crmCards.state);
  const numberOf = (...states: string[]) =>
    counted.reduce((sum, { state, number }) => sum + (states.includes(state) ? number : 0), 0);
  const [failed] = await tx
    .select({ error: crmCards.error })
    .from(crmCards)
    .where(and(ofRow, eq(crmCards.state, "failed")))
    .orderBy(desc(crmCards.createdAt))
    .limit(1);
  const { id, system, host, state, reason, createdAt } = row;
  const cards = {
    made: numberOf("made"),
    waiting: numberOf("waiting", "making", "noting"),
    failed: numberOf("failed"),
  };
  return {
    id,
    system,
    host,
    state,
    reason,
    connectedAt: createdAt.toISOString(),
    cards,
    lastFailure: failed?.error ?? null,
  };
}

/**
 * Uses the application that the administrator enters, else the installation's, else the one of the previous connection.
 * @throws Problem 422 when there is none of them
 */
export async function beginCrmSignIn(
  { db, vault, config }: CrmDeps,
  caller: Caller,
  { system, host: entered, clientId, clientSecret }: CrmSignIn,
): Promise<{ url: string }> {
  const host = crmHost(system, entered)!;
  const given = clientId && clientSecret ? { clientId, clientSecret } : config.crmApps[system];
  const app = given ?? (await formerApp(db, vault, caller, system, host));
  if (app === null) {
    const message = `Введите ключ и секрет приложения ${CRM_NAMES[system]}`;
    throw unprocessable("crm_app_missing", message, { fields: { clientId: message } });
  }
  const [state, row] = [newToken(), { id: randomUUID(), orgId: caller.organizationId }];
  await asTenant(db, caller, async (tx) => {
    const [mine, old] = [eq(crmSignIns.userId, caller.userId), lt(crmSignIns.expiresAt, new Date())];
    await tx.delete(crmSignIns).where(and(eq(crmSignIns.orgId, caller.organizationId), or(mine, old)));
    await tx.insert(crmSignIns).values({
      ...row,
      userId: caller.userId,
      stateHash: hashToken(state),
      system,
      host,
      app: vault.seal(appPlace(row), JSON.stringify(app)),
      expiresAt: new Date(Date.now() + SIGN_IN_MS),
    });
  });
  return { url: protocolOf(config, system).signInUrl(host, app, state, redirectUrlOf(config)) };
}

function formerApp(
  db: Database,
  vault: Vault,
  caller: Caller,
  system: CrmSystem,
  host: string,
): Promise<CrmApp | null> {
  return asTenant(db, caller, async (tx) => {
    const [row] = await tx
      .select()
      .from(crmConnections)
      .where(
        and(
          eq(crmConnections.orgId, caller.organizationId),
          eq(crmConnections.system, system),
          eq(crmConnections.host, host),
        ),
      );
    return row === undefined ? null : storedApp(vault, row);
  });
}

/**
 * Only the member who began the sign-in completes it, once. An existing connection gets the new tokens and keeps its cards; refused cards
 * are retried.
 * @throws Problem 422 for a sign-in that is unknown, expired or of another account, and when the CRM refuses the code; 502 while it is
 * unavailable
 */
export async function completeCrmSignIn(
  { db, vault, config }: CrmDeps,
  caller: Caller,
  { state, code, host: returned }: CrmCode,
): Promise<CrmConnection> {
  const begun = await asTenant(db, caller, async (tx) => {
    const [row] = await tx
      .delete(crmSignIns)
      .where(
        and(
          eq(crmSignIns.orgId, caller.organizationId),
          eq(crmSignIns.userId, caller.userId),
          eq(crmSignIns.stateHash, hashToken(state)),
          gt(crmSignIns.expiresAt, new Date()),
        ),
      )
      .returning();
    return row;
  });
  if (begun === undefined)
    throw unprocessable("crm_sign_in_over", "Вход в CRM начат не здесь или истёк. Начните заново.");
  const { system, host } = begun;
  if (returned !== undefined && crmHost(system, returned) !== host) {
    const message = `Вы вошли в другой аккаунт: ${crmHost(system, returned) ?? "неизвестный"}. Начните заново и выберите ${host}.`;
    throw unprocessable("other_account", message);
  }
  const protocol = protocolOf(config, system);
  const tokens = await protocol
    .exchange(host, openApp(vault, begun), code, redirectUrlOf(config))
    .catch((error: unknown): never => {
      if (!(error instanceof CrmTrouble)) throw error;
      if (error.kind === "away")
        throw upstream("crm_away", `${CRM_NAMES[system]} не отвечает. Начните вход заново.`, { cause: error });
      const message = `${CRM_NAMES[system]} не приняла вход. Проверьте ключ, секрет и адрес перенаправления приложения.`;
      throw unprocessable("credentials_refused", message, { cause: error });
    });
  return asTenant(db, caller, (tx) => keep(tx, vault, caller, { system, host }, tokens));
}

async function keep(
  tx: Tx,
  vault: Vault,
  caller: Caller,
  { system, host }: Pick<ConnectionRow, "system" | "host">,
  tokens: CrmTokens,
): Promise<CrmConnection> {
  const { organizationId: orgId, userId } = caller;
  const ofSystem = and(eq(crmConnections.orgId, orgId), eq(crmConnections.system, system));
  // Another account replaces the connection, because its cards are elsewhere.
  await tx.delete(crmConnections).where(and(ofSystem, ne(crmConnections.host, host)));
  const [known] = await tx
    .select({ id: crmConnections.id })
    .from(crmConnections)
    .where(and(ofSystem, eq(crmConnections.host, host)))
    .for("update");
  const row = { id: known?.id ?? randomUUID(), orgId };
  const fresh = {
    tokens: sealTokens(vault, row, tokens),
    ...{
      state: "connected" as const,
      reason: null,
      refreshingSince: null,
      refreshedAt: new Date(),
      connectedBy: userId,
    },
  };
  const [kept] = await tx
    .insert(crmConnections)
    .values({ ...row, system, host, ...fresh })
    .onConflictDoUpdate({ target: crmConnections.id, set: fresh })
    .returning();
  await tx
    .update(crmCards)
    .set({ state: "making", attempts: 0, error: null, nextAttemptAt: new Date() })
    .where(and(eq(crmCards.connectionId, row.id), eq(crmCards.state, "failed")));
  const detail = { system, host, again: known !== undefined };
  await auditInTenant(tx, { action: "crm-connected", userId, organizationId: orgId, subject: row.id, detail });
  return toConnection(tx, kept!);
}

/** Destroys the tokens; neither CRM has a call that revokes them before they expire. @throws Problem 404 */
export function removeCrm({ db }: CrmDeps, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    const { userId, organizationId } = caller;
    const [row] = await tx
      .delete(crmConnections)
      .where(and(eq(crmConnections.id, id), eq(crmConnections.orgId, organizationId)))
      .returning();
    if (row === undefined) throw crmNotFound();
    const detail = { system: row.system, host: row.host };
    await auditInTenant(tx, { action: "crm-disconnected", userId, organizationId, subject: id, detail });
  });
}

const crmNotFound = () => notFound("CRM не найдена", "crm_not_found");

/** Cards waiting for a CRM that is no longer chosen are not created. @throws Problem 404, for the twin and the CRM; 403 */
export function chooseCrm({ db }: CrmDeps, caller: Caller, twinId: string, choice: CrmChoice): Promise<CrmChoice> {
  const { userId, organizationId } = caller;
  return asTenant(db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const { connectionId, includeTexts } = choice;
    await tx.delete(crmTwins).where(eq(crmTwins.twinId, twinId));
    await tx.delete(crmCards).where(and(eq(crmCards.twinId, twinId), inArray(crmCards.state, ["waiting", "failed"])));
    if (connectionId !== undefined) {
      const [row] = await tx
        .select({ id: crmConnections.id })
        .from(crmConnections)
        .where(and(eq(crmConnections.id, connectionId), eq(crmConnections.orgId, organizationId)));
      if (row === undefined) throw crmNotFound();
      await tx.insert(crmTwins).values({ orgId: organizationId, twinId, connectionId, includeTexts });
    }
    const detail = { connectionId: connectionId ?? null, includeTexts };
    await auditInTenant(tx, { action: "crm-chosen", userId, organizationId, subject: twinId, detail });
    return connectionId === undefined ? { includeTexts: false } : choice;
  });
}
