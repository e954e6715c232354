/** The owner acts in a contact's conversation: writes, takes over from another client, notes, corrects, forgets. */
import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { ContactCard, Note } from "#contract/conversations/contact-card.ts";
import type { Corrections } from "#contract/corrections.ts";
import { buildPrompt } from "#server/answers/replies/prompt/prompt.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { conversations, outbox, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { indexSegments, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import {
  answers,
  asked,
  connect,
  found,
  get,
  hear,
  linesOf,
  type Place,
  prepareOwnerInbox,
  sentTo,
  someone,
  t,
  talkOf,
  WAIT,
} from "#server/test/channels/owner-inbox-bench.ts";
import { wordColumns } from "#server/test/privacy/deletion/plant.ts";

prepareOwnerInbox();

const minutesFromNow = (moment: string | null) => Math.round((Date.parse(moment!) - Date.now()) / 60_000);

/**
 * Tables that hold no words of a contact, so forgetting a contact skips them. A table missing here and among those that the test fills was
 * forgotten by the developers, and fails the test.
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
  gaps: "the name of the model that was asked; the words are in gap_questions",
  export_uploads: "files of an import that has not begun: no contact is known of them",
  crm_cards: "ids of the CRM's and our own sentences, gone with the conversation",
  crm_connections: "the organisation's CRM and its keys, sealed",
  crm_sign_ins: "an administrator's sign-in to it, sealed",
  crm_twins: "the owner's choice; what was made of a conversation goes with it (crm_cards)",
  fidelity_measures: "figures",
  integrations: "credentials and places of the owner's account",
  labels: "the organisation's own words; a conversation loses its own with it",
  media_files: "gone with the message or the event that it came with",
  media_readers: "the organisation's service and its key, sealed",
  model_budgets: "counts",
  open_replies: "gone with the contact or the first pair that it was read off (server/knowledge/public-replies)",
  owner_chats: "members' own chats",
  owner_notices: "ids of messages; the draft itself is read from the outbox",
  chunks: "of the owner's documents",
  payments: "invoices",
  remote_models: "the owner's model and its key, sealed",
  reply_proposals: "counts, which go with their pair",
  saved_replies: "the organisation's own texts, with {имя} in a name's place",
  style_samples: "the owner's words: common ones alone, or answers to invented messages",
  set_aside_events: "gone with their sender (set-aside.test.ts)",
  telegram_logins: "the owner's login, sealed",
  tool_connections: "the owner's accounts at his systems and what these offer, keys sealed",
  tool_tables: "the owner's own file of his system, as documents",
  tools: "the owner's settings",
  twin_versions: "settings and figures (accounts/twins/versions.ts)",
  twin_exams: "figures; its questions are planted",
  voice_adapters: "empty: nothing but the former release writes into it",
  webhooks: "the owner's addresses; what they are told are webhook_deliveries",
  widget_addresses: "hashes and counts by day",
  widgets: "the owner's texts",
  website_pages: "addresses and states of the owner's own site; its words are documents",
  websites: "the owner's own site and how far its reading is",
};

/** Adds data that exists only later in a contact's life: an import, a correction, a rating, a fidelity measurement with quotations. */
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
    await tx.insert(acts).values({
      ...{ ...of, conversationId, contactId: talk!.contactId, title: "Статус заказа", changes: false, state: "done" },
      ...{
        arguments: [{ name: "key", label: "Заказ", value: "зяблик" }],
        result: [{ label: "Кому", value: "зяблик" }],
      },
    });
    const [measure] = await tx
      .insert(fidelityMeasures)
      .values({ ...of, revision: 1, own: 1, held: 1, people: 1, durationMs: 1, lacking: "own" })
      .returning({ id: fidelityMeasures.id });
    // Simulates an index segment with uncompressed terms.
    await tx
      .update(indexSegments)
      .set({ bytes: sql`${indexSegments.bytes} || convert_to('зяблик', 'UTF8')` })
      .where(and(eq(indexSegments.twinId, twinId), eq(indexSegments.kind, "example")));
    const quoted = { orgId, measureId: measure!.id, replyExampleId: pair!.id };
    await tx.insert(fidelityExamples).values({ ...quoted, reply: "Завтра, зяблик", logit: 1 });
  });
}

/** Lacks the first letter, because an index stores a term as its difference from the previous one. */
const FINCH = /яблик|yablik/i;

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
    // The owner's message makes the draft to the same question void.
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
    // The takeover ends automatically when its time has passed.
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
});

test("the tone of a contact affects only answers to that contact; members' notes appear in no prompt", async () => {
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
  // The contact's own autonomy level applies, so the twin answers automatically.
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
  expect(sentTo(olga)).toEqual([]);
  await ann.put(`/api/conversations/${id}/contact`, { consent: "refused" });
  await hear(place, ivan, "А кофе?");
  expect(await answers(place, id)).toEqual([]);
  expect(sentTo(ivan)).toHaveLength(1);
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
  expect((await ann.post(`/api/digital-twins/${twinId}/exam`)).statusCode).toBe(200);
  await t.jobsIdle();
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
    // The owner's own test chat is his data, including the questions that the twin could not answer there.
    return left.filter((place) => !/^(conversation_messages|conversations|gap_questions|activity):/.test(place));
  };
  // The queue keeps the keys of jobs that ran at its last poll, and it polls every two seconds.
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
  // Simulates the end of the five-second undo delay.
  await t.services.db.update(outbox).set({ nextAttemptAt: new Date() }).where(eq(outbox.id, draft!.id));
  expect((await ann.post(`/api/approvals/${draft!.id}/undo`)).json().code).toBe("too_late");
  await asTenant(t.services.db, ann.caller, (tx) =>
    t.services.jobs.enqueue(tx, "send-outbox", { ...ann.caller, conversationId: id }),
  );
  await expect.poll(() => sentTo(ivan).length, { ...WAIT, timeout: 25_000 }).toBe(1);
  expect(sentTo(ivan)[0]).toMatch(/Денег не переводим\.$/);
  expect(await corrections()).toHaveLength(1);
  // The correction waits until the owner chooses its scope, once.
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
