/** The owner in a contact's conversation: writing himself, stepping in from elsewhere, noting, correcting, forgetting. */
import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { ContactCard, Note, PersonChannel } from "#contract/conversations/contact-card.ts";
import type { ChatMessage, Conversation } from "#contract/conversations/conversations.ts";
import type { Corrections } from "#contract/corrections.ts";
import { asTenant } from "#server/db/database.ts";
import {
  auditLog,
  conversations,
  corrections,
  fidelityExamples,
  fidelityMeasures,
  imports,
  inboxEvents,
  indexSegments,
  outbox,
  replyExamples,
  replyFeedback,
  twins,
} from "#server/db/schema.ts";
import { buildPrompt } from "#server/replies/prompt/prompt.ts";
import type { ReplyRequest } from "#server/replies/reply-request.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { wordColumns } from "#server/test/privacy/deletion/plant.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import type { Inbound } from "../../protocol/channel.ts";
import { storeInbound } from "../inbox/inbox.ts";

let telegram: TelegramServer;
let t: TestApp;
/** What the generator was asked, newest last. */
const asked: ReplyRequest[] = [];
beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root });
  const { generate } = t.services.generator;
  t.services.generator = {
    name: "embedded",
    generate(request, signal) {
      asked.push(request);
      return generate(request, signal);
    },
  };
});
afterAll(async () => {
  await t.close();
  await telegram.close();
});

const WAIT = { timeout: 20_000, interval: 50 };
let bots = 700;
let events = 0;

interface Place {
  ann: TestClient;
  twinId: string;
  integrationId: string;
}

async function connect(autonomy: "draft" | "auto" = "draft"): Promise<Place> {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const bot = { digitalTwinId: twinId, platform: "telegram", apiKey: `${++bots}:token-of-a-bot-0123456789abcdefghij` };
  const integrationId: string = (await ann.post("/api/integrations/create", bot)).json().id;
  await ann.put(`/api/integrations/${integrationId}`, { autonomy });
  return { ann, twinId, integrationId };
}

/** Something is heard from the platform; gives its conversation once it was taken in. */
async function hear(place: Place, chat: string, text: string, more: Partial<Inbound> = {}): Promise<string> {
  const { ann, integrationId: id } = place;
  const inbound: Inbound = {
    eventId: String(++events),
    conversation: chat,
    position: events,
    peer: { id: `user${chat}`, name: `Иван ${chat}`, handle: `@ivan${chat}` },
    text,
    attachments: [],
    sentAt: new Date().toISOString(),
    automated: false,
    ...more,
  };
  const { organizationId, userId } = ann.caller;
  await storeInbound(t.services, { id, organizationId, userId }, inbound);
  await expect.poll(async () => (await eventOf(inbound.eventId))?.status, WAIT).not.toBe("pending");
  const [talk] = await t.services.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.externalId, chat));
  return talk!.id;
}
const eventOf = async (eventId: string) =>
  (await t.services.db.select().from(inboxEvents).where(eq(inboxEvents.eventId, eventId)))[0];

const get = async <Answer>(client: TestClient, path: string): Promise<Answer> => (await client.get(path)).json();
const answers = ({ ann }: Place, id: string) => get<Approval[]>(ann, `/api/conversations/${id}/answers`);
const talkOf = ({ ann }: Place, id: string) => get<Conversation>(ann, `/api/conversations/${id}`);
const linesOf = async ({ ann }: Place, id: string) =>
  (await get<ChatMessage[]>(ann, `/api/conversations/${id}/messages`)).map(({ role, author, content }) =>
    role === "user" ? content : `${author ?? "twin"}: ${content}`,
  );
const sentTo = (chat: string) => telegram.sent.filter(({ chatId }) => chatId === chat).map(({ text }) => text);
let people = 90_000;
const someone = () => String(++people);
const minutesFromNow = (moment: string | null) => Math.round((Date.parse(moment!) - Date.now()) / 60_000);

