import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { ContactCard, PersonChannel } from "#contract/conversations/contact-card.ts";
import type { Conversation } from "#contract/conversations/conversations.ts";
import { buildPrompt } from "#server/answers/replies/prompt/prompt.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import {
  answers,
  asked,
  connect,
  get,
  hear,
  linesOf,
  prepareOwnerInbox,
  sentTo,
  someone,
  t,
  talkOf,
  telegram,
  WAIT,
} from "#server/test/channels/owner-inbox-bench.ts";
import type { TestClient } from "#server/test/test-app.ts";

prepareOwnerInbox();

describe("the owner's own words", () => {
  test("may not have arrived: then only he can send them again, also for a paused twin", async () => {
    const [place, ivan] = [await connect(), someone()];
    const { ann, twinId } = place;
    const id = await hear(place, ivan, "Привет!");
    telegram.script({ kind: "reset-after-accept" });
    await ann.post(`/api/conversations/${id}/messages`, { text: "Здравствуйте." });
    await expect.poll(async () => (await answers(place, id)).map(({ state }) => state), WAIT).toEqual(["unknown"]);
    await t.services.db.update(twins).set({ isActive: false }).where(eq(twins.id, twinId));
    const [unknown] = await answers(place, id);
    expect((await ann.post(`/api/approvals/${unknown!.id}/approve`)).statusCode).toBe(200);
    await expect.poll(() => answers(place, id), WAIT).toEqual([]);
    expect(sentTo(ivan)).toEqual(["Здравствуйте.", "Здравствуйте."]);
    await hear(place, ivan, "стоп");
    const refused = await ann.post(`/api/conversations/${id}/messages`, { text: "Жаль" });
    expect(refused.json()).toMatchObject({ code: "cannot_send", message: "Собеседник попросил больше не писать" });
  });

  test("from another client take the conversation over at once; the echo of our own send does not", async () => {
    const [place, ivan] = [await connect("auto"), someone()];
    const id = await hear(place, ivan, "Здравствуйте!");
    await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
    await t.jobsIdle();
    const [sent] = await t.services.db.select().from(outbox).where(eq(outbox.conversationId, id));
    const echo = { fromOwner: true, messageId: sent!.externalIds[0]! };
    await hear(place, ivan, sentTo(ivan)[0]!, echo);
    // The platform's echo comes before the sent message's id is stored.
    await t.services.db.update(outbox).set({ state: "sending", externalIds: [] }).where(eq(outbox.id, sent!.id));
    await hear(place, ivan, sentTo(ivan)[0]!, echo);
    await t.services.db.update(outbox).set({ state: "sent" }).where(eq(outbox.id, sent!.id));
    expect(await talkOf(place, id)).toMatchObject({ lead: "twin", messageCount: 2 });

    await t.services.db
      .insert(outbox)
      .values({ ...sent!, id: randomUUID(), state: "pending", nextAttemptAt: new Date(Date.now() + 60_000) });
    await hear(place, ivan, "Я сам отвечу", { fromOwner: true, messageId: "777" });
    expect(await talkOf(place, id)).toMatchObject({
      lead: "me",
      messageCount: 3,
      unread: 0,
      lastMessage: "Я сам отвечу",
    });
    expect((await linesOf(place, id)).at(-1)).toBe("owner: Я сам отвечу");
    const states = await t.services.db
      .select({ state: outbox.state })
      .from(outbox)
      .where(eq(outbox.conversationId, id));
    expect(states.map(({ state }) => state).sort()).toEqual(["cancelled", "sent"]);
    await hear(place, ivan, "Спасибо!");
    expect(sentTo(ivan)).toHaveLength(1);
  });
});

