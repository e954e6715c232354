/** An organisation signs in to its CRM, and each answered conversation of a chosen twin becomes one contact and one deal there. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CrmConnection, CrmOverview, CrmSystem } from "#contract/integrations/crm.ts";
import { asPlatform, asTenant } from "#server/db/database.ts";
import { conversationMessages, crmCards, crmConnections } from "#server/db/schema.ts";
import { HIDDEN_WORDS } from "#server/db/secrecy/secrecy.ts";
import { type BotBench, botBench, type ConnectedBot, WAIT } from "#server/test/channels/bot-bench.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { AMOCRM_APP, type AmocrmServer, startAmocrmServer } from "#server/test/servers/amocrm-server.ts";
import { BITRIX24_APP, type Bitrix24Server, startBitrix24Server } from "#server/test/servers/bitrix24-server.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { dueCrm, fillCrm, noteAnswered } from "./cards.ts";

let bench: BotBench;
let amo: AmocrmServer;
let bitrix: Bitrix24Server;
beforeAll(async () => {
  [amo, bitrix] = await Promise.all([startAmocrmServer(), startBitrix24Server()]);
  bench = await botBench({ crmUrls: { amocrm: amo.root, bitrix24: bitrix.root } });
  amo.redirectUrl = `${bench.t.services.config.publicUrl}/crm`;
});
afterAll(async () => {
  await bench.close();
  await Promise.all([amo.close(), bitrix.close()]);
});

const APPS = { amocrm: AMOCRM_APP, bitrix24: BITRIX24_APP };
const HOSTS = { amocrm: "company.amocrm.ru", bitrix24: "company.bitrix24.ru" };

async function begin(client: TestClient, system: CrmSystem, host = HOSTS[system]): Promise<string> {
  const answer = await client.post("/api/crm/sign-in", { system, host, ...APPS[system] });
  expect(answer.statusCode, answer.body).toBe(200);
  return new URL(answer.json().url).searchParams.get("state")!;
}

async function connectCrm(client: TestClient, system: CrmSystem): Promise<CrmConnection> {
  const state = await begin(client, system);
  const code = { amocrm: amo, bitrix24: bitrix }[system].allow();
  const answer = await client.post("/api/crm/complete", { state, code, host: HOSTS[system] });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const overview = async (client: TestClient): Promise<CrmOverview> => (await client.get("/api/crm")).json();
const choose = (bot: ConnectedBot, connectionId: string, includeTexts = false) =>
  bot.owner.put(`/api/digital-twins/${bot.twinId}/crm`, { connectionId, includeTexts });

/** A bot that answers by itself, whose twin's conversations go to the CRM. */
async function botWith(system: CrmSystem, includeTexts = false) {
  const bot = await bench.connect("auto");
  const connection = await connectCrm(bot.owner, system);
  expect((await choose(bot, connection.id, includeTexts)).statusCode).toBe(200);
  return { bot, connection };
}

const cardsOf = (connectionId: string) =>
  bench.t.services.db.select().from(crmCards).where(eq(crmCards.connectionId, connectionId));
/** What the sweep enqueues, run here with no waits for the CRM's search. */
async function fill(bot: ConnectedBot, connectionId: string): Promise<void> {
  const job = { ...bot.owner.caller, connectionId };
  await fillCrm(bench.t.services, job, AbortSignal.timeout(30_000), { settledMs: 0, staleMs: 10_000 });
}
const answered = async (bot: ConnectedBot, connectionId: string) => {
  bench.telegram.say(bot.token, bot.ivan, "Здравствуйте!");
  await expect.poll(async () => (await cardsOf(connectionId)).length, WAIT).toBe(1);
};

test("a conversation becomes one contact and one deal with a link to it, by the job, however many answers follow", async () => {
  const { bot, connection } = await botWith("amocrm");
  await answered(bot, connection.id);
  await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
  bench.telegram.say(bot.token, bot.ivan, "Спасибо!");
  await bench.handled(bot, 2);
  await fill(bot, connection.id);
  const [card] = await cardsOf(connection.id);
  const made = amo.leads.filter(({ id }) => String(id) === card!.dealId);
  expect(made).toHaveLength(1);
  expect(made[0]!.contact).toMatchObject({ first_name: "Иван" });
  expect(made[0]!.name).toMatch(/^Иван · Telegram · DT-[0-9A-F]{12}$/);
  expect(made[0]!.notes).toEqual([
    `Диалог в «Цифровых двойниках»: ${bench.t.services.config.publicUrl}/conversations?dialog=${card!.conversationId}`,
  ]);
  expect((await overview(bot.owner)).connections[0]).toMatchObject({
    state: "connected",
    host: "company.amocrm.ru",
    cards: { made: 1, waiting: 0, failed: 0 },
  });
});

