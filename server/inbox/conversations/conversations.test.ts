import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatMessage, Conversation, Reply } from "#contract/conversations/conversations.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, conversations, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const ask = async (client: TestClient, twinId: string, message: string, more: object = {}): Promise<Reply> => {
  const answer = await client.post("/api/ai-generate", { twinId, message, ...more });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const listed = async (client: TestClient, query = ""): Promise<Conversation[]> => {
  const answer = await client.get(`/api/conversations${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const transcript = async (client: TestClient, id: string): Promise<ChatMessage[]> =>
  (await client.get(`/api/conversations/${id}/messages`)).json();
const opened = async (client: TestClient, twinId: string): Promise<Conversation> =>
  (await client.post("/api/conversations", { twinId })).json();

/** Inserts rows like those that channels or years of chatting produce. */
async function fill(
  client: TestClient,
  twinId: string,
  rows: number,
  more: Partial<typeof conversations.$inferInsert>,
) {
  const { organizationId: orgId, userId } = client.caller;
  await asTenant(t.services.db, client.caller, (tx) =>
    tx.insert(conversations).values(
      Array.from({ length: rows }, (_, place) => ({
        orgId,
        twinId,
        userId,
        participantName: `Собеседник ${place}`,
        messageCount: 2,
        ...more,
      })),
    ),
  );
}

describe("a new conversation", () => {
  test("is a test chat of its member and continues where it was opened", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const made = await ann.post("/api/conversations", { twinId });
    expect(made.statusCode).toBe(201);
    const talk = made.json() as Conversation;
    expect(talk).toMatchObject({ twinId, platform: "test", messageCount: 0, lastMessage: null });
    expect(talk.participants).toEqual({ name: "Тестовый чат", status: "active" });
    const reply = await ask(ann, twinId, "Привет!", { conversationId: talk.id });
    expect(reply.conversationId).toBe(talk.id);
    expect(await listed(ann)).toMatchObject([{ id: talk.id, messageCount: 2, lastMessage: reply.response }]);
    // The chat is named after its first question; otherwise several chats would look the same.
    await ask(ann, twinId, "Сколько стоит доставка?", { conversationId: talk.id });
    expect((await listed(ann))[0]!.participants.name).toBe("Привет!");
  });

  test("is not opened twice: one that is still empty is returned again", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const first = await opened(ann, twinId);
    expect((await opened(ann, twinId)).id).toBe(first.id);
    await ask(ann, twinId, "Привет!", { conversationId: first.id });
    expect((await opened(ann, twinId)).id).not.toBe(first.id);
    expect(await listed(ann)).toHaveLength(2);
  });
});

describe("the list", () => {
  test("is read page by page, every conversation once and newest first, even if several have the same time", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await fill(ann, twinId, 60, { updatedAt: new Date("2026-11-01T10:00:00Z") });
    await fill(ann, twinId, 60, { updatedAt: new Date("2026-11-02T10:00:00Z") });
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.execute(sql`update conversations set updated_at = updated_at + interval '3 microseconds' * message_count
        where twin_id = ${twinId} and participant_name like '%5'`),
    );
    const seen: Conversation[] = [];
    for (let page = await listed(ann); page.length > 0; ) {
      expect(page.length).toBeLessThanOrEqual(50);
      seen.push(...page);
      page = await listed(ann, `?before=${page.at(-1)!.cursor}`);
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(120);
    expect(seen.map(({ cursor }) => cursor)).toEqual(
      seen
        .map(({ cursor }) => cursor)
        .toSorted()
        .reverse(),
    );
    expect((await ann.get("/api/conversations/totals")).json()).toEqual({
      conversations: 120,
      active: 120,
      messages: 240,
      unread: 0,
    });
  });

  test("filters by name, last words, status, platform and twin; case does not matter, % and _ are letters", async () => {
    const ann = await t.signUp();
    const [anna, oleg] = [await buildTwin(ann, { name: "Анна" }), await buildTwin(ann, { name: "Олег" })];
    await fill(ann, anna, 1, { participantName: "Мария Ёлкина", status: "closed", platform: "email" });
    await fill(ann, anna, 1, { participantName: "100% скидка", lastMessage: "До встречи в КАЗАНИ", platform: "email" });
    await fill(ann, oleg, 1, { participantName: "Пётр", platform: "telegram" });
    const names = async (query: string) => (await listed(ann, query)).map(({ participants }) => participants.name);
    expect(await names(`?q=${encodeURIComponent("ёЛК")}`)).toEqual(["Мария Ёлкина"]);
    expect(await names(`?q=${encodeURIComponent("казани")}`)).toEqual(["100% скидка"]);
    expect(await names(`?q=${encodeURIComponent("олег")}`)).toEqual(["Пётр"]);
    expect(await names("?q=%25")).toEqual(["100% скидка"]);
    expect(await names("?q=_")).toEqual([]);
    expect(await names("?status=closed")).toEqual(["Мария Ёлкина"]);
    expect(await names("?platform=telegram")).toEqual(["Пётр"]);
    expect(await names(`?twinId=${anna}&status=active`)).toEqual(["100% скидка"]);
    for (const query of ["?status=open", "?before=1", "?before=2026-11-01T10:00:00.000000Z,x", "?twinId=1"]) {
      expect((await ann.get(`/api/conversations${query}`)).statusCode, query).toBe(400);
    }
  });

  test("of two accounts of one platform with one twin only those are listed that wrote to the account asked for", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const row = { orgId: ann.caller.organizationId, twinId, platform: "telegram" as const };
    const accounts = await asTenant(t.services.db, ann.caller, (tx) =>
      tx
        .insert(integrations)
        .values([0, 1].map(() => ({ ...row, credentials: Buffer.alloc(0) })))
        .returning(),
    );
    for (const [at, { id: integrationId }] of accounts.entries()) {
      await fill(ann, twinId, 1, { userId: null, platform: "telegram", integrationId, participantName: `К ${at}` });
    }
    const found = await listed(ann, `?integrationId=${accounts[1]!.id}`);
    expect(found.map(({ participants }) => participants.name)).toEqual(["К 1"]);
    expect((await ann.get("/api/conversations?integrationId=1")).statusCode).toBe(400);
  });

  test("of one day are those in which something was said then, in Moscow", async () => {
    const ann = await t.signUp();
    const orgId = ann.caller.organizationId;
    const twinId = await buildTwin(ann);
    const said = async (participantName: string, ...times: string[]) => {
      const at = times.map((time) => new Date(time));
      await asTenant(t.services.db, ann.caller, async (tx) => {
        const talk = { participantName, createdAt: at[0]!, updatedAt: at.at(-1)! };
        const { id: conversationId } = await buildConversation(tx, { orgId, twinId }, talk);
        const line = { orgId, conversationId, role: "user" as const, content: "Да", secrecy: "organization" as const };
        await tx.insert(conversationMessages).values(at.map((createdAt) => ({ ...line, createdAt })));
      });
    };
    await said("Тогда", "2026-03-04T21:00:00Z", "2026-03-05T10:00:00Z");
    await said("До и после", "2026-03-03T10:00:00Z", "2026-03-07T10:00:00Z");
    await said("И тогда", "2026-03-05T20:59:59Z", "2026-03-08T10:00:00Z");
    await said("Днём раньше", "2026-03-04T20:59:59Z");
    await said("Днём позже", "2026-03-05T21:00:00Z");
    const found = await listed(ann, "?day=2026-03-05");
    expect(found.map(({ participants }) => participants.name)).toEqual(["И тогда", "Тогда"]);
    const messages = (await ann.get(`/api/conversations/search?day=2026-03-05&q=${encodeURIComponent("да")}`)).json();
    expect(new Set(messages.messages.map((row: { participantName: string }) => row.participantName))).toEqual(
      new Set(["И тогда", "Тогда"]),
    );
    expect((await ann.get("/api/conversations?day=2026-02-30")).statusCode).toBe(400);
  });

  test("and its totals omit the test chats of colleagues, and one's own once a customer has written", async () => {
    const ann = await t.signUp();
    const { organizationId } = ann.caller;
    const bob = await t.signUp({ role: "user", organizationId });
    const twinId = await buildTwin(ann);
    await ask(ann, twinId, "Привет!");
    await fill(ann, twinId, 1, { userId: null, platform: "telegram", participantName: "Контакт" });
    expect(await listed(ann)).toHaveLength(2);
    expect(await listed(ann, "?contacts=1")).toMatchObject([{ participants: { name: "Контакт" } }]);
    expect(await listed(ann, "?platform=test")).toMatchObject([{ participants: { name: "Привет!" } }]);
    expect((await ann.get("/api/conversations/totals")).json()).toMatchObject({ conversations: 1, messages: 2 });
    expect((await listed(bob)).map(({ participants }) => participants.name)).toEqual(["Контакт"]);
    expect((await bob.get("/api/conversations/totals")).json()).toEqual({
      conversations: 1,
      active: 1,
      messages: 2,
      unread: 0,
    });
  });
});

describe("a conversation", () => {
  test("that is closed takes no message until it is reopened, and keeps its place in the list", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const { conversationId } = await ask(ann, twinId, "Привет!");
    const before = (await listed(ann))[0]!;
    const closed = await ann.put(`/api/conversations/${conversationId}`, { status: "closed" });
    expect(closed.json()).toMatchObject({ updatedAt: before.updatedAt, participants: { status: "closed" } });
    const refused = await ann.post("/api/ai-generate", { twinId, message: "И еще", conversationId });
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: "conversation_closed" });
    await ann.put(`/api/conversations/${conversationId}`, { status: "active" });
    await ask(ann, twinId, "И еще", { conversationId });
    expect(await transcript(ann, conversationId)).toHaveLength(4);
  });

  test("that is deleted takes its messages and feedback along, and nothing else", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const kept = await ask(ann, twinId, "Привет!");
    const { conversationId, messageId } = await ask(ann, twinId, "Как дела?");
    await ann.post(`/api/conversations/messages/${messageId}/feedback`, { rating: 5 });
    expect((await ann.delete(`/api/conversations/${conversationId}`)).statusCode).toBe(204);
    expect((await ann.get(`/api/conversations/${conversationId}`)).statusCode).toBe(404);
    expect((await ann.get(`/api/conversations/${conversationId}/messages`)).statusCode).toBe(404);
    expect((await listed(ann)).map(({ id }) => id)).toEqual([kept.conversationId]);
    expect(await transcript(ann, kept.conversationId)).toHaveLength(2);
    const opinions = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(replyFeedback));
    expect(opinions).toEqual([]);
  });

  test("of a contact can be closed or deleted only by those who may change the twin", async () => {
    const ann = await t.signUp({ role: "user" });
    const { organizationId } = ann.caller;
    const [bob, boss] = [await t.signUp({ role: "user", organizationId }), await t.signUp({ organizationId })];
    const twinId = await buildTwin(ann);
    await fill(ann, twinId, 1, { userId: null, platform: "telegram" });
    const { id } = (await listed(bob))[0]!;
    expect((await bob.put(`/api/conversations/${id}`, { status: "closed" })).statusCode).toBe(403);
    expect((await bob.delete(`/api/conversations/${id}`)).statusCode).toBe(403);
    expect((await boss.put(`/api/conversations/${id}`, { status: "closed" })).statusCode).toBe(200);
    expect((await ann.delete(`/api/conversations/${id}`)).statusCode).toBe(204);
  });

  test("shows what each answer was based on, how long it took, and which question was asked again", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const first = await ask(ann, twinId, "Сколько стоит доставка?");
    const { conversationId } = first;
    await ask(ann, twinId, "Сколько стоит доставка?", { conversationId, again: true });
    const messages = await transcript(ann, conversationId);
    expect(messages.map(({ role, again }) => [role, again])).toEqual([
      ["user", undefined],
      ["assistant", undefined],
      ["user", true],
      ["assistant", undefined],
    ]);
    const { sources, replyExamples, confidence, basis, reason } = first;
    expect(messages[1]).toMatchObject({ id: first.messageId, sources, replyExamples, confidence, basis, reason });
    expect(messages[1]!.durationMs).toBeGreaterThanOrEqual(0);
    expect(messages[0]).toMatchObject({ durationMs: null, confidence: null, feedback: null });
  });
});

describe("feedback on an answer", () => {
  const rate = (client: TestClient, messageId: string, input: object) =>
    client.post(`/api/conversations/messages/${messageId}/feedback`, input);

  test("is kept once: a later one replaces it", async () => {
    const ann = await t.signUp();
    const { conversationId, messageId } = await ask(ann, await buildTwin(ann), "Привет!");
    const first = await rate(ann, messageId, { rating: 2, comment: " Суховато ", correction: "Приветик!" });
    expect(first.json()).toEqual({ rating: 2, comment: "Суховато", correction: "Приветик!" });
    expect((await rate(ann, messageId, { rating: 5 })).statusCode).toBe(200);
    expect((await transcript(ann, conversationId))[1]!.feedback).toEqual({
      rating: 5,
      comment: null,
      correction: null,
    });
    const stored = await asTenant(t.services.db, ann.caller, (tx) => tx.select().from(replyFeedback));
    expect(stored).toHaveLength(1);
  });

  test("is refused for a question, a rating beyond 1..5 and too long a text", async () => {
    const ann = await t.signUp();
    const { messageId } = await ask(ann, await buildTwin(ann), "Привет!");
    expect((await rate(ann, String(Number(messageId) - 1), { rating: 5 })).statusCode).toBe(404);
    for (const input of [{ rating: 0 }, { rating: 6 }, { rating: 4.5 }, { rating: 5, comment: "я".repeat(4001) }, {}]) {
      expect((await rate(ann, messageId, input)).statusCode, JSON.stringify(input)).toBe(400);
    }
  });

  test("on a contact's conversation is kept for each member", async () => {
    const ann = await t.signUp();
    const bob = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
    const { conversationId, messageId } = await ask(ann, await buildTwin(ann), "Привет!");
    expect((await rate(bob, messageId, { rating: 1 })).statusCode).toBe(404);
    await asTenant(t.services.db, ann.caller, (tx) => tx.update(conversations).set({ userId: null }));
    await rate(ann, messageId, { rating: 5 });
    await rate(bob, messageId, { rating: 1 });
    expect((await transcript(ann, conversationId))[1]!.feedback?.rating).toBe(5);
    expect((await transcript(bob, conversationId))[1]!.feedback?.rating).toBe(1);
    expect((await transcript(bob, conversationId))[1]!.replyExamples).toBeUndefined();
  });
});