test("contacts of whom the owner says that they are one person share memory, address and refusal, until they are parted, and are forgotten together", async () => {
  const [place, ivan, again, olga] = [await connect(), someone(), someone(), someone()];
  const { ann } = place;
  const [id, other, hers] = [
    await hear(place, ivan, "Здравствуйте!", { peer: { id: `user${ivan}`, name: "Иван Шмелёв" } }),
    await hear(place, again, "Здравствуйте!", { peer: { id: `user${again}`, name: "иван шмелёв", handle: "@shmel" } }),
    await hear(place, olga, "Здравствуйте!", { peer: { id: `user${olga}`, name: "Ольга 100%" } }),
  ];
  const channelsOf = async (conversation: string) =>
    (await get<ContactCard>(ann, `/api/conversations/${conversation}/contact`)).channels.map(
      ({ conversationId }) => conversationId,
    );
  const found = async (q: string) =>
    (await get<PersonChannel[]>(ann, `/api/conversations/${id}/contact/candidates?q=${encodeURIComponent(q)}`)).map(
      ({ conversationId }) => conversationId,
    );
  expect(await found("")).toEqual([other, hers]);
  expect(await found("%")).toEqual([hers]);
  expect(await found("@SHM")).toEqual([other]);
  const merge = (from: string, conversationId: string, who = ann) =>
    who.post(`/api/conversations/${from}/contact/channels`, { conversationId });
  // A viewer may not merge, and a contact of another twin cannot be merged.
  const { organizationId } = ann.caller;
  expect((await merge(id, other, await t.signUp({ role: "viewer", organizationId }))).statusCode).toBe(403);
  const elsewhere = await connect();
  const stranger = await hear(elsewhere, someone(), "Здравствуйте!");
  expect((await merge(id, stranger)).statusCode).toBe(404);

  await ann.post(`/api/conversations/${other}/contact/facts`, { text: "Снегирь пьёт улун" });
  await ann.put(`/api/conversations/${other}/contact`, { tone: "ты" });
  expect((await merge(id, other)).statusCode).toBe(200);
  expect((await merge(other, id)).statusCode).toBe(200);
  expect(await channelsOf(id)).toEqual([other]);
  expect(await channelsOf(other)).toEqual([id]);
  expect(await channelsOf(hers)).toEqual([]);
  expect(await found("")).toEqual([hers]);
  asked.length = 0;
  await hear(place, ivan, "Какой чай посоветуешь?");
  await hear(place, olga, "Какой чай посоветуете?");
  const [his, theirs] = asked.map((request) => JSON.stringify(buildPrompt(request)));
  expect(asked[0]!.confidential).toEqual(["Снегирь пьёт улун"]);
  expect(his).not.toContain("Снегирь");
  expect(his).toContain("говори только на «ты»");
  expect(theirs).not.toContain("Снегирь");
  // A contact who refuses an AI on one channel gets no automatic answer on the other.
  await expect.poll(async () => (await answers(place, id)).length, WAIT).toBeGreaterThan(0);
  await ann.put(`/api/conversations/${other}/contact`, { consent: "refused" });
  expect(await answers(place, id)).toEqual([]);
  await hear(place, ivan, "А кофе?");
  expect(await answers(place, id)).toEqual([]);

  const parted = await ann.delete(`/api/conversations/${id}/contact/channels/${other}`);
  expect(parted.json()).toMatchObject({ channels: [], facts: [] });
  expect((await ann.delete(`/api/conversations/${id}/contact/channels/${other}`)).statusCode).toBe(404);
  asked.length = 0;
  await hear(place, ivan, "Какой кофе посоветуете?");
  expect(asked.map(({ confidential }) => confidential)).toEqual([[]]);

  await merge(id, other);
  await expect.poll(async () => (await ann.delete(`/api/conversations/${id}/contact`)).statusCode, WAIT).toBe(204);
  expect((await ann.get(`/api/conversations/${other}`)).statusCode).toBe(404);
  expect((await ann.get(`/api/conversations/${hers}`)).statusCode).toBe(200);
});

test("a contact is known since the first message, also of letters that were written before the product knew him", async () => {
  const [place, ivan] = [await connect(), someone()];
  const id = await hear(place, ivan, "Здравствуйте!");
  const sinceFor = async (who: TestClient) => (await get<ContactCard>(who, `/api/conversations/${id}/contact`)).since;
  await t.services.db.execute(sql`update conversation_messages set created_at = '2024-05-06T07:08:09Z'
    where conversation_id = ${id}`);
  expect(await sinceFor(place.ann)).toBe("2024-05-06T07:08:09.000Z");
  const imported = await place.ann.post("/api/conversations/upload", {
    digitalTwinId: place.twinId,
    platform: "telegram",
    participants: ["Иван"],
    messages: [{ role: "user", content: "Привет!", timestamp: "2023-01-02T03:04:05.000Z" }],
  });
  expect(imported.statusCode, imported.body).toBeLessThan(300);
  await t.services.db.execute(sql`update messages set contact_id = (select contact_id from conversations where id = ${id})
    where twin_id = ${place.twinId}`);
  expect(await sinceFor(place.ann)).toBe("2023-01-02T03:04:05.000Z");
  // The owner's message history is private: a colleague sees only the reasons that come from the conversation.
  const { organizationId } = place.ann.caller;
  expect(await sinceFor(await t.signUp({ role: "viewer", organizationId }))).toBe("2024-05-06T07:08:09.000Z");
});

test("the list shows what is unread, who it is assigned to, and where the searched words occur", async () => {
  const [place, ivan, olga] = [await connect(), someone(), someone()];
  const { ann } = place;
  const id = await hear(place, ivan, "Есть ли у вас пуэр урожая прошлого года?");
  await hear(place, ivan, "Спасибо заранее");
  await hear(place, olga, "Добрый день");
  const list = async (query: string) =>
    (await get<Conversation[]>(ann, `/api/conversations?${query}`)).map((one) => one.id);
  expect((await talkOf(place, id)).unread).toBe(2);
  expect(await get(ann, "/api/conversations/totals")).toMatchObject({ unread: 2 });
  expect((await ann.post(`/api/conversations/${id}/read`)).statusCode).toBe(204);
  expect((await talkOf(place, id)).unread).toBe(0);
  const { organizationId, userId } = ann.caller;
  const caller = await t.signUp({ role: "viewer", organizationId });
  const assigned = await ann.put(`/api/conversations/${id}`, { assigneeId: userId });
  expect(assigned.json()).toMatchObject({ assignee: { id: userId, name: "Тест" } });
  expect((await ann.put(`/api/conversations/${id}`, { assigneeId: caller.caller.userId })).statusCode).toBe(404);
  expect(await get(ann, "/api/conversations/assignees")).toEqual([{ id: userId, name: "Тест" }]);
  expect(await list("assignee=me")).toEqual([id]);
  expect(await list("assignee=none")).toHaveLength(1);
  const [found] = await get<Conversation[]>(ann, `/api/conversations?q=${encodeURIComponent("ПУЭР урожая")}`);
  expect(found).toMatchObject({ id, match: expect.stringContaining("пуэр урожая") });
  await ann.put(`/api/conversations/${id}`, { assigneeId: null });
  expect(await list("assignee=me")).toEqual([]);
});
