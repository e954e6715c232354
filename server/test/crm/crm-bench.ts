/** An organisation that is connected to local CRMs. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect } from "vitest";
import type { CrmConnection, CrmOverview, CrmSystem } from "#contract/integrations/crm.ts";
import { syncCrmCards } from "#server/inbox/crm/cards.ts";
import { crmCards } from "#server/platform/db/schema/programs.ts";
import { type BotBench, botBench, type ConnectedBot, WAIT } from "#server/test/channels/bot-bench.ts";
import { AMOCRM_APP, type AmocrmServer, startAmocrmServer } from "#server/test/servers/amocrm-server.ts";
import { BITRIX24_APP, type Bitrix24Server, startBitrix24Server } from "#server/test/servers/bitrix24-server.ts";
import type { TestClient } from "#server/test/test-app.ts";

export let bench: BotBench;
export let amo: AmocrmServer;
export let bitrix: Bitrix24Server;

const APPS = { amocrm: AMOCRM_APP, bitrix24: BITRIX24_APP };
export const HOSTS = { amocrm: "company.amocrm.ru", bitrix24: "company.bitrix24.ru" };

export async function begin(client: TestClient, system: CrmSystem, host = HOSTS[system]): Promise<string> {
  const answer = await client.post("/api/crm/sign-in", { system, host, ...APPS[system] });
  expect(answer.statusCode, answer.body).toBe(200);
  return new URL(answer.json().url).searchParams.get("state")!;
}

export async function connectCrm(client: TestClient, system: CrmSystem): Promise<CrmConnection> {
  const state = await begin(client, system);
  const code = { amocrm: amo, bitrix24: bitrix }[system].allow();
  const answer = await client.post("/api/crm/complete", { state, code, host: HOSTS[system] });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

export const overview = async (client: TestClient): Promise<CrmOverview> => (await client.get("/api/crm")).json();
export const choose = (bot: ConnectedBot, connectionId: string, includeTexts = false) =>
  bot.owner.put(`/api/digital-twins/${bot.twinId}/crm`, { connectionId, includeTexts });

/** A bot that answers automatically, whose twin's conversations go to the CRM. */
export async function botWith(system: CrmSystem, includeTexts = false) {
  const bot = await bench.connect("auto");
  const connection = await connectCrm(bot.owner, system);
  expect((await choose(bot, connection.id, includeTexts)).statusCode).toBe(200);
  return { bot, connection };
}

export const cardsOf = (connectionId: string) =>
  bench.t.services.db.select().from(crmCards).where(eq(crmCards.connectionId, connectionId));
/** What the sweep enqueues, run here with no waits for the CRM's search. */
export async function fill(bot: ConnectedBot, connectionId: string): Promise<void> {
  const job = { ...bot.owner.caller, connectionId };
  await syncCrmCards(bench.t.services, job, AbortSignal.timeout(30_000), { settledMs: 0, staleMs: 10_000 });
}
export const answered = async (bot: ConnectedBot, connectionId: string) => {
  bench.telegram.say(bot.token, bot.ivan, "Здравствуйте!");
  await expect.poll(async () => (await cardsOf(connectionId)).length, WAIT).toBe(1);
};

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareCrm(): void {
  beforeAll(async () => {
    [amo, bitrix] = await Promise.all([startAmocrmServer(), startBitrix24Server()]);
    bench = await botBench({ crmUrls: { amocrm: amo.root, bitrix24: bitrix.root } });
    amo.redirectUrl = `${bench.t.services.config.publicUrl}/crm`;
  });
  afterAll(async () => {
    await bench.close();
    await Promise.all([amo.close(), bitrix.close()]);
  });
}