describe("the owner's own words", () => {
  test("are sent once, as his, and silence the twin until the time is over or he gives the conversation back", async () => {
    const [place, ivan] = [await connect(), someone()];
    const { ann } = place;
    const id = await hear(place, ivan, "Сколько стоит доставка?");
    await expect.poll(async () => (await answers(place, id)).length, WAIT).toBe(1);
    const write = () =>
      ann.inject({
        method: "POST",
        url: `/api/conversations/${id}/messages`,
        headers: { "idempotency-key": `write-${ivan}` },
        payload: { text: "Триста рублей, это я сам." },
      });
    expect((await write()).json()).toMatchObject({ author: "owner", state: "pending", confidence: null });
    expect((await write()).statusCode).toBe(201);
    await expect.poll(() => linesOf(place, id), WAIT).toContain("owner: Триста рублей, это я сам.");
    expect(sentTo(ivan)).toEqual(["Триста рублей, это я сам."]);
    // The draft to the same question is void.
    expect(await answers(place, id)).toEqual([]);
    const paused = await talkOf(place, id);
    expect(paused).toMatchObject({ lead: "me", unread: 0 });
    expect(minutesFromNow(paused.pausedUntil)).toBe(30);
    await hear(place, ivan, "А завтра?");
    expect(await answers(place, id)).toEqual([]);
    expect((await talkOf(place, id)).unread).toBe(1);

    const until = new Date(Date.now() + 2 * 3600_000).toISOString();
    await ann.post(`/api/conversations/${id}/pause`, { until });
    expect(minutesFromNow((await talkOf(place, id)).pausedUntil)).toBe(120);
    await ann.post(`/api/conversations/${id}/messages`, { text: "Завтра тоже." });
    expect(minutesFromNow((await talkOf(place, id)).pausedUntil), "a longer choice stays").toBe(120);
    // It ends by itself.
    await t.services.db.update(conversations).set({ pausedUntil: new Date() }).where(eq(conversations.id, id));
    expect(await talkOf(place, id)).toMatchObject({ lead: "twin", pausedUntil: null });
    await hear(place, ivan, "А послезавтра?");
    await expect.poll(async () => (await answers(place, id)).map(({ author }) => author), WAIT).toEqual(["twin"]);
    for (const wrong of [
      { until: "2020-01-01T00:00:00Z" },
      { until: "2090-01-01T00:00:00Z" },
      { until: "завтра" },
      [],
    ]) {
      expect((await ann.post(`/api/conversations/${id}/pause`, wrong)).statusCode).toBe(400);
    }
  });

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
    // Told before we have written down its id.
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
  // Somebody who may only look, and another twin's contact.
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
  // Who refuses an AI on one channel is not answered by it on the other.
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
  // The history is its owner's: a colleague is told of what stands in the conversation alone.
  const { organizationId } = place.ann.caller;
  expect(await sinceFor(await t.signUp({ role: "viewer", organizationId }))).toBe("2024-05-06T07:08:09.000Z");
});

test("the tone of a contact affects only answers to that contact; what is noted is in nobody's prompt", async () => {
  const [place, ivan, olga] = [await connect(), someone(), someone()];
  const { ann } = place;
  const id = await hear(place, ivan, "Здравствуйте!");
  await hear(place, olga, "Здравствуйте!");
  const { organizationId } = ann.caller;
  const caller = await t.signUp({ role: "viewer", organizationId });
  const fact = (await ann.post(`/api/conversations/${id}/contact/facts`, { text: "Канарейка любит улун" })).json();
  await ann.post(`/api/conversations/${id}/notes`, { text: "Канарейка в заметке" });
  const card = await ann.put(`/api/conversations/${id}/contact`, {
    tone: "ты",
    consent: "given",
    name: "Ваня",
    autonomy: "auto",
  });
  expect(card.json()).toMatchObject({
    name: "Ваня",
    handle: `@ivan${ivan}`,
    tone: "ты",
    autonomy: "auto",
    integrationAutonomy: "draft",
    consent: { state: "given", by: "Тест" },
    facts: [fact],
  });
  const seen: ContactCard = await get(caller, `/api/conversations/${id}/contact`);
  expect(seen.facts).toEqual([fact]);
  const [note] = await get<Note[]>(caller, `/api/conversations/${id}/notes`);
  expect(note).toMatchObject({ text: "Канарейка в заметке", author: "Тест", mine: false });
  asked.length = 0;
  await hear(place, ivan, "Какой чай посоветуешь?");
  await hear(place, olga, "Какой чай посоветуете?");
  const [his, hers] = asked.map((request) => JSON.stringify(buildPrompt(request)));
  expect(his).toContain("говори только на «ты»");
  expect(his).not.toContain("Канарейка");
  expect(hers).not.toMatch(/Канарейка|только на «ты»/);
  expect(asked.map(({ confidential }) => confidential)).toEqual([["Канарейка любит улун"], []]);
  // The contact's own level: this one answers by itself.
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
  expect(sentTo(olga)).toEqual([]);
  await ann.put(`/api/conversations/${id}/contact`, { consent: "refused" });
  await hear(place, ivan, "А кофе?");
  expect(await answers(place, id)).toEqual([]);
  expect(sentTo(ivan)).toHaveLength(1);
});

