/** Organisations that are connected to local CRMs, below the API: no bot, no jobs, and no call that waits for its turn. */
import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import type { CrmSystem } from "#contract/integrations/crm.ts";
import { markCardDue, syncCrmCards } from "#server/inbox/crm/cards.ts";
import { BETWEEN_MS } from "#server/inbox/crm/crm-call.ts";
import type { CrmTokens } from "#server/inbox/crm/crm-system.ts";
import { type CrmDeps, protocolOf, redirectUrlOf, sealTokens } from "#server/inbox/crm/tokens.ts";
import { asTenant, type OpenDatabase, type Tenant } from "#server/platform/db/database.ts";
import type { contacts } from "#server/platform/db/schema/knowledge.ts";
import { crmCards, crmConnections, crmTwins } from "#server/platform/db/schema/programs.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { createLog, type Log } from "#server/platform/log.ts";
import { createVault } from "#server/platform/secrets/vault.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { buildContact, buildConversation, buildTenantWithTwin } from "#server/test/factories/build-rows.ts";
import { AMOCRM_APP, type AmocrmServer, startAmocrmServer } from "#server/test/servers/amocrm-server.ts";
import { BITRIX24_APP, type Bitrix24Server, startBitrix24Server } from "#server/test/servers/bitrix24-server.ts";

const APPS = { amocrm: AMOCRM_APP, bitrix24: BITRIX24_APP };
export const HOSTS = { amocrm: "company.amocrm.ru", bitrix24: "company.bitrix24.ru" };

export let amo: AmocrmServer;
export let bitrix: Bitrix24Server;
export let deps: CrmDeps & { log: Log };
let database: OpenDatabase;

export interface ConnectedTwin {
  tenant: Tenant;
  caller: Caller;
  twinId: string;
  connectionId: string;
  tokens: CrmTokens;
}

/** A twin whose conversations go to the CRM. */
export async function connectTwin(system: CrmSystem, settings = deps): Promise<ConnectedTwin> {
  const { tenant, twinId } = await buildTenantWithTwin(deps.db);
  const row = { id: randomUUID(), orgId: tenant.organizationId };
  const code = { amocrm: amo, bitrix24: bitrix }[system].allow();
  const redirectUrl = redirectUrlOf(settings.config);
  const tokens = await protocolOf(settings.config, system).exchange(HOSTS[system], APPS[system], code, redirectUrl);
  await asTenant(deps.db, tenant, async (tx) => {
    const connection = { ...row, system, host: HOSTS[system], connectedBy: tenant.userId };
    await tx.insert(crmConnections).values({ ...connection, tokens: sealTokens(deps.vault, row, tokens) });
    await tx.insert(crmTwins).values({ orgId: row.orgId, twinId, connectionId: row.id, includeTexts: false });
  });
  const caller: Caller = { ...tenant, role: "org_admin", superAdmin: false, confirmed: true, sessionId: "" };
  return { tenant, caller, twinId, connectionId: row.id, tokens };
}

/** A conversation that was answered for the first time. @returns its id */
export function answerConversation(
  { tenant, twinId }: ConnectedTwin,
  { participantName = "Иван", ...contact }: { participantName?: string } & Partial<typeof contacts.$inferInsert> = {},
): Promise<string> {
  const place = { orgId: tenant.organizationId, twinId };
  return asTenant(deps.db, tenant, async (tx) => {
    const { id: contactId } = await buildContact(tx, place, contact);
    const { id: conversationId } = await buildConversation(tx, place, { contactId, participantName });
    await markCardDue(tx, { ...place, conversationId });
    return conversationId;
  });
}

export async function cardOf(conversationId: string) {
  const [card] = await deps.db.select().from(crmCards).where(eq(crmCards.conversationId, conversationId));
  return card!;
}

/** Sets a card to what a process has left that was killed. */
export const setCard = (conversationId: string, set: Partial<typeof crmCards.$inferInsert>) =>
  deps.db.update(crmCards).set(set).where(eq(crmCards.conversationId, conversationId));

export async function connectionOf({ connectionId }: ConnectedTwin) {
  const [connection] = await deps.db.select().from(crmConnections).where(eq(crmConnections.id, connectionId));
  return connection!;
}

/** Runs the job of the connection. */
export const sync = ({ tenant, connectionId }: ConnectedTwin, settings = deps): Promise<void> =>
  syncCrmCards(settings, { ...tenant, connectionId }, AbortSignal.timeout(30_000), { settledMs: 0 });

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareCards(): void {
  beforeAll(async () => {
    Object.assign(BETWEEN_MS, { amocrm: 0, bitrix24: 0 });
    const unlimited = { perSecond: Number.POSITIVE_INFINITY };
    [amo, bitrix] = await Promise.all([startAmocrmServer(unlimited), startBitrix24Server(unlimited)]);
    database = await openTestDatabase();
    deps = {
      db: database.db,
      vault: createVault({ current: 1, keys: new Map([[1, randomBytes(32)]]) }),
      log: createLog("silent"),
      config: {
        publicUrl: "http://localhost:3000",
        crmApps: { amocrm: null, bitrix24: null },
        crmUrls: { amocrm: amo.root, bitrix24: bitrix.root },
      },
    };
  });
  const usual = { ...BETWEEN_MS };
  afterAll(async () => {
    Object.assign(BETWEEN_MS, usual);
    await database.close();
    await Promise.all([amo.close(), bitrix.close()]);
  });
}
