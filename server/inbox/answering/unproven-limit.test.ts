import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { connectTwin } from "#server/test/channels/channel-journey.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { UNPROVEN_LIMITS, unprovenObstacle } from "./unproven-limit.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { domainDay, domainHour, mailboxDay, mailboxHour } = UNPROVEN_LIMITS;

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => {
  await t?.close();
});

/** Creates a mailbox that has written once to each of a number of strangers, some time ago. */
async function mailbox() {
  const { integration } = await connectTwin(t, { platform: "email", apiKey: "app password" });
  const { db } = t.services;
  const [{ orgId, twinId } = { orgId: "", twinId: "" }] = await db
    .select()
    .from(integrations)
    .where(eq(integrations.id, integration.id));
  let written = 0;
  async function stranger(address: string) {
    const of = { orgId, twinId, platform: "email" };
    const [contact] = await db
      .insert(contacts)
      .values({ ...of, externalId: address, name: address })
      .returning();
    const [conversation] = await db
      .insert(conversations)
      .values({ ...of, contactId: contact!.id, integrationId: integration.id, participantName: address })
      .returning();
    return conversation!;
  }
  return {
    async hasWritten(count: number, domain: (at: number) => string, agoMs: number) {
      for (let at = 0; at < count; at++) {
        const { id: conversationId } = await stranger(`s${++written}@${domain(at)}`);
        const createdAt = new Date(Date.now() - agoMs);
        const place = { orgId, integrationId: integration.id, conversationId };
        await db.insert(outbox).values({
          ...place,
          question: "",
          text: "Да",
          secrecy: "organization",
          state: "sent",
          toUnproven: true,
          createdAt,
        });
      }
    },
    async obstacle(address: string) {
      const conversation = await stranger(address);
      return db.transaction((tx) => unprovenObstacle(tx, conversation));
    },
  };
}
const each = (at: number) => `domain${at}.test`;

test("one domain is written to so often in an hour and in a day, and others still are", async () => {
  const box = await mailbox();
  await box.hasWritten(domainHour - 1, () => "victim.test", MINUTE);
  expect(await box.obstacle("a@victim.test")).toBeNull();
  await box.hasWritten(1, () => "victim.test", MINUTE);
  expect(await box.obstacle("b@victim.test")).toMatch(/домена/);
  expect(await box.obstacle("b@other.test")).toBeNull();
  const slow = await mailbox();
  await slow.hasWritten(domainDay - 1, () => "victim.test", 2 * HOUR);
  expect(await slow.obstacle("a@victim.test")).toBeNull();
  await slow.hasWritten(1, () => "victim.test", 2 * HOUR);
  expect(await slow.obstacle("b@victim.test")).toMatch(/домена/);
});

test("a mailbox writes to so many strangers in an hour and in a day, whatever their domains", async () => {
  const box = await mailbox();
  await box.hasWritten(mailboxHour - 1, each, MINUTE);
  expect(await box.obstacle("a@other.test")).toBeNull();
  await box.hasWritten(1, each, MINUTE);
  expect(await box.obstacle("b@other.test")).toMatch(/новых отправителей/);
  const slow = await mailbox();
  await slow.hasWritten(mailboxDay, each, 2 * HOUR);
  expect(await slow.obstacle("a@other.test")).toMatch(/новых отправителей/);
  const yesterday = await mailbox();
  await yesterday.hasWritten(mailboxDay, each, 25 * HOUR);
  expect(await yesterday.obstacle("a@other.test")).toBeNull();
});
