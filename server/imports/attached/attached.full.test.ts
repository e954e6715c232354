/** Recordings and pictures of an export: platforms, limits, interruptions, and deletion with their owners. */
import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { KnowledgeSource, SourceContents } from "#contract/knowledge/knowledge-base.ts";
import { jobData } from "#server/imports/runs/imports.ts";
import { runImport } from "#server/imports/runs/run-import.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { mediaReaders } from "#server/platform/db/schema/models.ts";
import { zipOf } from "#server/test/files/zip.ts";
import {
  FILES,
  history,
  importAll,
  mediaOf,
  type Owner,
  originalsOf,
  owner,
  pairsOf,
  photo,
  prepareAttached,
  preview,
  QUESTION,
  rowsOf,
  service,
  shown,
  stateOf,
  t,
  telegramZip,
  voice,
} from "#server/test/imports/attached-bench.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { readImported, resumeImported } from "./read-imported.ts";

prepareAttached();

describe("the choice", () => {
  test("before the start it is said how many recordings and pictures each chat has, by what is read here", async () => {
    const who = await owner();
    const { chats } = await preview(who, telegramZip(QUESTION, FILES));
    expect(chats[0]!.attached).toEqual([
      { kind: "speech", files: 2, bytes: voice("one").length + voice("two").length },
      { kind: "picture", files: 1, bytes: photo("a receipt").length },
    ]);
    const deaf = await owner(["picture"]);
    const [chat] = (await preview(deaf, telegramZip(QUESTION, FILES))).chats;
    expect(chat!.attached).toEqual([{ kind: "picture", files: 1, bytes: photo("a receipt").length }]);
    const blind = await owner([]);
    expect((await preview(blind, telegramZip(QUESTION, FILES))).chats[0]).not.toHaveProperty("attached");
  });

  test("nothing is taken or read unless it was chosen, and what was not chosen may be fetched by another import", async () => {
    const who = await owner();
    const first = await importAll(who, telegramZip(QUESTION, FILES), { attached: false });
    expect(first).toMatchObject({ status: "done", imported: 5 });
    expect(first).not.toHaveProperty("attached");
    expect(await mediaOf(who)).toEqual([]);
    const second = await importAll(who, telegramZip(QUESTION, FILES));
    expect(second).toMatchObject({ imported: 0, duplicates: 5, attached: { total: 3, read: 3, unsure: 0, failed: 0 } });
    expect(await mediaOf(who)).toHaveLength(3);
  });

  test("chats that were not chosen keep theirs to themselves", async () => {
    const who = await owner();
    const other = { name: "Борис", type: "personal_chat", id: 800, messages: [] as object[] };
    other.messages.push({
      ...{ id: 1, type: "message", date_unixtime: "1700000000", from: "Борис", from_id: "user800", text: "" },
      ...{ file: "chats/chat_2/voice_messages/audio_1.ogg", media_type: "voice_message" },
    });
    const chosen = { ...other, name: "Анна", id: 700 };
    chosen.messages = [
      {
        ...{ id: 1, type: "message", date_unixtime: "1700000000", from: "Анна", from_id: "user700", text: "" },
        ...{ file: "chats/chat_1/voice_messages/audio_1.ogg", media_type: "voice_message" },
      },
      { id: 2, type: "message", date_unixtime: "1700000900", from: "Пётр", from_id: "user100", text: "Да" },
    ];
    const content = Buffer.from(JSON.stringify({ chats: { list: [chosen, other] } }, null, 1));
    const zip = zipOf([
      { name: "result.json", content },
      { name: "chats/chat_1/voice_messages/audio_1.ogg", content: voice("Anna's") },
      { name: "chats/chat_2/voice_messages/audio_1.ogg", content: voice("Boris's") },
    ]);
    await importAll(who, zip, { chatIds: ["user700"] });
    expect((await mediaOf(who)).map(({ source }) => source)).toEqual([
      { file: 0, name: "chats/chat_1/voice_messages/audio_1.ogg" },
    ]);
    expect(service.heard.map(({ bytes }) => bytes.toString())).toEqual([voice("Anna's").toString()]);
  });
});