test("a risky topic waits for the owner at every level; his wording is kept as a correction unless he takes it back", async () => {
  const [place, ivan] = [await connect("auto"), someone()];
  const { ann } = place;
  const id = await hear(place, ivan, "Переведите мне 5000 рублей на карту, пожалуйста.");
  await expect.poll(async () => (await answers(place, id)).length, WAIT).toBe(1);
  const [draft] = await answers(place, id);
  expect(draft).toMatchObject({ state: "draft", reason: expect.stringContaining("переводе денег") });
  const corrections = () =>
    asTenant(t.services.db, ann.caller, (tx) =>
      tx.select({ correction: replyFeedback.correction, rating: replyFeedback.rating }).from(replyFeedback),
    );
  await ann.put(`/api/approvals/${draft!.id}`, { text: "Денег не переводим." });
  const approve = async () => (await ann.post(`/api/approvals/${draft!.id}/approve?undo=1`)).json();
  expect(await approve()).toMatchObject({ state: "pending", undoUntil: expect.any(String) });
  expect(await corrections()).toEqual([{ correction: "Денег не переводим.", rating: null }]);
  const back = (await ann.post(`/api/approvals/${draft!.id}/undo`)).json();
  expect(back).toMatchObject({ state: "draft", undoUntil: null, reason: draft!.reason, text: "Денег не переводим." });
  expect(await corrections()).toEqual([]);
  await approve();
  // The five seconds are over.
  await t.services.db.update(outbox).set({ nextAttemptAt: new Date() }).where(eq(outbox.id, draft!.id));
  expect((await ann.post(`/api/approvals/${draft!.id}/undo`)).json().code).toBe("too_late");
  await asTenant(t.services.db, ann.caller, (tx) =>
    t.services.jobs.enqueue(tx, "send-outbox", { ...ann.caller, conversationId: id }),
  );
  await expect.poll(() => sentTo(ivan).length, { ...WAIT, timeout: 25_000 }).toBe(1);
  expect(sentTo(ivan)[0]).toMatch(/Денег не переводим\.$/);
  expect(await corrections()).toHaveLength(1);
  // It waits for the owner to say what the twin learns of it; said once, it is asked about no more.
  const path = `/api/digital-twins/${place.twinId}/corrections`;
  const [waiting] = (await get<Corrections>(ann, path)).waiting;
  expect(waiting).toMatchObject({
    correction: "Денег не переводим.",
    twinReply: draft!.text,
    contactName: draft!.contactName,
  });
  expect(waiting!.question).toContain("5000 рублей");
  expect((await ann.post(`${path}/decline`, { from: waiting!.from })).statusCode).toBe(204);
  expect((await get<Corrections>(ann, path)).waiting).toEqual([]);
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

test("a forgotten contact is found nowhere, others stay, and the deletion is on record", async () => {
  const [place, olga] = [await connect(), someone()];
  const { ann, twinId } = place;
  const hook = { url: "https://127.0.0.1:9/", events: ["message.received"], includeTexts: true, enabled: true };
  expect((await ann.post(`/api/digital-twins/${twinId}/webhooks`, hook)).statusCode).toBe(201);
  await ann.post("/api/conversations/upload", {
    digitalTwinId: twinId,
    platform: "telegram",
    participants: ["Зяблик Тайный"],
    messages: [
      { role: "user", content: "Когда привезут зяблику посылку?" },
      { role: "assistant", content: "Вы: Завтра привезут зяблику всё" },
      { role: "user", content: "Почём доставка корма зяблику?" },
      { role: "assistant", content: "300 рублей" },
    ],
  });
  await t.jobsIdle();
  const chat = "zyablik";
  const peer = { id: "зяблик тайный", name: "Зяблик Тайный", handle: "@zyablik" };
  const id = await hear(place, chat, "Это зяблик, когда привезут?", { peer });
  await ann.post(`/api/conversations/${id}/contact/facts`, { text: "Зяблик живёт на Тверской" });
  await ann.inject({
    method: "POST",
    url: `/api/conversations/${id}/notes`,
    headers: { "idempotency-key": "note-of-a-finch" },
    payload: { text: "Про зяблика" },
  });
  await ann.post(`/api/conversations/${id}/messages`, { text: "Зяблик, пишу сам" });
  await hear(place, chat, "стоп", { peer });
  const [kept] = [await hear(place, olga, "Добрый день, сколько стоит?")];
  await ann.post("/api/ai-generate", { twinId, message: "Когда привезут зяблику посылку?" });
  await t.jobsIdle();
  await learnOf(place, id, peer.id);
  const planted = new Set((await found(FINCH)).map((where) => where.replace(/:.*/su, "")));
  const unknown = new Set<string>();
  for (const { table } of await wordColumns(t.services.db)) {
    if (!planted.has(table) && !(table in NO_WORDS_OF_A_CONTACT)) unknown.add(table);
  }
  expect([...unknown]).toEqual([]);
  expect((await ann.delete(`/api/conversations/${id}/contact`)).statusCode).toBe(204);
  await t.jobsIdle();
  expect((await ann.get(`/api/conversations/${id}`)).statusCode).toBe(404);
  expect((await talkOf(place, kept!)).id).toBe(kept);
  let left: string[] = [];
  const ofOthers = async () => {
    left = await found(FINCH);
    // What the owner has typed himself into his own test chat is his, also what his twin did not know of it.
    return left.filter((place) => !/^(conversation_messages|conversations|gap_questions|activity):/.test(place));
  };
  // The queue lists the keys of the jobs that ran when it looked last, which is every two seconds.
  await expect
    .poll(async () => (await ofOthers()).filter((place) => place.startsWith("jobs.queue:")), WAIT)
    .toEqual([]);
  expect(await ofOthers()).toEqual([]);
  expect(left.join("\n")).not.toMatch(/Это зяблик|Тверской|Про зяблика|пишу сам/);
  const records = await t.services.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, "contact-deleted"), eq(auditLog.userId, ann.caller.userId)));
  expect(records).toMatchObject([{ userId: ann.caller.userId, detail: { twinId, conversations: 1 } }]);
});