test("Bitrix24 gets contact, deal and, where the owner has switched it on, the words of the conversation", async () => {
  const { bot, connection } = await botWith("bitrix24", true);
  await answered(bot, connection.id);
  await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
  const [card] = await cardsOf(connection.id);
  const origin = { ORIGINATOR_ID: "digital-twins", ORIGIN_ID: card!.conversationId };
  expect(bitrix.contacts.filter((one) => one.ORIGIN_ID === card!.conversationId)).toEqual([
    { ID: card!.contactId, NAME: "Иван", ...origin },
  ]);
  expect(bitrix.deals.filter((one) => one.ORIGIN_ID === card!.conversationId)).toEqual([
    { ID: card!.dealId, TITLE: "Иван · Telegram", CONTACT_ID: card!.contactId, ...origin },
  ]);
  const note = bitrix.comments.find(({ ENTITY_ID }) => ENTITY_ID === card!.dealId)!.COMMENT;
  expect(note).toContain(`/conversations?dialog=${card!.conversationId}`);
  expect(note).toContain("Иван: Здравствуйте!");
});

test("a CRM that gets the words of a conversation gets none that come from the owner's letters", async () => {
  const { bot, connection } = await botWith("bitrix24", true);
  const { organizationId: orgId } = bot.owner.caller;
  const place = { orgId, twinId: bot.twinId };
  const conversationId = await asTenant(bench.t.services.db, bot.owner.caller, async (tx) => {
    const { id } = await buildConversation(tx, place, { integrationId: bot.integration.id });
    const line = { orgId, conversationId: id };
    await tx.insert(conversationMessages).values([
      { ...line, role: "user", content: "Где ты был?", secrecy: "organization" },
      { ...line, role: "assistant", content: "В вытрезвителе", secrecy: "contact" },
    ]);
    await noteAnswered(tx, { ...place, conversationId: id });
    return id;
  });
  await fill(bot, connection.id);
  const [card] = (await cardsOf(connection.id)).filter((one) => one.conversationId === conversationId);
  const note = bitrix.comments.find(({ ENTITY_ID }) => ENTITY_ID === card!.dealId)!.COMMENT;
  expect(note).toContain("Иван: Где ты был?");
  expect(note).toContain(`Ответ: ${HIDDEN_WORDS}`);
  expect(note).not.toContain("вытрезвителе");
});

test.each(["amocrm", "bitrix24"] as const)(
  "what %s has made without our hearing of it is found, not made again",
  async (system) => {
    const { bot, connection } = await botWith(system);
    if (system === "bitrix24") bitrix.loseAnswer("crm.contact.add");
    const before = { leads: amo.leads.length, contacts: bitrix.contacts.length, deals: bitrix.deals.length };
    await answered(bot, connection.id);
    await expect.poll(async () => (await cardsOf(connection.id))[0]?.attempts, WAIT).toBeGreaterThan(0);
    const { db } = bench.t.services;
    if (system === "amocrm") {
      // As a process leaves it that was killed between the call and its answer.
      await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
      const undone = { state: "making", dealId: null, contactId: null, madeAt: null } as const;
      await db.update(crmCards).set(undone).where(eq(crmCards.connectionId, connection.id));
    } else {
      await expect.poll(async () => (await cardsOf(connection.id))[0]?.error, WAIT).toMatch(/не отвечает/);
    }
    await db
      .update(crmCards)
      .set({ nextAttemptAt: new Date(0) })
      .where(eq(crmCards.connectionId, connection.id));
    await fill(bot, connection.id);
    expect((await cardsOf(connection.id))[0]).toMatchObject({ state: "made", error: null });
    if (system === "amocrm") expect(amo.leads.length).toBe(before.leads + 1);
    else expect([bitrix.contacts.length, bitrix.deals.length]).toEqual([before.contacts + 1, before.deals + 1]);
  },
);

test("a note whose answer was lost is not written twice", async () => {
  const { bot, connection } = await botWith("amocrm");
  await answered(bot, connection.id);
  await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
  await bench.t.services.db.update(crmCards).set({ state: "noting" }).where(eq(crmCards.connectionId, connection.id));
  await fill(bot, connection.id);
  const [card] = await cardsOf(connection.id);
  expect(card!.state).toBe("made");
  expect(amo.leads.find(({ id }) => String(id) === card!.dealId)!.notes).toHaveLength(1);
});

test("access that has ended is renewed once by many at the same time, and no refresh token is used twice", async () => {
  const { bot, connection } = await botWith("amocrm");
  amo.endAccess();
  const grants = amo.grants.length;
  const { db } = bench.t.services;
  await db
    .update(crmConnections)
    .set({ refreshedAt: new Date(0) })
    .where(eq(crmConnections.id, connection.id));
  expect((await asPlatform(db, (tx) => dueCrm(tx))).map((one) => one.connectionId)).toContain(connection.id);
  await Promise.all([fill(bot, connection.id), fill(bot, connection.id), fill(bot, connection.id)]);
  const since = amo.grants.slice(grants);
  expect(since.map(({ status }) => status)).toEqual([200]);
  await answered(bot, connection.id);
  await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
});