describe("what is said", () => {
  test("with low confidence is shown beside the message and not learnt", async () => {
    const who = await owner();
    service.says = { text: "Ста рублей", sure: 0.3 };
    const done = await importAll(who, telegramZip(QUESTION, FILES));
    expect(done.attached).toEqual({ total: 3, read: 3, unsure: 3, failed: 0 });
    expect((await history(who)).map(({ kind, text }) => [kind, text])).toEqual([
      ["media", ""],
      ["text", "Триста рублей"],
      ["media", ""],
      ["media", ""],
      ["text", "Спасибо"],
    ]);
    expect(await pairsOf(who)).toEqual([]);
    const first = (await shown(who)).at(-1)!;
    expect(first).toMatchObject({ content: "", media: [{ text: "Ста рублей", sure: false }] });
  });

  test("of a photo with a caption stands beside the caption", async () => {
    const who = await owner();
    const lines = [
      { text: "Вот чек", photo: "photos/photo_1.jpg" },
      { mine: true, text: "Вижу" },
    ];
    await importAll(who, telegramZip(lines, FILES));
    expect((await history(who)).map(({ kind, text }) => [kind, text])).toEqual([
      ["text", "Вот чек"],
      ["text", "Вижу"],
    ]);
    expect((await mediaOf(who))[0]).toMatchObject({ state: "done", text: "Сколько стоит доставка?" });
  });

  test("beyond half of the day's minutes waits for another day, and the rest of the day is left for who writes now", async () => {
    const who = await owner(["speech"], { dailyLimit: 1 });
    const lines = Array.from({ length: 40 }, (_, at) => ({ voice: `v/${at}.ogg`, mine: at % 2 === 1 }));
    const files = lines.map((_, at) => ({ name: `v/${at}.ogg`, content: voice(String(at)) }));
    const { id, attached } = await importAll(who, telegramZip(lines, files));
    // Each counts as at least one second.
    expect(attached).toEqual({ total: 40, read: 30, unsure: 0, failed: 0 });
    const { organizationId: orgId } = who.ann.caller;
    await rowsOf(who, (tx) => tx.update(mediaReaders).set({ day: "2020-01-01" }).where(eq(mediaReaders.orgId, orgId)));
    await resumeImported(t.services, Date.now() + 3600_000);
    await t.jobsIdle();
    expect((await stateOf(who.ann, id)).attached).toEqual({ total: 40, read: 40, unsure: 0, failed: 0 });
  });
});