/**
 * Tables in which the deletion of a contact has nothing to look for. A table that stands neither here nor among those that the test
 * has filled with the contact's words is one of which nobody has thought.
 */
const NO_WORDS_OF_A_CONTACT: Record<string, string> = {
  api_key_usage: "counts",
  api_keys: "named by the owner; what a key is asked stands in its conversation",
  business_connections: "accounts of the owner's side",
  channel_state: "keys of the platform's session, sealed",
  daily_usage: "counts by day",
  data_exports: "what was asked for and how far it is; the zip on the disk goes when a contact does (records/export)",
  declined_replies: "digests of the owner's replies",
  documents: "the owner's own",
  embeddings: "numbers, which go with their pair",
  export_uploads: "files of an import that has not begun: no contact is known of them",
  crm_cards: "ids of the CRM's and our own sentences, gone with the conversation",
  crm_connections: "the organisation's CRM and its keys, sealed",
  crm_sign_ins: "an administrator's sign-in to it, sealed",
  crm_twins: "the owner's choice; what was made of a conversation goes with it (crm_cards)",
  fidelity_measures: "figures",
  integrations: "credentials and places of the owner's account",
  labels: "the organisation's own words; a conversation loses its own with it",
  media_files: "gone with the message or the event that it came with (core/media/forgotten-media.test.ts)",
  media_readers: "the organisation's service and its key, sealed",
  model_budgets: "counts",
  open_replies: "gone with the contact or the first pair that it was read off (server/open-replies)",
  owner_chats: "members' own chats",
  owner_notices: "ids of messages; the draft itself is read from the outbox",
  chunks: "of the owner's documents",
  payments: "invoices",
  remote_models: "the owner's model and its key, sealed",
  reply_proposals: "counts, which go with their pair",
  saved_replies: "the organisation's own texts, with {имя} in a name's place",
  set_aside_events: "gone with their sender (set-aside.test.ts)",
  telegram_logins: "the owner's login, sealed",
  twin_versions: "settings and figures (twins/versions.ts)",
  voice_adapters:
    "a file name of the owner's and figures; what was learnt are his own turns, without what names people (docs/decisions/065)",
  webhooks: "the owner's addresses; what they are told are webhook_deliveries",
  widget_addresses: "hashes and counts by day",
  widgets: "the owner's texts",
  website_pages: "addresses and states of the owner's own site; its words are documents",
  websites: "the owner's own site and how far its reading is",
};

