import { afterAll, beforeAll, expect, test } from "vitest";
import type { LookupResult } from "#contract/lookup.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, outbox } from "#server/platform/db/schema/conversations.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { buildContact, buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const NOTHING: LookupResult = { contacts: [], messages: [], documents: [], facts: [], forms: [] };

async function find(client: TestClient, q: string, or?: string): Promise<LookupResult> {
  const query = new URLSearchParams({ q, ...(or === undefined ? {} : { or }) });
  const answer = await client.get(`/api/search?${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

async function withEverything() {
  const owner = await t.signUp();
  const twinId = await buildTwin(owner);
  const { organizationId: orgId, userId } = owner.caller;
  await owner.post("/api/knowledge/upload", {
    digitalTwinId: twinId,
    name: "Правила",
    type: "policy",
    content: `${"Обычные слова о магазине. ".repeat(20)}Чёрный трюфель привозим по средам, заказ от двух коробок.`,
  });
  await asTenant(t.services.db, owner.caller, async (tx) => {
    const contact = await buildContact(tx, { orgId, twinId }, { name: "Трюфелева Ольга" });
    for (const name of ["Трюфелева Ольга", "Трюфелева Ольга"]) {
      const { id } = await buildConversation(tx, { orgId, twinId }, { contactId: contact.id, participantName: name });
      const said = { orgId, conversationId: id, role: "user" as const, secrecy: "organization" as const };
      await tx.insert(conversationMessages).values([
        { ...said, content: "Есть ли чёрный\nтрюфель?" },
        { ...said, content: "А белый трюфель?" },
      ]);
    }
    const own = await buildConversation(tx, { orgId, twinId }, { userId, platform: "test" });
    await tx
      .insert(conversationMessages)
      .values({ orgId, conversationId: own.id, role: "user", content: "Мой шафран", secrecy: "owner" });
    const row = { orgId, twinId, createdBy: userId, context: [], twinReply: "", audience: 0, kind: "fact" as const };
    await tx.insert(corrections).values([
      { ...row, question: "Почём трюфель?", text: "Трюфель стоит 900 рублей" },
      { ...row, question: "Почём трюфель?", text: "Забыто", state: "removed" },
    ]);
  });
  return { owner, twinId };
}

test("contacts, messages, documents and facts are found by their words, each contact and conversation once and a text with the place in it", async () => {
  const { owner } = await withEverything();
  const found = await find(owner, "трюфел");
  expect(found.contacts).toMatchObject([{ name: "Трюфелева Ольга", platform: "telegram" }]);
  expect(found.documents).toMatchObject([{ name: "Правила", excerpt: expect.stringContaining("Чёрный трюфель") }]);
  expect(found.facts).toMatchObject([{ text: "Трюфель стоит 900 рублей" }]);
  expect(found.messages).toMatchObject([{ excerpt: "А белый трюфель?" }, { excerpt: "А белый трюфель?" }]);
  expect((await find(owner, "черный трюф")).messages).toMatchObject([{ excerpt: "Есть ли чёрный трюфель?" }, {}]);
  expect((await find(owner, "трюфель черный")).documents).toHaveLength(1);
  expect((await find(owner, "Ольга Трюф")).contacts).toHaveLength(1);
  expect((await find(owner, "ПРАВИЛ")).documents).toMatchObject([{ excerpt: null }]);
  // Two letters form no trigram, so the newest messages are read.
  expect((await find(owner, "бе")).messages).toHaveLength(2);
});

test("words are found where a word begins, never in the midst of one, and the place that is shown is that one", async () => {
  const { owner, twinId } = await withEverything();
  const content = `Доставка до Сахалина. ${"Обычные слова о магазине. ".repeat(20)}Пишет (алина) и С++.`;
  await owner.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "Адреса", type: "faq", content });
  await asTenant(t.services.db, owner.caller, async (tx) => {
    const { organizationId: orgId, userId } = owner.caller;
    const { id } = await buildConversation(tx, { orgId, twinId }, { userId, platform: "test" });
    const said = { orgId, conversationId: id, role: "user" as const, secrecy: "organization" as const };
    await tx.insert(conversationMessages).values([
      { ...said, content: "Везёте до Сахалина?" },
      { ...said, content: "До Сахалина? Пишет Алина" },
      { ...said, content: "Остров Сахалин" },
    ]);
  });
  const found = await find(owner, "алина");
  expect(found.messages).toMatchObject([{ excerpt: "До Сахалина? Пишет Алина" }]);
  expect(found.documents).toMatchObject([{ excerpt: expect.stringContaining("Пишет (алина)") }]);
  expect((await find(owner, "рюфел")).contacts).toEqual([]);
  expect((await find(owner, "с++")).documents).toHaveLength(1);
});

test("other forms of the words are found after the words themselves, and told, and a contact shows his draft and last words", async () => {
  const owner = await t.signUp();
  const twinId = await buildTwin(owner);
  const { organizationId: orgId } = owner.caller;
  await asTenant(t.services.db, owner.caller, async (tx) => {
    const integration = { orgId, twinId, platform: "telegram" as const, credentials: Buffer.alloc(0) };
    const [{ id: integrationId } = { id: "" }] = await tx.insert(integrations).values(integration).returning();
    for (const [name, lastMessage] of [
      ["Ольга", "Есть доставка?"],
      ["Для Ольги", null],
    ] as const) {
      const contact = await buildContact(tx, { orgId, twinId }, { name });
      const wanted = { contactId: contact.id, participantName: name, lastMessage };
      const { id } = await buildConversation(tx, { orgId, twinId }, wanted);
      const said = { orgId, conversationId: id, role: "user" as const, secrecy: "organization" as const };
      await tx
        .insert(conversationMessages)
        .values([{ ...said, content: name === "Ольга" ? "Есть доставка?" : "Доставки нет" }]);
      const draft = {
        orgId,
        integrationId,
        conversationId: id,
        question: "Есть?",
        text: "Да",
        secrecy: "organization" as const,
      };
      await tx.insert(outbox).values({ ...draft, state: name === "Ольга" ? "draft" : "sent" });
    }
  });
  const found = await find(owner, "доставка");
  expect(found.messages.map(({ excerpt }) => excerpt)).toEqual(["Есть доставка?", "Доставки нет"]);
  expect(found.forms).toEqual(["доставки"]);
  const { contacts } = await find(owner, "Ольга");
  expect(contacts).toMatchObject([
    { name: "Ольга", lastMessage: "Есть доставка?", hasDraft: true },
    { name: "Для Ольги", lastMessage: null, hasDraft: false },
  ]);
});

test("the place in a document is shown without the marks of its Markdown", async () => {
  const { owner, twinId } = await withEverything();
  const content =
    "# Прайс\n## Снегоходы в прокат\n| Час | Цена |\n|---|---|\n| 1 | **900 ₽** |\nОтзыв №5: a > b, C# и F#";
  await owner.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "Прокат", type: "faq", content });
  const [found] = (await find(owner, "снегоход")).documents;
  expect(found!.excerpt).toBe("Прайс Снегоходы в прокат Час Цена 1 900 ₽ Отзыв №5: a > b, C# и F#");
});

test("what was typed on the wrong keyboard layout is found by the other words", async () => {
  const { owner } = await withEverything();
  expect((await find(owner, "nh.atk", "трюфел")).contacts).toHaveLength(1);
});

test("signs of a pattern stand for themselves", async () => {
  const { owner } = await withEverything();
  for (const q of [".*", "а|б", "((((", "[а-я]", "\\d+", "%%", "__", "' or 1=1"])
    expect(await find(owner, q), q).toEqual(NOTHING);
  expect((await owner.get("/api/search?q=а")).statusCode).toBe(400);
});

test("a colleague finds what all may see but neither facts nor test chats of the owner's, and a stranger finds nothing", async () => {
  const { owner } = await withEverything();
  const colleague = await t.signUp({ role: "viewer", organizationId: owner.caller.organizationId });
  const found = await find(colleague, "трюфел");
  expect([found.contacts.length, found.messages.length, found.documents.length]).toEqual([1, 2, 1]);
  expect(found.facts).toEqual([]);
  expect((await find(owner, "шафран")).messages).toHaveLength(1);
  expect((await find(colleague, "шафран")).messages).toEqual([]);
  expect(await find(await t.signUp(), "трюфел")).toEqual(NOTHING);
});