test("an access that is refused although its time has not come is renewed, and a used refresh token asks for signing in again", async () => {
  const { bot, connection } = await botWith("amocrm");
  amo.endAccess();
  await answered(bot, connection.id);
  await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
  // Somebody else has used the token that we hold.
  await fetch(`${amo.root}/oauth2/access_token`, {
    method: "POST",
    body: JSON.stringify({
      client_id: AMOCRM_APP.clientId,
      client_secret: AMOCRM_APP.clientSecret,
      redirect_uri: amo.redirectUrl,
      grant_type: "refresh_token",
      refresh_token: amo.lastRefreshToken(),
    }),
  });
  await bench.t.services.db
    .update(crmConnections)
    .set({ refreshedAt: new Date(0) })
    .where(eq(crmConnections.id, connection.id));
  await fill(bot, connection.id);
  expect((await overview(bot.owner)).connections[0]).toMatchObject({
    state: "broken",
    reason: "amoCRM больше не принимает доступ. Подключите заново.",
  });
  const again = await connectCrm(bot.owner, "amocrm");
  expect(again).toMatchObject({ id: connection.id, state: "connected", cards: { made: 1 } });
  expect((await overview(bot.owner)).choices).toHaveLength(1);
});

test("a sign-in is ended once, by the administrator who began it, for the account that was named", async () => {
  const admin = await bench.t.signUp();
  const colleague = await bench.t.signUp({ organizationId: admin.caller.organizationId });
  const member = await bench.t.signUp({ organizationId: admin.caller.organizationId, role: "user" });
  const end = (client: TestClient, state: string, host = HOSTS.amocrm) =>
    client.post("/api/crm/complete", { state, code: amo.allow(), host });
  const state = await begin(admin, "amocrm");
  expect((await end(colleague, state)).json().code).toBe("crm_sign_in_over");
  expect((await end(member, state)).statusCode).toBe(403);
  expect((await end(admin, state, "other.amocrm.ru")).json().code).toBe("other_account");
  expect((await end(admin, state)).json().code).toBe("crm_sign_in_over");
  const next = await begin(admin, "amocrm");
  expect((await end(admin, next)).statusCode).toBe(200);
  expect((await end(admin, next)).json().code).toBe("crm_sign_in_over");
  const wrong = await admin.post("/api/crm/complete", { state: await begin(admin, "amocrm"), code: "code-used" });
  expect(wrong.json().code).toBe("credentials_refused");
});

test.each([
  "evil.example",
  "company.amocrm.ru.evil.example",
  "127.0.0.1",
  "www.amocrm.ru",
  "a/b.amocrm.ru",
  "amocrm.ru",
])("%s is no account of amoCRM", async (host) => {
  const admin = await bench.t.signUp();
  const answer = await admin.post("/api/crm/sign-in", { system: "amocrm", host, ...AMOCRM_APP });
  expect(answer.statusCode).toBe(400);
});

test("without an application in the settings the administrator enters one, and no answer holds its secret", async () => {
  const admin = await bench.t.signUp();
  const missing = await admin.post("/api/crm/sign-in", { system: "amocrm", host: HOSTS.amocrm });
  expect(missing.json()).toMatchObject({ code: "crm_app_missing" });
  await connectCrm(admin, "amocrm");
  const said = JSON.stringify([
    await overview(admin),
    (await admin.get(`/api/organizations/${admin.caller.organizationId}/audit`)).body,
  ]);
  for (const secret of [AMOCRM_APP.clientSecret, "access-", "refresh-"]) expect(said).not.toContain(secret);
});

test("signing in again needs no keys, as long as it is the account that they were entered for; new ones replace them", async () => {
  const admin = await bench.t.signUp();
  const stranger = await bench.t.signUp();
  await connectCrm(admin, "amocrm");
  const again = (client: TestClient, own: object = {}) =>
    client.post("/api/crm/sign-in", { system: "amocrm", host: HOSTS.amocrm, ...own });
  const clientOf = async (own?: object) => new URL((await again(admin, own)).json().url).searchParams.get("client_id");
  expect(await clientOf()).toBe(AMOCRM_APP.clientId);
  expect(await clientOf({ clientId: "new-id", clientSecret: "new-secret" })).toBe("new-id");
  expect((await again(admin, { host: "other.amocrm.ru" })).json().code).toBe("crm_app_missing");
  expect((await again(admin, { system: "bitrix24", host: HOSTS.bitrix24 })).json().code).toBe("crm_app_missing");
  expect((await again(stranger)).json().code).toBe("crm_app_missing");
});

test("disconnecting destroys keys, choices and cards; choosing another organisation's CRM is not found", async () => {
  const { bot, connection } = await botWith("amocrm");
  const stranger = await bench.connect();
  expect((await choose(stranger, connection.id)).statusCode).toBe(404);
  expect((await choose(bot, randomUUID())).statusCode).toBe(404);
  expect((await stranger.owner.delete(`/api/crm/connections/${connection.id}`)).statusCode).toBe(404);
  expect((await bot.owner.delete(`/api/crm/connections/${connection.id}`)).statusCode).toBe(204);
  expect(await overview(bot.owner)).toMatchObject({ connections: [], choices: [] });
  expect(await cardsOf(connection.id)).toEqual([]);
});

test("the calls of a backlog stay below what the CRM takes", () => {
  expect(amo.tooFast).toBe(0);
});