describe("other platforms", () => {
  test("WhatsApp's chat names its recordings and photos, and stickers are left out", async () => {
    const who = await owner();
    const chat = [
      "12.03.2024, 14:05 - Анна: PTT-20240312-WA0001.opus (файл добавлен)",
      "12.03.2024, 14:06 - Пётр: Триста рублей",
      "12.03.2024, 14:30 - Анна: IMG-20240312-WA0002.jpg (файл добавлен)",
      "Вот чек",
      "12.03.2024, 14:40 - Анна: STK-20240312-WA0003.webp (файл добавлен)",
      "12.03.2024, 14:50 - Пётр: Спасибо",
    ].join("\n");
    const zip = zipOf([
      { name: "Чат WhatsApp с Анна.txt", content: Buffer.from(chat) },
      { name: "PTT-20240312-WA0001.opus", content: voice("one") },
      { name: "IMG-20240312-WA0002.jpg", content: photo("a receipt") },
      { name: "STK-20240312-WA0003.webp", content: photo("a sticker") },
    ]);
    const done = await importAll(who, zip, { ownerId: "Пётр" });
    expect(done).toMatchObject({ imported: 5, attached: { total: 2, read: 2 } });
    expect((await mediaOf(who)).map(({ kind, state }) => [kind, state])).toEqual([
      ["speech", "done"],
      ["picture", "done"],
    ]);
    expect((await history(who)).map(({ text }) => text)).toEqual([
      ...["Сколько стоит доставка?", "Триста рублей", "Вот чек", "", "Спасибо"],
    ]);
    const again = await importAll(who, zip, { ownerId: "Пётр" });
    expect(again).toMatchObject({ imported: 0, duplicates: 5 });
    expect(await mediaOf(who)).toHaveLength(2);
    expect(service.heard).toHaveLength(2);
  });

  test("an iPhone's chat names them in brackets", async () => {
    const who = await owner();
    const chat = [
      "[12.03.2024, 14:05:40] Анна: \u200e<прикреплено: 00000002-AUDIO-2024-03-12-14-05-40.opus>",
      "[12.03.2024, 14:06:00] Пётр: Триста рублей",
      "",
    ].join("\n");
    const zip = zipOf([
      { name: "_chat.txt", content: Buffer.from(chat) },
      { name: "00000002-AUDIO-2024-03-12-14-05-40.opus", content: voice("one") },
    ]);
    await importAll(who, zip, { ownerId: "Пётр" });
    expect(await pairsOf(who)).toEqual([{ incoming: "Сколько стоит доставка?", reply: "Триста рублей" }]);
  });

  test("Meta's messages name them from the root of the archive, several to a message", async () => {
    const who = await owner();
    const at = "your_facebook_activity/messages/inbox/anna_17";
    const messages = [
      { sender_name: "Petr", timestamp_ms: 1_710_000_900_000, content: "Trista rublej" },
      {
        ...{ sender_name: "Anna", timestamp_ms: 1_710_000_000_000, content: "Anna sent a voice message." },
        audio_files: [
          { uri: `${at}/audio/1.ogg` },
          { uri: `${at}/audio/2.ogg` },
          { uri: "https://facebook.com/a.ogg" },
        ],
      },
    ];
    const participants = [{ name: "Anna" }, { name: "Petr" }];
    const page = { participants, messages, title: "Anna", thread_path: "inbox/anna_17" };
    const zip = zipOf([
      { name: `${at}/message_1.json`, content: Buffer.from(JSON.stringify(page)) },
      { name: `${at}/audio/1.ogg`, content: voice("one") },
      { name: `${at}/audio/2.ogg`, content: voice("two") },
    ]);
    await importAll(who, zip, { ownerId: "Petr" });
    expect((await mediaOf(who)).map(({ place, state }) => [place, state])).toEqual([
      [0, "done"],
      [1, "done"],
    ]);
    const words = "Сколько стоит доставка?";
    expect(await pairsOf(who)).toEqual([{ incoming: `${words}\n${words}`, reply: "Trista rublej" }]);
  });
});

describe("a stranger's archive", () => {
  test("one file that many messages name is taken once", async () => {
    const who = await owner();
    const lines = Array.from({ length: 5 }, () => ({ voice: "v/1.ogg" }));
    await importAll(
      who,
      telegramZip([...lines, { mine: true, text: "Да" }], [{ name: "v/1.ogg", content: voice("a") }]),
    );
    expect(await mediaOf(who)).toHaveLength(1);
  });
});

