import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Notifications } from "#contract/organizations/notifications.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { notificationSettings, pushDevices, sessions, users } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { buildContact, buildConversation, buildTwinRow } from "#server/test/factories/build-rows.ts";
import { type PushServer, startPushServer, type TestBrowser } from "#server/test/servers/push-server.ts";
import { type SmtpServer, startSmtpServer } from "#server/test/servers/smtp-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { dueMembers, notifyMember } from "./notify-member.ts";

let t: TestApp;
let push: PushServer;
let smtp: SmtpServer;
beforeAll(async () => {
  push = await startPushServer();
  smtp = await startSmtpServer();
  t = await testApp({ loopbackAddresses: true, smtpUrl: smtp.url, mailFrom: "twins@example.test" });
});
afterAll(async () => {
  await t.close();
  await push.close();
  await smtp.close();
});

const PATH = "/api/account/notifications";
const seen = async (client: TestClient) => (await client.get(PATH)).json<Notifications>();

async function withBrowser(client: TestClient): Promise<{ browser: TestBrowser; id: string }> {
  const browser = push.subscribe((await seen(client)).publicKey);
  const added = await client.post(`${PATH}/devices`, browser.subscription);
  expect(added.statusCode, added.body).toBe(201);
  return { browser, id: added.json().id };
}

const tenantOf = ({ caller: { organizationId, userId } }: TestClient) => ({ organizationId, userId });

async function channelOf(client: TestClient) {
  const { db } = t.services;
  const tenant = tenantOf(client);
  return asTenant(db, tenant, async (tx) => {
    const twinId = await buildTwinRow(tx, tenant);
    const [row] = await tx
      .insert(integrations)
      .values({ orgId: tenant.organizationId, twinId, platform: "telegram", credentials: Buffer.alloc(1) })
      .returning({ id: integrations.id });
    return { twinId, integrationId: row!.id, orgId: tenant.organizationId };
  });
}

/** Creates drafts that have been waiting for this long. */
async function drafts(
  client: TestClient,
  { twinId, integrationId, orgId }: Awaited<ReturnType<typeof channelOf>>,
  ageMs: number,
  count = 1,
) {
  await asTenant(t.services.db, tenantOf(client), async (tx) => {
    const talk = await buildConversation(tx, { orgId, twinId }, { integrationId, participantName: "Тайный Контакт" });
    for (let n = 0; n < count; n++)
      await tx.insert(outbox).values({
        ...{ orgId, integrationId, conversationId: talk.id, question: "Сколько я должен?", text: "Сто" },
        secrecy: "organization",
        ...{ state: "draft", reason: "…", createdAt: new Date(Date.now() - ageMs + n) },
      });
  });
}

const due = async (client: TestClient) => {
  const all = await asPlatform(t.services.db, dueMembers);
  return all.some(
    ({ organizationId, userId }) => organizationId === client.caller.organizationId && userId === client.caller.userId,
  );
};
const tell = (client: TestClient) => notifyMember(t.services, tenantOf(client));
/** Drafts from before the browser was enabled are not reported, so the marks are moved back. */
const since = (client: TestClient, ms: number) =>
  asTenant(t.services.db, tenantOf(client), (tx) => {
    const before = new Date(Date.now() - ms);
    return tx
      .update(notificationSettings)
      .set({ draftsPushedTo: before, draftsMailedTo: before })
      .where(eq(notificationSettings.userId, client.caller.userId));
  });

const MINUTE = 60_000;

test("a browser is told once how many drafts wait, and neither who wrote nor what", async () => {
  const client = await t.signUp();
  const { browser } = await withBrowser(client);
  expect(await due(client)).toBe(false);
  await since(client, MINUTE);
  await drafts(client, await channelOf(client), 20_000, 2);
  expect(await due(client)).toBe(true);
  await tell(client);
  expect(push.refusals).toEqual([]);
  expect(browser.messages).toEqual([
    {
      title: "Ждут одобрения 2 ответа",
      body: "Двойник подготовил текст, решение за вами.",
      url: "/conversations?tab=approval",
      tag: "drafts",
    },
  ]);
  expect(JSON.stringify(browser.messages)).not.toMatch(/Тайный|должен|Сто/);
  expect(await due(client)).toBe(false);
  await tell(client);
  expect(browser.messages).toHaveLength(1);
});

test("drafts of this moment wait for those that come with them", async () => {
  const client = await t.signUp();
  await withBrowser(client);
  await since(client, MINUTE);
  await drafts(client, await channelOf(client), 0);
  expect(await due(client)).toBe(false);
});