/** What time would bring: an import that is over, a correction, a rating, a measure that quotes. */
async function learnOf({ ann, twinId }: Place, conversationId: string, externalId: string): Promise<void> {
  const { organizationId: orgId, userId } = ann.caller;
  const of = { orgId, twinId };
  await asTenant(t.services.db, ann.caller, async (tx) => {
    const [talk] = await tx.select().from(conversations).where(eq(conversations.id, conversationId));
    const [answer] = await tx.select().from(outbox).where(eq(outbox.conversationId, conversationId));
    const [pair] = await tx.select().from(replyExamples).where(eq(replyExamples.twinId, twinId));
    const preview = { chats: [], people: [{ id: externalId, name: "Зяблик Тайный", messages: 1 }] };
    await tx.insert(imports).values({ ...of, userId, fileName: "result.json", status: "done", preview });
    await tx.insert(corrections).values({
      ...{ ...of, kind: "fact", question: "Где зяблик?", context: [], twinReply: "Не знаю", text: "Зяблик дома" },
      ...{ audience: talk!.contactId!, contactId: talk!.contactId, createdBy: userId },
    });
    await tx
      .insert(replyFeedback)
      .values({ ...of, outboxId: answer!.id, userId, correction: "Зяблик, уже везём", secrecy: "organization" });
    const [measure] = await tx
      .insert(fidelityMeasures)
      .values({ ...of, revision: 1, own: 1, held: 1, people: 1, durationMs: 1, lacking: "own" })
      .returning({ id: fidelityMeasures.id });
    // As a segment whose terms are not packed would hold it.
    await tx
      .update(indexSegments)
      .set({ bytes: sql`${indexSegments.bytes} || convert_to('зяблик', 'UTF8')` })
      .where(and(eq(indexSegments.twinId, twinId), eq(indexSegments.kind, "example")));
    const quoted = { orgId, measureId: measure!.id, replyExampleId: pair!.id };
    await tx.insert(fidelityExamples).values({ ...quoted, reply: "Завтра, зяблик", logit: 1 });
  });
}

/** Without its first letter: an index keeps a term as what it adds to the one before. */
const FINCH = /яблик|yablik/i;

/** Rows of all tables, the queue's included, that hold the words; an index's bytes are read as text. */
async function found(words: RegExp): Promise<string[]> {
  const { rows: tables } = await t.services.db.execute(sql`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'jobs') and (c.relkind = 'r' or n.nspname = 'public' and c.relkind = 'p')`);
  const places: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await t.services.db.execute(sql`select * from ${sql.raw(name)}`);
    for (const row of rows) {
      const text = Object.values(row)
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : JSON.stringify(value)))
        .join(" ");
      if (words.test(text)) places.push(`${name.replace("public.", "")}: ${text.slice(0, 200)}`);
    }
  }
  return places;
}