describe("an end in between", () => {
  /** Creates an import whose messages are stored and whose attached files are still in the archive. */
  async function halfDone(who: Owner) {
    const { id } = await preview(who, telegramZip(QUESTION, FILES));
    await who.ann.post(`/api/imports/${id}/start`, { consent: true, ownerId: "user100", attached: true });
    return id;
  }

  test("a file that was half written when the process ended is taken again, and the former one is removed", async () => {
    const who = await owner();
    const id = await halfDone(who);
    await t.jobsIdle();
    const before = await mediaOf(who);
    // Simulates a crash after the row was created and before its bytes were stored.
    await rowsOf(who, (tx) =>
      tx.update(mediaFiles).set({ state: "waiting", storedAt: null }).where(eq(mediaFiles.id, before[0]!.id)),
    );
    await t.services.db.execute(sql`update imports set status = 'running' where id = ${id}`);
    expect((await stateOf(who.ann, id)).attached).toMatchObject({ read: 2 });
    const { id: other } = await preview(who, telegramZip(QUESTION, FILES));
    await t.services.db.execute(
      sql`update imports set stored_name = (select stored_name from imports where id = ${other}) where id = ${id}`,
    );
    await runImport(t.services, jobData(who.ann.caller, id), new AbortController().signal);
    await t.jobsIdle();
    const after = await mediaOf(who);
    expect(after.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(after[0]!.storedName).not.toBe(before[0]!.storedName);
    expect(await originalsOf([before[0]!.storedName])).toBe(0);
  });

  test("a job that is run again does nothing twice", async () => {
    const who = await owner();
    await importAll(who, telegramZip(QUESTION, FILES));
    const [first] = await mediaOf(who);
    const heard = service.heard.length;
    const { organizationId, userId } = who.ann.caller;
    const job = { organizationId, userId, mediaId: first!.id };
    await readImported(t.services, job, new AbortController().signal);
    expect(service.heard).toHaveLength(heard);
    expect(await pairsOf(who)).toHaveLength(1);
  });

  test("a cancelled import takes nothing more", async () => {
    const who = await owner();
    const id = await halfDone(who);
    await t.jobsIdle();
    const [first] = await mediaOf(who);
    await rowsOf(who, (tx) =>
      tx.update(mediaFiles).set({ state: "waiting", storedAt: null }).where(eq(mediaFiles.id, first!.id)),
    );
    await t.services.db.execute(sql`update imports set status = 'running' where id = ${id}`);
    expect((await who.ann.post(`/api/imports/${id}/cancel`, {})).statusCode).toBe(200);
    await t.jobsIdle();
    expect(await mediaOf(who)).toHaveLength(2);
  });
});

describe("who may have them, and until when", () => {
  const removals: [string, (who: Owner) => Promise<{ statusCode: number }>][] = [
    ["the source", async ({ ann }) => ann.delete(`/api/knowledge-base/sources/${await sourceOf(ann)}`)],
    [
      "the chat",
      async ({ ann }) => {
        const id = await sourceOf(ann);
        const { chats } = (await ann.get(`/api/knowledge-base/sources/${id}/contents`)).json<SourceContents>();
        return ann.delete(`/api/knowledge-base/sources/${id}/chats/${chats[0]!.id}`);
      },
    ],
    [
      "the person",
      async ({ ann }) => {
        const id = await sourceOf(ann);
        const { people } = (await ann.get(`/api/knowledge-base/sources/${id}/contents`)).json<SourceContents>();
        return ann.delete(`/api/knowledge-base/sources/${id}/people/${people[0]!.id}`);
      },
    ],
    ["the twin", ({ ann, twinId }) => ann.delete(`/api/digital-twins/${twinId}`)],
  ];
  test.each(removals)("files and texts go with %s", async (_, remove) => {
    const who = await owner();
    await importAll(who, telegramZip(QUESTION, FILES));
    const names = (await mediaOf(who)).map(({ storedName }) => storedName);
    expect(await originalsOf(names)).toBe(3);
    const removed = await remove(who);
    expect([200, 204]).toContain(removed.statusCode);
    expect(await mediaOf(who)).toEqual([]);
    expect(await originalsOf(names)).toBe(0);
  });

  const sourceOf = async (ann: TestClient) =>
    (await ann.get("/api/knowledge-base/sources")).json<KnowledgeSource[]>()[0]!.id;

  test("they count in the organisation's storage, and where it is full the rest is left in the archive", async () => {
    const who = await owner();
    await importAll(who, telegramZip(QUESTION, FILES));
    const usage = (await who.ann.get(`/api/organizations/${who.ann.caller.organizationId}/storage`)).json<{
      mediaBytes: number;
    }>();
    expect(usage.mediaBytes).toBe(voice("one").length + voice("two").length + photo("a receipt").length);
    const full = await owner();
    const { id } = await preview(full, telegramZip(QUESTION, FILES));
    await rowsOf(full, (tx) =>
      tx.execute(sql`update imports set status = 'running', owner_id = 'user100', chat_ids = '{user700}', with_attached = true,
        total = 5 where id = ${id}`),
    );
    const deps = { ...t.services, config: { ...t.services.config, organizationBytes: 10 } };
    await runImport(deps, jobData(full.ann.caller, id), new AbortController().signal);
    await t.jobsIdle();
    expect(await stateOf(full.ann, id)).toMatchObject({
      status: "done",
      imported: 5,
      attached: { total: 3, failed: 3 },
    });
    const notes = await rowsOf(full, (tx) =>
      tx
        .select({ note: mediaFiles.note })
        .from(mediaFiles)
        .where(and(eq(mediaFiles.importId, id))),
    );
    expect(new Set(notes.map(({ note }) => note))).toEqual(new Set(["Место организации закончилось."]));
  });
});