test("a member is notified only of his own twins' drafts, and a viewer of none; marks for other twins do not stay due", async () => {
  const owner = await t.signUp();
  const { organizationId } = owner.caller;
  const member = await t.signUp({ role: "user", organizationId });
  const viewer = await t.signUp({ role: "viewer", organizationId });
  const stranger = await t.signUp();
  const browsers = new Map<TestClient, TestBrowser>();
  for (const client of [owner, member, viewer, stranger]) {
    browsers.set(client, (await withBrowser(client)).browser);
    await since(client, MINUTE);
  }
  await drafts(owner, await channelOf(owner), 20_000);
  for (const client of [owner, member, viewer]) await tell(client);
  expect([...browsers.values()].map(({ messages }) => messages.length)).toEqual([1, 0, 0, 0]);
  for (const client of [owner, member, viewer, stranger]) expect(await due(client)).toBe(false);
});

test("a channel that has stopped is reported once, and again after it had worked meanwhile", async () => {
  const client = await t.signUp();
  const { browser } = await withBrowser(client);
  const { integrationId } = await channelOf(client);
  const become = (status: "active" | "error") =>
    asTenant(t.services.db, tenantOf(client), (tx) =>
      tx.update(integrations).set({ status, statusReason: "Ключ отозван" }).where(eq(integrations.id, integrationId)),
    );
  for (const status of ["error", "error", "active", "error"] as const) {
    await become(status);
    await tell(client);
  }
  expect(browser.messages).toHaveLength(2);
  expect(browser.messages[0]).toMatchObject({
    title: "Канал остановился: Telegram",
    body: "Ключ отозван",
    url: `/integrations/${integrationId}`,
  });
});

test("what is switched off is not told of, and does not come later when it is switched on again", async () => {
  const client = await t.signUp();
  const { browser } = await withBrowser(client);
  const off = { draftsPush: false, draftsMail: false, troublePush: false, troubleMail: false };
  expect((await client.put(PATH, off)).statusCode).toBe(200);
  await since(client, MINUTE);
  await drafts(client, await channelOf(client), 20_000);
  expect(await due(client)).toBe(false);
  await tell(client);
  await client.put(PATH, { ...off, draftsPush: true });
  await tell(client);
  expect(browser.messages).toEqual([]);
});

test("a letter goes to a confirmed address alone, for what has waited ten minutes, and once an hour", async () => {
  const [client, unconfirmed] = [await t.signUp(), await t.signUp({ confirmed: false })];
  const addressOf = new Map<string, string | null>();
  for (const { userId } of [client.caller, unconfirmed.caller]) {
    const [user] = await t.services.db.select().from(users).where(eq(users.id, userId));
    addressOf.set(userId, user!.email);
  }
  const lettersTo = ({ caller }: TestClient) =>
    smtp.letters
      .filter(({ to }) => [to].flat()[0]?.text === addressOf.get(caller.userId))
      .map(({ subject }) => subject);
  const settings = { draftsPush: false, draftsMail: true, troublePush: false, troubleMail: false };
  for (const one of [client, unconfirmed]) {
    await asTenant(t.services.db, tenantOf(one), (tx) =>
      tx
        .insert(notificationSettings)
        .values({ orgId: one.caller.organizationId, userId: one.caller.userId, ...settings }),
    );
    await since(one, 60 * MINUTE);
    await drafts(one, await channelOf(one), 11 * MINUTE);
  }
  expect((await seen(client)).mailTo).not.toBeNull();
  expect((await seen(unconfirmed)).mailTo).toBeNull();
  const channel = await channelOf(client);
  for (const one of [client, unconfirmed]) await tell(one);
  expect(lettersTo(client)).toEqual(["Ждёт одобрения 1 ответ"]);
  expect(lettersTo(unconfirmed)).toEqual([]);
  await drafts(client, channel, 10.5 * MINUTE);
  expect(await due(client)).toBe(false);
  await tell(client);
  expect(lettersTo(client)).toHaveLength(1);
  await asTenant(t.services.db, tenantOf(client), (tx) =>
    tx.update(notificationSettings).set({ mailedAt: new Date(Date.now() - 61 * MINUTE) }),
  );
  expect(await due(client)).toBe(true);
  await tell(client);
  expect(lettersTo(client).at(-1)).toBe("Ждут одобрения 2 ответа");
  expect(smtp.letters.at(-1)!.text).toContain("/conversations?tab=approval");
});

test("a browser that has ended its subscription is forgotten; one whose service fails is kept", async () => {
  const client = await t.signUp();
  const [gone, failing] = [await withBrowser(client), await withBrowser(client)];
  gone.browser.answers = 410;
  failing.browser.answers = 503;
  await since(client, MINUTE);
  await drafts(client, await channelOf(client), 20_000);
  await tell(client);
  expect((await seen(client)).devices.map(({ id }) => id)).toEqual([failing.id]);
  const tried = await client.post(`${PATH}/devices/${failing.id}/test`);
  expect(tried.statusCode).toBe(502);
  failing.browser.answers = 201;
  expect((await client.post(`${PATH}/devices/${failing.id}/test`)).statusCode).toBe(200);
  expect(failing.browser.messages).toMatchObject([{ title: "Уведомления работают" }]);
});

