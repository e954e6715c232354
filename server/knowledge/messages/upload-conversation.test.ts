import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { chats, contacts, messages, replyExamples, sources } from "#server/platform/db/schema/knowledge.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** Lines as the form sends them: classified, with the time of pasting. */
const conversation = (digitalTwinId: string, lines: string[], changes: object = {}) => ({
  digitalTwinId,
  platform: "telegram",
  participants: ["Олег Петров"],
  messages: lines.map((content) => ({
    content,
    role: content.includes("Вы:") ? "assistant" : "user",
    timestamp: "2024-05-01T10:00:00.000Z",
  })),
  ...changes,
});

const TALK = [
  "Олег: Привет!",
  "Олег: Ты тут?",
  "Вы: Привет) да, конечно",
  "Олег: Цену скажешь?",
  "Вы: 1500 рублей",
  "Вы: Дешевле нет",
];

const stored = (client: TestClient, twinId: string) =>
  asTenant(t.services.db, client.caller, async (tx) => ({
    sources: await tx.select().from(sources).where(eq(sources.twinId, twinId)),
    chats: await tx.select().from(chats).where(eq(chats.twinId, twinId)),
    contacts: await tx.select().from(contacts).where(eq(contacts.twinId, twinId)),
    messages: await tx.select().from(messages).where(eq(messages.twinId, twinId)).orderBy(asc(messages.sentAt)),
    replyExamples: await tx
      .select()
      .from(replyExamples)
      .where(eq(replyExamples.twinId, twinId))
      .orderBy(asc(replyExamples.id)),
  }));

