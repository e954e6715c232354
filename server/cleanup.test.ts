import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLink } from "./accounts/auth/one-time-links.ts";
import { cleanUp } from "./cleanup.ts";
import { asTenant } from "./platform/db/database.ts";
import { oneTimeLinks, sessions } from "./platform/db/schema/accounts.ts";
import { ownerChats, telegramLogins } from "./platform/db/schema/channels.ts";
import { inboxEvents, outbox } from "./platform/db/schema/conversations.ts";
import { imports } from "./platform/db/schema/imports.ts";
import { activity } from "./platform/db/schema/operations.ts";
import { ownerNotices } from "./platform/db/schema/owner-notices.ts";
import { idempotencyKeys } from "./platform/db/schema/platform.ts";
import { apiKeyUsage } from "./platform/db/schema/programs.ts";
import { ROWS_AT_ONCE } from "./platform/db-upkeep/delete-old.ts";
import { makeThings } from "./test/endpoints/make-things.ts";
import { type TestApp, type TestClient, testApp } from "./test/test-app.ts";

const DAY = 24 * 3600_000;
const twin = {
  name: "Пётр",
  description: "Отвечает как я сам",
  personality: "Спокойный, точный и немного ироничный",
  communicationStyle: "Коротко и по делу",
  knowledgeArea: "Мебель",
};

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const keyedTwin = (client: TestClient, key: string) =>
  client.inject({
    method: "POST",
    url: "/api/digital-twins",
    headers: { "idempotency-key": key },
    payload: twin,
  });

async function held(client: TestClient) {
  const { db } = t.services;
  const { userId } = client.caller;
  const kept = await asTenant(db, client.caller, async (tx) => ({
    keys: (await tx.select().from(idempotencyKeys)).length,
    activity: (await tx.select().from(activity)).length,
  }));
  return {
    ...kept,
    sessions: (await db.select().from(sessions).where(eq(sessions.userId, userId))).length,
    links: (await db.select().from(oneTimeLinks).where(eq(oneTimeLinks.userId, userId))).length,
  };
}

test("sessions, links, stored responses and old activity are deleted when they expire, and what is in use stays", async () => {
  const ann = await t.signUp();
  const bob = await t.signUp();
  await createLink(t.services.db, ann.caller.userId, "confirm-email");
  await keyedTwin(ann, "one");
  await keyedTwin(bob, "one");
  await cleanUp(t.services);
  expect(await held(ann)).toEqual({ keys: 1, activity: 1, sessions: 1, links: 1 });

  await cleanUp(t.services, Date.now() + 2 * DAY);
  expect(await held(ann)).toEqual({ keys: 0, activity: 1, sessions: 0, links: 0 });
  expect(await held(bob)).toEqual({ keys: 0, activity: 1, sessions: 0, links: 0 });

  await cleanUp(t.services, Date.now() + 91 * DAY);
  expect(await held(ann)).toMatchObject({ activity: 0 });
  expect(await held(bob)).toMatchObject({ activity: 0 });
});

test("an uploaded export that was never started is deleted after a week with its file and names", async () => {
  const ann = await t.signUp();
  const twinId = (await keyedTwin(ann, "two")).json<{ id: string }>().id;
  const form = new FormData();
  form.append("digitalTwinId", twinId);
  const message = { id: 1, type: "message", date: "2023-11-14T22:13:20", from: "Анна", from_id: "user7", text: "Да" };
  const chat = { name: "Анна", type: "personal_chat", id: 7, messages: [message] };
  form.append("file", new Blob([JSON.stringify(chat)]), "result.json");
  const encoded = new Response(form);
  const answer = await ann.inject({
    method: "POST",
    url: "/api/imports",
    headers: { "content-type": encoded.headers.get("content-type")! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  const { id } = answer.json<{ id: string }>();
  await t.jobsIdle();
  const uploads = () => readdir(join(t.services.config.dataDir, "uploads"));
  const row = () =>
    asTenant(t.services.db, ann.caller, async (tx) => (await tx.select().from(imports).where(eq(imports.id, id)))[0]);

  await cleanUp(t.services, Date.now() + 6 * DAY);
  expect(await row()).toMatchObject({ status: "preview" });
  expect(await uploads()).toHaveLength(1);

  await cleanUp(t.services, Date.now() + 8 * DAY);
  expect(await row()).toMatchObject({ status: "cancelled", preview: null, storedName: null });
  expect(await uploads()).toEqual([]);
});

test("what platforms delivered, cards of drafts, days of keys and logins go when they have had their time, and what waits stays", async () => {
  const ann = await t.signUp();
  const { organizationId: orgId, userId } = ann.caller;
  const { integrationId, approvalId, keyId, twinId } = await makeThings(t, ann);
  const { db } = t.services;
  const event = (eventId: string, status: "pending" | "done" | "ignored" | "failed") => ({
    ...{ orgId, integrationId, eventId, conversationKey: eventId, position: 1, status },
  });
  await asTenant(db, ann.caller, async (tx) => {
    await tx.delete(inboxEvents);
    await tx
      .insert(inboxEvents)
      .values([event("1", "pending"), event("2", "done"), event("3", "ignored"), event("4", "failed")]);
    const many = Array.from({ length: ROWS_AT_ONCE + 10 }, (_, at) => event(`many ${at}`, "done"));
    for (let at = 0; at < many.length; at += 500) await tx.insert(inboxEvents).values(many.slice(at, at + 500));
    const [chat] = await tx.insert(ownerChats).values({ orgId, integrationId, userId, chatId: "5" }).returning();
    const closedAt = new Date();
    const [draft] = await tx.select().from(outbox).where(eq(outbox.id, approvalId));
    expect(draft).toMatchObject({ state: "draft" });
    await tx.insert(ownerNotices).values([
      { orgId, ownerChatId: chat!.id, outboxId: approvalId, closedAt },
      { orgId, ownerChatId: chat!.id, closedAt },
      { orgId, ownerChatId: chat!.id },
    ]);
    await tx.delete(apiKeyUsage);
    await tx.insert(apiKeyUsage).values([
      { orgId, keyId, day: "2020-01-01" },
      { orgId, keyId, day: new Date().toISOString().slice(0, 10) },
    ]);
    await tx.insert(telegramLogins).values({ orgId, twinId, userId, state: Buffer.from([1]) });
  });
  const left = () =>
    asTenant(db, ann.caller, async (tx) => ({
      events: (await tx.select().from(inboxEvents)).length,
      notices: (await tx.select().from(ownerNotices)).map(({ outboxId, closedAt }) => [outboxId, closedAt === null]),
      days: (await tx.select().from(apiKeyUsage)).length,
      logins: (await tx.select().from(telegramLogins)).length,
    }));
  await cleanUp(t.services, Date.now() + 3600_000);
  expect(await left()).toMatchObject({ events: ROWS_AT_ONCE + 14, days: 1, logins: 1 });
  expect((await left()).notices).toHaveLength(3);
  await cleanUp(t.services, Date.now() + 31 * DAY);
  const after = await left();
  expect(after).toMatchObject({ events: 1, days: 1, logins: 0 });
  // Without the card of a waiting draft, its owner would be notified again.
  expect(after.notices).toEqual(
    expect.arrayContaining([
      [approvalId, false],
      [null, true],
    ]),
  );
  expect(after.notices).toHaveLength(2);
});