test("signing out ends the messages to that browser; a session that merely expires does not", async () => {
  const { db } = t.services;
  const leaving = await t.signUp();
  await withBrowser(leaving);
  expect((await leaving.post("/api/auth/logout")).statusCode).toBeLessThan(300);
  expect(await db.select().from(pushDevices).where(eq(pushDevices.userId, leaving.caller.userId))).toEqual([]);

  const staying = await t.signUp();
  await withBrowser(staying);
  await db.delete(sessions).where(eq(sessions.userId, staying.caller.userId));
  const kept = await db.select().from(pushDevices).where(eq(pushDevices.userId, staying.caller.userId));
  expect(kept).toMatchObject([{ sessionId: null }]);
});

test("leaving everywhere ends the messages to every browser, except the one in which it was asked for", async () => {
  const client = await t.signUp();
  const { id } = await withBrowser(client);
  await t.services.db.insert(pushDevices).values({
    ...{ userId: client.caller.userId, endpoint: "https://fcm.googleapis.com/of-an-expired-session" },
    ...{ p256dh: Buffer.alloc(65), auth: Buffer.alloc(16) },
  });
  await client.post("/api/account/sessions/end", { current: false });
  expect((await seen(client)).devices).toMatchObject([{ id, current: true }]);
});

test("a member who signs in in the same browser gets the messages there, and the member before no longer does", async () => {
  const [before, after] = [await t.signUp(), await t.signUp()];
  const { browser } = await withBrowser(before);
  expect((await after.post(`${PATH}/devices`, browser.subscription)).statusCode).toBe(201);
  expect((await seen(before)).devices).toEqual([]);
  expect((await seen(after)).devices).toHaveLength(1);
});

test.each([
  ["an address that is no push service's", { endpoint: "https://example.com/push/1" }, "push_service_unknown"],
  ["an address inside our network", { endpoint: "http://169.254.169.254/push/1" }, "push_service_unknown"],
  [
    "a push service's name as a part of another",
    { endpoint: "https://fcm.googleapis.com.example.com/1" },
    "push_service_unknown",
  ],
  ["a port of one's own", { endpoint: "https://fcm.googleapis.com:8443/1" }, "push_service_unknown"],
  [
    "keys that are no point of the curve",
    { keys: { p256dh: Buffer.alloc(65, 4).toString("base64url"), auth: "AAAAAAAAAAAAAAAAAAAAAA" } },
    "invalid_input",
  ],
])("%s is refused", async (_what, changes, code) => {
  const client = await t.signUp();
  const browser = push.subscribe((await seen(client)).publicKey);
  const refused = await client.post(`${PATH}/devices`, { ...browser.subscription, ...changes });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().code).toBe(code);
  expect((await seen(client)).settings).toBeNull();
});

test("another user's browser can be neither removed nor written to", async () => {
  const [client, other] = [await t.signUp(), await t.signUp()];
  const { id } = await withBrowser(client);
  expect((await other.delete(`${PATH}/devices/${id}`)).statusCode).toBe(404);
  expect((await other.post(`${PATH}/devices/${id}/test`)).statusCode).toBe(404);
  expect((await client.delete(`${PATH}/devices/${id}`)).statusCode).toBe(204);
});

test("all processes of an installation sign with one key", async () => {
  const [one, other] = [await t.signUp(), await t.signUp()];
  const keys = await Promise.all([seen(one), seen(other), seen(one)]);
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
});

test("an account's deletion takes its browsers along", async () => {
  const client = await t.signUp();
  await withBrowser(client);
  await t.services.db.delete(users).where(eq(users.id, client.caller.userId));
  const left = await t.services.db.select().from(pushDevices).where(eq(pushDevices.userId, client.caller.userId));
  expect(left).toEqual([]);
});

test("an act that waits for the owner is reported, however long the customer took to confirm it", async () => {
  const ann = await t.signUp();
  const channel = await channelOf(ann);
  const { browser } = await withBrowser(ann);
  await since(ann, 3_600_000);
  const addAct = (values: Partial<typeof acts.$inferInsert>) =>
    asTenant(t.services.db, tenantOf(ann), async (tx) => {
      const { orgId, twinId } = channel;
      const contact = await buildContact(tx, { orgId, twinId });
      await tx.insert(acts).values({
        ...{ orgId, twinId, contactId: contact.id, title: "Запись", changes: true, arguments: [] },
        ...{ state: "waiting-owner", createdAt: new Date(Date.now() - 7_200_000), ...values },
      });
    });
  await addAct({ state: "waiting-customer" });
  expect(await due(ann)).toBe(false);
  await addAct({ waitsSince: new Date(Date.now() - 10_000) });
  await addAct({ waitsSince: new Date(Date.now() - 10_000) });
  expect(await due(ann)).toBe(true);
  await tell(ann);
  expect(browser.messages.map(({ title }) => title)).toEqual(["Ждут решения 2 действия"]);
  await drafts(ann, channel, 8_000);
  await tell(ann);
  expect(browser.messages.at(-1)).toMatchObject({ title: "Ждут решения: 1 ответ и 2 действия" });
  expect(await due(ann)).toBe(false);
});
