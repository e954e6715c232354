import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Asked } from "#contract/report.ts";
import { countAnswer } from "#server/accounts/twins/usage.ts";
import { asTenant } from "#server/platform/db/database.ts";
import {
  conversationMessages,
  type conversations,
  gapQuestions,
  gaps,
} from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { buildContact, buildConversation } from "#server/test/factories/build-rows.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const DAY_MS = 24 * 3600_000;
const asked = async (client: TestClient, query = "") => {
  const answer = await client.get(`/api/analytics/asked${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Asked>();
};
const inTenant = <T>(client: TestClient, does: Parameters<typeof asTenant<T>>[2]) =>
  asTenant(t.services.db, client.caller, does);

/** Creates a customer's conversation, or with `userId` a member's test chat, in which the twin answered from these documents. */
function talkFrom(
  client: TestClient,
  twinId: string,
  documents: readonly string[],
  { ago = 0, ...changes }: Partial<typeof conversations.$inferInsert> & { ago?: number } = {},
) {
  const orgId = client.caller.organizationId;
  return inTenant(client, async (tx) => {
    const { id: conversationId } = await buildConversation(tx, { orgId, twinId }, changes);
    await tx.insert(conversationMessages).values(
      documents.map((documentId) => ({
        ...{ orgId, conversationId, role: "assistant" as const, content: "Да", secrecy: "organization" as const },
        citations: { sources: [{ documentId, name: "…", text: "…" }], basis: "knowledge" },
        createdAt: new Date(Date.now() - ago * DAY_MS),
      })),
    );
  });
}

/** Makes the twin answer a customer, so that test chats no longer count. */
const answersCustomer = (client: TestClient, twinId: string) =>
  inTenant(client, (tx) =>
    countAnswer(tx, client.caller, twinId, { question: "?", conversationId: null, confidence: 1, durationMs: 1 }),
  );

function leftOpen(
  client: TestClient,
  twinId: string,
  question: string,
  { people = 1, ago = 0, state = "open" as "open" | "answered" | "ignored", userId = null as string | null } = {},
) {
  const orgId = client.caller.organizationId;
  return inTenant(client, async (tx) => {
    const decided = state === "answered" ? { answeredBy: "owner" as const } : {};
    const ignored = state === "ignored" ? { ignoredAs: "no_answer" as const } : {};
    const [gap] = await tx
      .insert(gaps)
      .values({ orgId, twinId, state, ...decided, ...ignored })
      .returning({ id: gaps.id });
    for (let person = 0; person < people; person++) {
      const who =
        userId === null
          ? { contactId: (await buildContact(tx, { orgId, twinId }, { name: "Вениамин" })).id }
          : { userId, platform: "test" };
      const { id: conversationId } = await buildConversation(tx, { orgId, twinId }, who);
      const said = {
        orgId,
        conversationId,
        role: "user" as const,
        content: question,
        secrecy: "organization" as const,
      };
      const [message] = await tx.insert(conversationMessages).values(said).returning({ id: conversationMessages.id });
      await tx.insert(gapQuestions).values({
        ...{ orgId, twinId, conversationId, gapId: gap!.id, messageId: message!.id, said: question, question },
        askedAt: new Date(Date.now() - ago * DAY_MS),
      });
    }
    return gap!.id;
  });
}

test("the documents that answers stood on are counted in the period, without test chats and what is another's", async () => {
  const [ann, eve] = [await t.signUp(), await t.signUp()];
  const twinId = await buildTwin(ann);
  const delivery = await buildDocument(ann, twinId, "Доставка 350 рублей. ".repeat(5), { name: "Доставка" });
  const returns = await buildDocument(ann, twinId, "Возврат 14 дней. ".repeat(5), { name: "Возврат" });
  const userId = ann.caller.userId;
  await ann.post("/api/ai-generate", { twinId, message: "Привет!" });
  await talkFrom(ann, twinId, [returns], { userId, platform: "test" });
  // Test chats count until a customer has written.
  expect((await asked(ann)).documents).toEqual([{ id: returns, name: "Возврат", answers: 1 }]);
  await answersCustomer(ann, twinId);
  expect((await asked(ann)).documents).toEqual([]);
  await talkFrom(ann, twinId, [delivery, delivery, returns]);
  await talkFrom(ann, twinId, [delivery], { ago: 8 });
  await talkFrom(ann, twinId, [randomUUID()]);
  const counted = [
    { id: delivery, name: "Доставка", answers: 2 },
    { id: returns, name: "Возврат", answers: 1 },
  ];
  expect((await asked(ann)).documents).toEqual(counted);
  expect((await asked(ann, "?days=30")).documents[0]).toMatchObject({ id: delivery, answers: 3 });
  expect((await asked(ann, `?twinId=${twinId}`)).documents).toEqual(counted);
  expect((await asked(ann, `?twinId=${randomUUID()}`)).documents).toEqual([]);
  expect(await asked(eve)).toEqual({ documents: [], unanswered: { total: 0, first: [] } });
});

test("unanswered questions are listed only for the twin's owner, open ones first and by the number of people", async () => {
  const owner = await t.signUp();
  const { organizationId, userId } = owner.caller;
  const twinId = await buildTwin(owner, { name: "Анна" });
  await answersCustomer(owner, twinId);
  const once = await leftOpen(owner, twinId, "Сдаёте кофемашину?", { ago: 2 });
  const often = await leftOpen(owner, twinId, "Есть гравировка, как у Вениамина?", { people: 3 });
  const known = await leftOpen(owner, twinId, "Есть мастер-классы?", { people: 5, state: "answered" });
  const old = await leftOpen(owner, twinId, "Работаете в новый год?", { ago: 10 });
  await leftOpen(owner, twinId, "Ну и ладно?", { people: 9, state: "ignored" });
  await leftOpen(owner, twinId, "Что умеешь?", { people: 9, userId });
  const { unanswered } = await asked(owner);
  expect(unanswered.total).toBe(3);
  const row = { twinId, twinName: "Анна" };
  expect(unanswered.first).toEqual([
    { ...row, gapId: often, question: "Есть гравировка, как у [имя]?", people: 3, answered: false, known: false },
    { ...row, gapId: once, question: "Сдаёте кофемашину?", people: 1, answered: false, known: false },
    { ...row, gapId: known, question: "Есть мастер-классы?", people: 5, answered: true, known: false },
  ]);
  // The gap closes only after each question was asked again and answered.
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.update(gapQuestions).set({ answered: true }).where(eq(gapQuestions.gapId, known)),
  );
  expect((await asked(owner)).unanswered.first.at(-1)).toMatchObject({ gapId: known, known: true });
  expect((await asked(owner, "?days=30")).unanswered.first.map(({ gapId }) => gapId)).toContain(old);
  expect((await asked(owner, `?twinId=${randomUUID()}`)).unanswered.total).toBe(0);
  for (const other of [await t.signUp({ role: "user", organizationId }), await t.signUp()]) {
    expect((await asked(other)).unanswered).toEqual({ total: 0, first: [] });
  }
});

test("contacts who are one person have asked once", async () => {
  const owner = await t.signUp();
  const twinId = await buildTwin(owner);
  await answersCustomer(owner, twinId);
  const gapId = await leftOpen(owner, twinId, "Сдаёте кофемашину?", { people: 3 });
  const people = async () => (await asked(owner)).unanswered.first.map((row) => [row.gapId, row.people]);
  expect(await people()).toEqual([[gapId, 3]]);
  await inTenant(owner, (tx) => tx.update(contacts).set({ personId: randomUUID() }).where(eq(contacts.twinId, twinId)));
  expect(await people()).toEqual([[gapId, 1]]);
});

test("what is asked in other words in the owner's own test chat counts until a customer has been answered", async () => {
  const owner = await t.signUp();
  const { userId } = owner.caller;
  const twinId = await buildTwin(owner);
  await owner.post("/api/ai-generate", { twinId, message: "Привет!" });
  const gapId = await leftOpen(owner, twinId, "Что умеешь?", { userId });
  expect((await asked(owner)).unanswered.first).toMatchObject([{ gapId, people: 1 }]);
  await inTenant(owner, (tx) =>
    tx.update(gapQuestions).set({ askedAt: sql`now() - interval '9 days'` }).where(eq(gapQuestions.gapId, gapId)),
  );
  expect((await asked(owner)).unanswered.total).toBe(0);
});
