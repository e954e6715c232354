/** A twin is deleted at every moment of a reply: once the deletion has returned, nothing is sent and no data is left. */
import { randomUUID } from "node:crypto";
import { setImmediate as tick } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processInbox } from "#server/inbox/answering/process-inbox.ts";
import { sealCredentials } from "#server/inbox/channels/credentials.ts";
import { sendOutbox } from "#server/inbox/outbox/outbox.ts";
import { outsideTransactions } from "#server/platform/db/connection-guard.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const TWINS = 10;
/** Replies per twin, each in its own conversation: two hundred in all. */
const REPLIES = 20;

let telegram: TelegramServer;
let t: TestApp;
beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root });
  // Only jobs that the test starts may run.
  await t.services.jobs.stop(2000);
});
afterAll(async () => {
  await t.close();
  await telegram.close();
});

type Place = Awaited<ReturnType<typeof replying>>[number];

let bots = 0;
/** Creates twins with answers that wait to be sent; the first conversation of each also has a message to answer. */
async function replying(orgId: string, ownerId: string) {
  const { db, vault } = t.services;
  const { knowledgeArea: _, ...fields } = TWIN;
  const made = await db
    .insert(twins)
    .values(Array.from({ length: TWINS }, () => ({ ...fields, orgId, ownerId })))
    .returning({ id: twins.id });
  const places = made.map(({ id: twinId }) => ({
    orgId,
    twinId,
    integrationId: randomUUID(),
    token: `${++bots}:x`,
  }));
  const credentials = (token: string) => ({ platform: "telegram", botToken: token, user: null }) as const;
  await db.insert(integrations).values(
    places.map(({ twinId, integrationId: id, token }) => ({
      ...{ id, orgId, twinId, platform: "telegram" as const, autonomy: "auto" as const },
      credentials: sealCredentials(vault, { id, orgId }, credentials(token)),
    })),
  );
  const who = { platform: "telegram", participantName: "Иван", name: "Иван" };
  const talking = places.flatMap(({ token: _, ...place }) =>
    Array.from({ length: REPLIES }, (_, n) => ({ ...place, ...who, externalId: String(n + 1) })),
  );
  const people = await db.insert(contacts).values(talking).returning({ id: contacts.id });
  const talks = await db
    .insert(conversations)
    .values(talking.map((talk, n) => ({ ...talk, contactId: people[n]!.id })))
    .returning();
  const answer = {
    ...{ question: "Вы тут?", text: "Да", secrecy: "organization" as const },
    ...{ state: "pending" as const, confidence: 1 },
  };
  await db
    .insert(outbox)
    .values(
      talks.map(({ id, integrationId }) => ({ ...answer, orgId, integrationId: integrationId!, conversationId: id })),
    );
  const [at, long] = [new Date().toISOString(), new Date(Date.now() - 60_000)];
  const event = { eventId: "1", conversation: "1", position: 1, text: "Привет!", attachments: [], automated: false };
  await db.insert(inboxEvents).values(
    places.map(({ integrationId }) => ({
      ...{ orgId, integrationId, eventId: "1", conversationKey: "1", position: 1, receivedAt: long },
      inbound: { ...event, peer: { id: "1", name: "Иван" }, sentAt: at },
    })),
  );
  return places.map((place) => ({ ...place, talks: talks.filter(({ twinId }) => twinId === place.twinId) }));
}