describe("a pasted conversation", () => {
  test("becomes a source, a chat, a contact, ordered messages without labels, and reply examples", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const answer = await ann.post("/api/conversations/upload", conversation(twinId, TALK));
    expect(answer.statusCode).toBe(201);
    const rows = await stored(ann, twinId);
    expect(answer.json()).toEqual({ imported: 6, fromOwner: 3, duplicates: 0, sourceId: rows.sources[0]!.id });
    expect(rows.sources).toMatchObject([
      { kind: "paste", platform: "telegram", name: "Олег Петров", status: "active", messageCount: 6 },
    ]);
    expect(rows.chats).toMatchObject([{ kind: "private", name: "Олег Петров", platform: "telegram" }]);
    expect(rows.contacts).toMatchObject([{ name: "Олег Петров", externalId: "олег петров" }]);
    expect(rows.messages.map((row) => [row.fromOwner, row.contactId === null, row.text])).toEqual([
      [false, false, "Привет!"],
      [false, false, "Ты тут?"],
      [true, true, "Привет) да, конечно"],
      [false, false, "Цену скажешь?"],
      [true, true, "1500 рублей"],
      [true, true, "Дешевле нет"],
    ]);
    const contactId = rows.contacts[0]!.id;
    expect(rows.replyExamples.map(({ incoming, reply, contactId: whose }) => ({ incoming, reply, whose }))).toEqual([
      { incoming: "Привет!\nТы тут?", reply: "Привет) да, конечно", whose: contactId },
      { incoming: "Цену скажешь?", reply: "1500 рублей\nДешевле нет", whose: contactId },
    ]);
  });

  test("makes the twin ready with a style profile", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await ann.post("/api/conversations/upload", conversation(twinId, TALK));
    await t.jobsIdle();
    expect((await ann.get(`/api/digital-twins/${twinId}`)).json().status).toBe("ready");
    expect((await ann.get(`/api/digital-twins/${twinId}/training`)).json()).toMatchObject({
      chunks: 0,
      replyExamples: 2,
      messages: 6,
      running: false,
    });
    const found = (await ann.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent("цена")}`)).json();
    expect(found[0]).toMatchObject({ kind: "message", text: "Цену скажешь?", name: "Олег Петров", fromOwner: false });
    // The line is in the conversation with Oleg, but the owner wrote it.
    const own = (await ann.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent("дешевле")}`)).json();
    expect(own[0]).toMatchObject({ text: "Дешевле нет", name: "Олег Петров", fromOwner: true });
  });

  test("adds nothing when pasted twice, and only new lines when a longer one is pasted, which extend the last pair", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await ann.post("/api/conversations/upload", conversation(twinId, TALK));
    const again = (await ann.post("/api/conversations/upload", conversation(twinId, TALK))).json();
    expect(again).toMatchObject({ imported: 0, duplicates: 6 });
    const longer = [...TALK, "Вы: Но подумаю", "Олег: Ок", "Олег: Ок"];
    const more = (
      await ann.post("/api/conversations/upload", conversation(twinId, longer, { participants: [" олег  петров "] }))
    ).json();
    expect(more).toMatchObject({ imported: 3, duplicates: 6, sourceId: again.sourceId });
    const rows = await stored(ann, twinId);
    expect(rows.sources).toHaveLength(1);
    expect(rows.sources[0]!.messageCount).toBe(9);
    expect(rows.messages.map((row) => row.text).slice(-3)).toEqual(["Но подумаю", "Ок", "Ок"]);
    expect(rows.replyExamples.map((row) => row.reply)).toEqual([
      "Привет) да, конечно",
      "1500 рублей\nДешевле нет\nНо подумаю",
    ]);
  });

  test("keeps the times in the pasted text", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const lines = ["[12.03.2024, 14:05] Олег: Добрый день", "[13.03.2024, 20:00] Вы: Добрый)"];
    await ann.post("/api/conversations/upload", conversation(twinId, lines));
    const rows = await stored(ann, twinId);
    expect(rows.messages.map((row) => row.sentAt.toISOString())).toEqual([
      "2024-03-12T11:05:00.000Z",
      "2024-03-13T17:00:00.000Z",
    ]);
    // The pause exceeds a day, so this is no answer.
    expect(rows.replyExamples).toEqual([]);
  });

  test("that is invalid is refused with the form's message and stores nothing", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const refuse = async (changes: object) =>
      (await ann.post("/api/conversations/upload", conversation(twinId, TALK, changes))).json();
    expect((await refuse({ participants: [] })).message).toBe("Имя участника обязательно");
    expect((await refuse({ participants: [" "] })).message).toBe("Имя участника обязательно");
    expect((await refuse({ platform: "icq" })).message).toBe("Выберите платформу");
    expect((await refuse({ digitalTwinId: "" })).message).toBe("Выберите цифрового двойника");
    expect((await refuse({ messages: [] })).message).toBe("В переписке нет сообщений");
    expect((await refuse({ messages: [{ role: "owner", content: "…" }] })).code).toBe("invalid_input");
    const silent = await ann.post("/api/conversations/upload", conversation(twinId, ["Вы:"]));
    expect([silent.statusCode, silent.json().message]).toEqual([422, "В переписке нет сообщений"]);
    expect((await stored(ann, twinId)).sources).toEqual([]);
  });

  test("can be added only by members who may change the twin", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    const twinId = await buildTwin(admin);
    const user = await t.signUp({ role: "user", organizationId });
    const caller = await t.signUp({ role: "viewer", organizationId });
    const stranger = await t.signUp();
    const upload = async (client: TestClient) =>
      (await client.post("/api/conversations/upload", conversation(twinId, TALK))).statusCode;
    expect([await upload(user), await upload(caller), await upload(stranger)]).toEqual([403, 403, 404]);
    expect((await stored(admin, twinId)).messages).toEqual([]);
  });

  test("five thousand lines are stored and paired at once", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const lines = Array.from({ length: 2500 }, (_, at) => [`Олег: вопрос ${at}`, `Вы: ответ ${at}`]).flat();
    const answer = await ann.post("/api/conversations/upload", conversation(twinId, lines));
    expect(answer.json()).toMatchObject({ imported: 5000, fromOwner: 2500 });
    const rows = await stored(ann, twinId);
    expect(rows.replyExamples).toHaveLength(2500);
    expect(rows.replyExamples[2000]).toMatchObject({ incoming: "вопрос 2000", reply: "ответ 2000" });
  });
});
