/** A send that broke off after some of its parts goes on with the next part, whatever has happened in the conversation meanwhile. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportedOf } from "#server/inbox/channels/telegram/update.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { drafted, WAIT } from "#server/test/channels/channel-journey.ts";
import { receivingIntegration } from "#server/test/channels/received.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let telegram: TelegramServer;
let t: TestApp;
beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root });
});
afterAll(async () => {
  await t.close();
  await telegram.close();
});

test("no message of several is skipped when the notice has been sent by another answer between two attempts", async () => {
  const one = await receivingIntegration(t, "telegram", "draft");
  const { db, jobs } = t.services;
  const from = { id: 8, is_bot: false, first_name: "Борис" };
  const message = { message_id: 5, date: 1_795_000_000, from, chat: { id: 8, type: "private" }, text: "Привет!" };
  await one.receive(reportedOf({ update_id: 9, message })!);
  const [draft] = await drafted(one.ann);
  const several = { text: "Да, есть.\n\nЗаберёте сегодня?", citations: { parted: true } };
  await db.update(outbox).set(several).where(eq(outbox.id, draft!.id));
  // The notice arrives, the first message does not.
  telegram.script({ kind: "slow", ms: 0 }, { kind: "rate-limited", retryAfter: 1 });
  await one.ann.post(`/api/approvals/${draft!.id}/approve`, {});
  const row = async () => (await db.select().from(outbox).where(eq(outbox.id, draft!.id)))[0]!;
  await expect.poll(async () => (await row()).attempts, WAIT).toBe(1);
  await expect.poll(async () => (await row()).state, WAIT).toBe("pending");
  expect(telegram.sent.map(({ text }) => text)).toEqual([expect.stringContaining("ИИ")]);

  const { conversationId } = await row();
  await db.update(conversations).set({ disclosedAt: new Date() }).where(eq(conversations.id, conversationId));
  await db.update(outbox).set({ nextAttemptAt: new Date() }).where(eq(outbox.id, draft!.id));
  await asTenant(db, one.ann.caller, (tx) => jobs.enqueue(tx, "send-outbox", { ...one.ann.caller, conversationId }));
  await expect.poll(async () => (await row()).state, WAIT).toBe("sent");
  expect(telegram.sent.map(({ text }) => text).slice(1)).toEqual(["Да, есть.", "Заберёте сегодня?"]);
});
