/** One message of each kind, of each platform, is received; the lines of its conversation are counted. */
import { and, asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conversationMessages, conversations, inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { PLATFORM_SAMPLES, sampleOf } from "#server/test/channels/content-samples.ts";
import { receivingIntegration } from "#server/test/channels/received.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test.each(PLATFORM_SAMPLES.map((of) => [of.name, of] as const))("%s", async (_, of) => {
  const { db } = t.services;
  // Nothing is answered, so that the conversation holds what was received alone.
  const { id, receive } = await receivingIntegration(t, of.platform as "vk", "off");
  const kinds = [...Object.keys(of.kinds), "of a kind that nobody knows"];
  const contents = kinds.map((kind) => (kind in of.kinds ? sampleOf(of, kind) : of.unknown));
  const reported = contents.map((content, at) => of.read(content, at + 1)).filter((each) => each !== undefined);
  // Deliveries are repeated, and each counts once.
  for (const _again of [1, 2]) await receive(...reported);
  const lines = () =>
    db
      .select({ content: conversationMessages.content, kept: inboxEvents.inbound })
      .from(conversationMessages)
      .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
      .innerJoin(inboxEvents, eq(inboxEvents.messageId, conversationMessages.id))
      .where(and(eq(conversations.integrationId, id), eq(conversationMessages.role, "user")))
      .orderBy(asc(conversationMessages.id));
  await expect.poll(async () => (await lines()).length, { timeout: 30_000, interval: 100 }).toBe(reported.length);
  const told = await lines();
  const notSilent = kinds.filter((kind) => of.kinds[kind]?.fate !== "silent");
  expect(told.length).toBeGreaterThanOrEqual(notSilent.length);
  for (const { content } of told) expect(content.trim()).not.toBe("");
  const unread = told.filter(({ content }) => content.startsWith("[Сообщение, которого двойник не читает: "));
  expect(unread.length).toBe(Object.values(of.kinds).filter(({ fate }) => fate === "unread").length + 1);
  if (of.name.includes("аккаунт")) return;
  for (const { kept } of unread) expect(kept).toHaveProperty("original");
});
