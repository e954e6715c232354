/** An organisation signs in to its CRM, and each answered conversation of a chosen twin becomes one contact and one deal there. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { conversationMessages } from "#server/platform/db/schema/conversations.ts";
import { crmConnections } from "#server/platform/db/schema/programs.ts";
import { HIDDEN_WORDS } from "#server/platform/db/schema/secrecy.ts";
import { WAIT } from "#server/test/channels/bot-bench.ts";
import {
  amo,
  answered,
  begin,
  bench,
  bitrix,
  botWith,
  cardsOf,
  choose,
  connectCrm,
  fill,
  HOSTS,
  overview,
  prepareCrm,
} from "#server/test/crm/crm-bench.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { AMOCRM_APP } from "#server/test/servers/amocrm-server.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { findDueConnections, markCardDue } from "./cards.ts";

prepareCrm();

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
    await markCardDue(tx, { ...place, conversationId: id });
    return id;
  });
  await fill(bot, connection.id);
  const [card] = (await cardsOf(connection.id)).filter((one) => one.conversationId === conversationId);
  const note = bitrix.comments.find(({ ENTITY_ID }) => ENTITY_ID === card!.dealId)!.COMMENT;
  expect(note).toContain("Иван: Где ты был?");
  expect(note).toContain(`Ответ: ${HIDDEN_WORDS}`);
  expect(note).not.toContain("вытрезвителе");
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
  expect((await asPlatform(db, (tx) => findDueConnections(tx))).map((one) => one.connectionId)).toContain(
    connection.id,
  );
  await Promise.all([fill(bot, connection.id), fill(bot, connection.id), fill(bot, connection.id)]);
  const since = amo.grants.slice(grants);
  expect(since.map(({ status }) => status)).toEqual([200]);
  await answered(bot, connection.id);
  await expect.poll(async () => (await cardsOf(connection.id))[0]?.state, WAIT).toBe("made");
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