test("once the deletion of a replying twin is answered, nothing more is sent and nothing of it is left", async () => {
  const owner = await t.signUp();
  const { organizationId, userId } = owner.caller;
  const signal = new AbortController().signal;
  const sentBy = (token: string) => telegram.sent.filter((sent) => sent.token === token).length;
  const ledger: { token: string; sent: number }[] = [];
  for (const [n, { twinId, integrationId, token, talks }] of (await replying(organizationId, userId)).entries()) {
    let over = false;
    const replies = talks.map(async ({ id: conversationId, externalId }, place) => {
      const job = { organizationId, userId, integrationId, conversationId, conversationKey: externalId! };
      if (place === 0) await processInbox(t.services, job, signal);
      await sendOutbox(t.services, job, signal);
    });
    const replied = Promise.all(replies).finally(() => {
      over = true;
    });
    // Deletes before the first answer has arrived or after a later one, with a small extra delay.
    while (!over && sentBy(token) < n % 4) await tick();
    for (let turns = n * 3; turns > 0; turns--) await tick();
    expect((await owner.delete(`/api/digital-twins/${twinId}`)).statusCode).toBe(204);
    ledger.push({ token, sent: sentBy(token) });
    await replied;
  }
  expect(ledger.map(({ token }) => ({ token, sent: sentBy(token) }))).toEqual(ledger);
  const { rows } = await t.services.db.execute(sql`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'org_id'`);
  const kept = ["memberships", "sessions", "audit_log"];
  for (const { name } of (rows as { name: string }[]).filter(({ name }) => !kept.includes(name))) {
    const left = await t.services.db.execute(
      sql`select count(*)::int as total from ${sql.identifier(name)} where org_id = ${organizationId}`,
    );
    expect({ name, ...left.rows[0] }).toEqual({ name, total: 0 });
  }
});

test("a deletion of twin, integration, contact or conversation ends a long answer on its way before it is answered", async () => {
  const owner = await t.signUp();
  const { organizationId, userId } = owner.caller;
  const signal = new AbortController().signal;
  const places = (await replying(organizationId, userId)).slice(0, 4);
  // Telegram accepts one message a second for ten seconds, and never responds for two of the contacts.
  const text = Array.from({ length: 4000 }, (_, place) => `Слово${place}`).join(" ");
  const before = telegram.sends;
  const replies: Promise<void>[] = [];
  for (const [n, { talks }] of places.entries()) {
    const { id: conversationId } = talks[0]!;
    await t.services.db.update(outbox).set({ text }).where(eq(outbox.conversationId, conversationId));
    if (n > 1) telegram.script({ kind: "hang" });
    replies.push(sendOutbox(t.services, { organizationId, userId, conversationId }, signal));
    await expect.poll(() => telegram.sends, { interval: 5 }).toBe(before + n + 1);
  }
  const [twin, bot, contact, talk] = places as [Place, Place, Place, Place];
  const deleted = await Promise.all([
    owner.delete(`/api/digital-twins/${twin.twinId}`),
    owner.delete(`/api/integrations/${bot.integrationId}`),
    owner.delete(`/api/conversations/${contact.talks[0]!.id}/contact`),
    owner.delete(`/api/conversations/${talk.talks[0]!.id}`),
  ]);
  expect(deleted.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204, 204]);
  const sent = telegram.sends;
  await tick();
  expect(telegram.hanging).toBe(0);
  await Promise.all(replies);
  expect(telegram.sends).toBe(sent);
  // The twin's other contacts still get answers.
  const { id: conversationId } = talk.talks[1]!;
  await sendOutbox(t.services, { organizationId, userId, conversationId }, signal);
  const next = telegram.sent.filter(({ token, chatId }) => token === talk.token && chatId === "2");
  expect(next).toMatchObject([{ text: expect.stringMatching(/Да$/) }]);
});

test("forgetting a contact waits for a sender before it locks what the sender needs next", async ({ skip }) => {
  if (t.services.database.kind === "embedded") return skip("needs two connections");
  const { db } = t.services;
  const owner = await t.signUp();
  const [place] = (await replying(owner.caller.organizationId, owner.caller.userId)) as [Place];
  const { id } = place.talks[0]!;
  const waiting = async () => {
    const { rows } = await db.execute(sql`select count(*)::int as total from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return rows[0]!.total;
  };
  const forgotten = await db.transaction(async (tx) => {
    await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, place.twinId)).for("share");
    // The request and the lock inspection need connections outside the test's transaction.
    const answer = outsideTransactions(() => owner.delete(`/api/conversations/${id}/contact`));
    await expect.poll(() => outsideTransactions(waiting), { interval: 10 }).toBe(1);
    await tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.id, id)).for("share");
    return { answer };
  });
  expect((await forgotten.answer).statusCode).toBe(204);
});
