import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { KnowledgeUses } from "#contract/knowledge/knowledge-uses.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversationMessages, type conversations } from "#server/platform/db/schema/conversations.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { knowledgeUses } from "./knowledge-uses.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const day = 24 * 3600_000;
const source = (documentId: string, text = "Доставка 350 рублей") => ({ documentId, name: "Доставка", text });

async function talkOf(client: TestClient, twinId: string, changes: Partial<typeof conversations.$inferInsert> = {}) {
  const place = { orgId: client.caller.organizationId, twinId };
  const { id } = await asTenant(t.services.db, client.caller, (tx) => buildConversation(tx, place, changes));
  const says = (sources: object[], { ago = 0, basis = "knowledge" } = {}) =>
    asTenant(t.services.db, client.caller, (tx) =>
      tx.insert(conversationMessages).values({
        orgId: place.orgId,
        conversationId: id,
        role: "assistant",
        content: "Доставка стоит 350 рублей",
        secrecy: "organization",
        citations: { sources, replyExamples: [], confidence: 1, basis, reason: "" },
        createdAt: new Date(Date.now() - ago),
      }),
    );
  return { id, says };
}

const usesFor = async (client: TestClient) => (await client.get("/api/knowledge/uses")).json<KnowledgeUses>();

test("answers of the last 30 days are counted by what they stood on, with the conversation of the last", async () => {
  const owner = await t.signUp();
  const twinId = await buildTwin(owner);
  const [prices, hours] = [randomUUID(), randomUUID()];
  const first = await talkOf(owner, twinId);
  const second = await talkOf(owner, twinId);
  await first.says([source(prices), source(prices, "Ещё место"), source(hours)]);
  await second.says([source(prices)]);
  await second.says([source("", "Работаем с 10 до 20")], { basis: "corrected" });
  await first.says([source(hours)], { ago: 31 * day });
  // A source that was only the nearest does not count as used.
  await first.says([source(hours)], { basis: "unknown" });
  const { uses, atLeast } = await usesFor(owner);
  expect(atLeast).toBe(false);
  expect(uses.toSorted((one, other) => other.answers - one.answers)).toMatchObject([
    { documentId: prices, fact: null, answers: 2, last: { conversationId: second.id } },
    expect.objectContaining({ answers: 1 }),
    expect.objectContaining({ answers: 1 }),
  ]);
  expect(uses.find(({ fact }) => fact !== null)).toMatchObject({ documentId: null, fact: "Работаем с 10 до 20" });
  expect(Date.now() - Date.parse(uses[0]!.last.at)).toBeLessThan(day);
});

test("another member's test chat and another organisation's use are not counted", async () => {
  const owner = await t.signUp();
  const { organizationId } = owner.caller;
  const colleague = await t.signUp({ role: "org_admin", organizationId });
  const twinId = await buildTwin(owner);
  const own = await talkOf(owner, twinId, { platform: "test", userId: owner.caller.userId });
  await own.says([source(randomUUID())]);
  expect((await usesFor(owner)).uses).toHaveLength(1);
  expect((await usesFor(colleague)).uses).toEqual([]);
  expect((await usesFor(await t.signUp())).uses).toEqual([]);
});

test("of more conversations than are looked at the count says that it is the least", async () => {
  const owner = await t.signUp();
  const twinId = await buildTwin(owner);
  const document = randomUUID();
  for (let n = 0; n < 3; n++) await (await talkOf(owner, twinId)).says([source(document)]);
  const { uses, atLeast } = await knowledgeUses(t.services.db, owner.caller, 2);
  expect([uses[0]?.answers, atLeast]).toEqual([2, true]);
});
