import { utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type ImportState, importConsent } from "#contract/knowledge/imports.ts";
import { ExportReader } from "#server/imports/export-reader/export-reader.ts";
import { sweepUploads } from "#server/imports/uploads/uploads.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { replyExamples, sources } from "#server/platform/db/schema/knowledge.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import {
  history,
  importAll,
  makeTwin,
  multipart,
  type Part,
  prepareImports,
  previewOf,
  rowsOf,
  sample,
  t,
  telegramChat,
  upload,
  uploads,
} from "#server/test/imports/import-bench.ts";
import { jobData } from "./imports.ts";
import { previewImport } from "./preview-import.ts";
import { runImport } from "./run-import.ts";

prepareImports();

describe("an export", () => {
  test("that inserts messages into an old turn removes the pair of the old turn", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const start = 1_700_000_000;
    const said: [id: number, seconds: number, mine: boolean, text: string][] = [
      [1, 0, false, "Когда привезёте?"],
      [2, 40, true, "Сейчас узнаю"],
      [3, 60, true, "Завтра после обеда"],
      [4, 80, false, "А подъём на этаж?"],
      [5, 100, true, "Входит в цену"],
    ];
    const exported = (ids: number[]) =>
      JSON.stringify({
        name: "Анна",
        type: "personal_chat",
        id: 700,
        messages: said
          .filter(([id]) => ids.includes(id))
          .map(([id, seconds, mine, text]) => ({
            id,
            type: "message",
            date: "2023-11-14T22:13:20",
            date_unixtime: String(start + seconds),
            from: mine ? "Пётр" : "Анна",
            from_id: mine ? "user100" : "user700",
            text,
          })),
      });
    const pairs = () =>
      rowsOf(ann, (tx) =>
        tx
          .select({ incoming: replyExamples.incoming, reply: replyExamples.reply })
          .from(replyExamples)
          .where(eq(replyExamples.twinId, twinId))
          .orderBy(replyExamples.replyMessageId),
      );
    await importAll(ann, twinId, exported([1, 3, 5]), { ownerId: "user100" });
    expect(await pairs()).toEqual([{ incoming: "Когда привезёте?", reply: "Завтра после обеда\nВходит в цену" }]);
    await importAll(ann, twinId, exported([1, 2, 3, 4, 5]), { ownerId: "user100" });
    expect((await pairs()).toSorted((a, b) => a.reply.localeCompare(b.reply))).toEqual([
      { incoming: "А подъём на этаж?", reply: "Входит в цену" },
      { incoming: "Когда привезёте?", reply: "Сейчас узнаю\nЗавтра после обеда" },
    ]);
  });

  test("is uploaded, read and started with a choice, and results in messages, pairs and a training", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const state = await previewOf(ann, twinId, await sample("telegram-account.json"), "C:\\Выгрузка\\result.json");
    expect(state).toMatchObject({
      status: "preview",
      fileName: "result.json",
      format: "telegram-json",
      incomplete: false,
      suggestedOwner: "user100200300",
      rejected: [],
      total: 5,
      processed: 0,
    });
    expect(state.chats).toContainEqual({
      id: "user700100200",
      name: "Анна Соколова",
      kind: "private",
      messages: 2,
      from: "2024-03-12T11:05:33.000Z",
      to: "2024-03-12T11:05:40.000Z",
      firstLines: [
        { author: "Анна Соколова", text: "Как дела?" },
        { author: "Пётр Ильин", text: "норм" },
      ],
    });
    expect(state.chats.map((chat) => chat.kind)).toEqual(["private", "group", "saved", "channel"]);
    expect(state.people[0]).toEqual({ id: "user100200300", name: "Пётр Ильин", messages: 2 });
    expect(state.people.map((person) => person.id)).not.toContain("channel1100");

    const started = await ann.post(`/api/imports/${state.id}/start`, { ownerId: "user100200300", consent: true });
    expect(started.json()).toMatchObject({ id: state.id, status: "running", total: 2 });
    await t.jobsIdle();

    const done = (await ann.get(`/api/imports/${state.id}`)).json<ImportState>();
    expect(done).toMatchObject({ status: "done", total: 2, processed: 2, imported: 2, duplicates: 0 });
    // The owner's other chats are deleted with the file.
    expect(done.chats.map((chat) => chat.name)).toEqual(["Анна Соколова"]);
    expect(done.chats[0]!.firstLines).toBeUndefined();
    expect(done.people.map((person) => person.name)).toEqual(["Пётр Ильин"]);
    expect(await history(ann, twinId)).toEqual([
      { chat: "Анна Соколова", author: "Анна Соколова", mine: false, kind: "text", training: true, text: "Как дела?" },
      { chat: "Анна Соколова", author: null, mine: true, kind: "text", training: true, text: "норм" },
    ]);
    const pairs = await rowsOf(ann, (tx) => tx.select().from(replyExamples).where(eq(replyExamples.twinId, twinId)));
    expect(pairs).toMatchObject([{ incoming: "Как дела?", reply: "норм" }]);
    const [source] = await rowsOf(ann, (tx) => tx.select().from(sources).where(eq(sources.twinId, twinId)));
    expect(source).toMatchObject({
      kind: "export",
      platform: "telegram",
      name: "Telegram: Пётр Ильин",
      messageCount: 2,
    });
    const [entry] = await rowsOf(ann, (tx) => tx.select().from(activity).where(eq(activity.type, "import_completed")));
    expect(entry).toMatchObject({ description: "Импорт завершён: 2 сообщения", twinName: "Пётр", twinId });
    expect((await ann.get(`/api/digital-twins/${twinId}`)).json()).toMatchObject({ status: "ready" });
    expect((await ann.get(`/api/digital-twins/${twinId}/training`)).json()).toMatchObject({
      replyExamples: 1,
      messages: 2,
    });
    expect(await uploads()).toEqual([]);
    const list = (await ann.get("/api/imports")).json<ImportState[]>();
    expect(list).toMatchObject([{ id: state.id, status: "done", imported: 2, chats: [], people: [] }]);
  });

  test("starts only with a consent, and records who gave it, when, to which text and for what", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const { id } = await previewOf(ann, twinId, telegramChat(["Привет", "Привет!"]));
    for (const consent of [false, undefined, "true"]) {
      const refused = await ann.post(`/api/imports/${id}/start`, { ownerId: "user100", consent });
      expect(refused.statusCode).toBe(400);
      expect(refused.json().message).toBe("Подтвердите право использовать переписку");
    }
    const consents = () => t.services.db.select().from(auditLog).where(eq(auditLog.subject, id));
    expect(await consents()).toEqual([]);
    expect((await history(ann, twinId)).length).toBe(0);
    expect((await ann.post(`/api/imports/${id}/start`, { ownerId: "user100", consent: true })).statusCode).toBe(200);
    const [row] = await rowsOf(ann, (tx) => tx.select().from(imports).where(eq(imports.id, id)));
    expect(row!.consentAt).toBeInstanceOf(Date);
    expect(await consents()).toMatchObject([
      {
        action: "import-consent",
        userId: ann.caller.userId,
        orgId: ann.caller.organizationId,
        detail: { version: importConsent.version, twinId, ownerId: "user100", chats: 1 },
      },
    ]);
  });

  test("is not started with a consent to an older text", async () => {
    const ann = await t.signUp();
    const { id } = await previewOf(ann, await makeTwin(ann), telegramChat(["Привет", "Привет!"]));
    const start = (consentVersion: string) =>
      ann.post(`/api/imports/${id}/start`, { ownerId: "user100", consent: true, consentVersion });
    const refused = await start("2020-01-1");
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: "consent_changed" });
    expect((await ann.get(`/api/imports/${id}`)).json()).toMatchObject({ status: "preview" });
    expect(await t.services.db.select().from(auditLog).where(eq(auditLog.subject, id))).toEqual([]);
    expect((await start(importConsent.version)).statusCode).toBe(200);
  });

  test("reports unreadable lines and imports the others", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const state = await previewOf(ann, twinId, await sample("telegram-broken.json"));
    expect(state).toMatchObject({ status: "preview", rejectedCount: 3 });
    expect(state.rejected[0]).toEqual({ line: 4, reason: "Сообщение повреждено и не читается" });
  });

  test("fails with a message when it is empty", async () => {
    const ann = await t.signUp();
    const before = await uploads();
    const state = await previewOf(ann, await makeTwin(ann), telegramChat([]));
    expect(state).toMatchObject({ status: "failed", error: "В файле не нашлось ни одного сообщения" });
    expect(await uploads()).toEqual(before);
    expect((await ann.post(`/api/imports/${state.id}/start`, { ownerId: "user100", consent: true })).statusCode).toBe(
      409,
    );
  });

  test("whose reader never responds fails with a plain message, and its file is deleted", async () => {
    const ann = await t.signUp();
    const before = await uploads();
    const { id } = await previewOf(ann, await makeTwin(ann), telegramChat(["Ты где?", "Еду"]));
    await rowsOf(ann, (tx) => tx.update(imports).set({ status: "reading" }).where(eq(imports.id, id)));
    const hanging = new URL("../../test/processes/sandbox/odd-export-reader.ts", import.meta.url);
    const deps = { ...t.services, exports: new ExportReader({ stepMs: 500 }, hanging) };
    await previewImport(deps, jobData(ann.caller, id), new AbortController().signal);
    expect((await ann.get(`/api/imports/${id}`)).json()).toMatchObject({
      status: "failed",
      error: "Файл читался слишком долго, и мы остановились. Выгрузите переписку снова или по частям",
    });
    expect(await uploads()).toEqual(before);
  });

  test("whose file is missing fails and says what to do", async () => {
    const ann = await t.signUp();
    const state = await previewOf(ann, await makeTwin(ann), telegramChat(["Ты где?", "Еду"]));
    await rowsOf(ann, (tx) =>
      tx
        .update(imports)
        .set({ storedName: `export-${"0".repeat(32)}` })
        .where(eq(imports.id, state.id)),
    );
    await ann.post(`/api/imports/${state.id}/start`, { ownerId: "user100", consent: true });
    await t.jobsIdle();
    expect((await ann.get(`/api/imports/${state.id}`)).json()).toMatchObject({
      status: "failed",
      error: "Файла выгрузки больше нет на сервере: загрузите его снова",
    });
  });

  test("ends quietly when its twin is deleted", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const state = await previewOf(ann, twinId, telegramChat(["Ты где?", "Еду"]));
    await ann.post(`/api/imports/${state.id}/start`, { ownerId: "user100", consent: true });
    await rowsOf(ann, (tx) => tx.delete(twins).where(eq(twins.id, twinId)));
    await t.jobsIdle();
    expect((await ann.get(`/api/imports/${state.id}`)).statusCode).toBe(404);
    const { rows } = await t.services.db.execute(sql`select count(*) as failed from jobs.job where state = 'failed'`);
    expect(rows[0]).toEqual({ failed: 0 });
  });

  test("that is cancelled before its first batch leaves nothing of the file", async () => {
    const ann = await t.signUp();
    const before = await uploads();
    const { id } = await previewOf(ann, await makeTwin(ann), telegramChat(["Ты где?", "Еду"]));
    // Simulates the time between the start and the job's first check.
    await rowsOf(ann, (tx) =>
      tx
        .update(imports)
        .set({ status: "running", ownerId: "user100", chatIds: ["user700"] })
        .where(eq(imports.id, id)),
    );
    const cancelled = await ann.post(`/api/imports/${id}/cancel`);
    expect(cancelled.json()).toMatchObject({ status: "cancelled", imported: 0, chats: [], people: [] });
    expect(await uploads()).toEqual(before);
    await runImport(t.services, jobData(ann.caller, id), new AbortController().signal);
    expect((await ann.get(`/api/imports/${id}`)).json()).toMatchObject({ status: "cancelled", imported: 0 });
  });

  test("refuses an owner and chats that the file does not have", async () => {
    const ann = await t.signUp();
    const { id } = await previewOf(ann, await makeTwin(ann), telegramChat(["Ты где?", "Еду"]));
    const owner = await ann.post(`/api/imports/${id}/start`, { ownerId: "user999", consent: true });
    expect(owner.statusCode).toBe(422);
    expect(owner.json()).toMatchObject({ code: "unknown_owner", message: "Выберите себя среди участников переписки" });
    const chat = await ann.post(`/api/imports/${id}/start`, { ownerId: "user100", chatIds: ["user1"], consent: true });
    expect(chat.json()).toMatchObject({ code: "unknown_chat" });
    expect((await ann.get(`/api/imports/${id}`)).json()).toMatchObject({ status: "preview" });
  });
});

describe("permissions for imports", () => {
  test("another organisation's import does not exist for a stranger", async () => {
    const ann = await t.signUp();
    const { id } = await previewOf(ann, await makeTwin(ann), telegramChat(["Ты где?", "Еду"]));
    const stranger = await t.signUp();
    for (const answer of [
      await stranger.get(`/api/imports/${id}`),
      await stranger.post(`/api/imports/${id}/start`, { ownerId: "user100", consent: true }),
      await stranger.post(`/api/imports/${id}/cancel`),
    ]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: "import_not_found" });
    }
    expect((await stranger.get("/api/imports")).json()).toEqual([]);
    expect((await ann.get(`/api/imports/${id}`)).json()).toMatchObject({ status: "preview" });
  });

  test("an export is visible only to the user who uploaded it, whatever a colleague's role", async () => {
    const owner = await t.signUp();
    const { organizationId } = owner.caller;
    const { id } = await previewOf(owner, await makeTwin(owner), telegramChat(["Ты где?", "Еду"]));
    for (const role of ["org_admin", "user", "viewer"] as const) {
      const colleague = await t.signUp({ role, organizationId });
      expect((await colleague.get(`/api/imports/${id}`)).statusCode).toBe(404);
      expect((await colleague.get("/api/imports")).json()).toEqual([]);
      expect((await colleague.post(`/api/imports/${id}/cancel`)).statusCode).toBe(role === "viewer" ? 403 : 404);
    }
    expect((await t.anonymous.get(`/api/imports/${id}`)).statusCode).toBe(401);
  });

  test("a file for another organisation's or an unknown twin is refused", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(await t.signUp());
    const before = await uploads();
    for (const id of [twinId, "00000000-0000-4000-8000-000000000000"]) {
      const answer = await upload(ann, id, telegramChat(["Ты где?", "Еду"]));
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: "twin_not_found" });
    }
    expect((await upload(ann, "1", telegramChat(["Ты где?"]))).json().message).toBe("Выберите цифрового двойника");
    expect((await upload(t.anonymous, twinId, telegramChat(["Ты где?"]))).statusCode).toBe(401);
    const caller = await t.signUp({ role: "viewer" });
    expect((await upload(caller, twinId, telegramChat(["Ты где?"]))).statusCode).toBe(403);
    expect(await uploads()).toEqual(before);
  });
});

describe("an upload", () => {
  test("of an unknown format is refused with the list of supported ones", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const before = await uploads();
    for (const content of ["просто текст", "{}", Buffer.alloc(300_000, 7)]) {
      const answer = await upload(ann, twinId, content);
      expect(answer.statusCode).toBe(415);
      expect(answer.json().message).toContain("Telegram Desktop");
      expect(answer.json().message).toContain("WhatsApp");
    }
    expect((await upload(ann, twinId, "")).json()).toMatchObject({ code: "empty_file" });
    expect(await uploads()).toEqual(before);
  });

  test("with an invalid form is refused with a message on what was expected", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const file = { content: telegramChat(["Ты где?"]), fileName: "result.json" };
    const before = await uploads();
    const send = async (parts: Part[]) =>
      ann.inject({ method: "POST", url: "/api/imports", ...(await multipart(parts)) });
    const refusals: [Part[], string][] = [
      [
        [
          ["file", file],
          ["digitalTwinId", twinId],
        ],
        "twin_first",
      ],
      [[["digitalTwinId", twinId]], "no_file"],
      [
        [
          ["digitalTwinId", twinId],
          ["other", file],
        ],
        "unexpected_file",
      ],
      [
        [
          ["digitalTwinId", twinId],
          ["file", file],
          ["file", file],
        ],
        "bad_upload",
      ],
    ];
    for (const [parts, code] of refusals) {
      const answer = await send(parts);
      expect(answer.statusCode, code).toBe(400);
      expect(answer.json()).toMatchObject({ code });
    }
    expect((await ann.post("/api/imports", { digitalTwinId: twinId })).json()).toMatchObject({
      code: "multipart_expected",
    });
    const whole = await multipart([
      ["digitalTwinId", twinId],
      ["file", file],
    ]);
    const cut = await ann.inject({
      method: "POST",
      url: "/api/imports",
      headers: whole.headers,
      payload: whole.payload.subarray(0, whole.payload.length - 60),
    });
    expect(cut.statusCode, cut.body).toBe(400);
    expect(cut.json()).toMatchObject({ code: "upload_broken" });
    expect(await uploads()).toEqual(before);
  });

  test("larger than allowed is refused by its announced length", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const body = await multipart([
      ["digitalTwinId", twinId],
      ["file", { content: "1", fileName: "a" }],
    ]);
    const answer = await ann.inject({
      method: "POST",
      url: "/api/imports",
      ...body,
      headers: { ...body.headers, "content-length": String(3 * 1024 ** 3) },
    });
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ message: "Файл больше 2 ГБ: выгрузите переписку по частям" });
  });

  test("that is interrupted leaves no file", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const before = await uploads();
    await t.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = t.app.server.address() as { port: number };
    const { payload, headers } = await multipart([
      ["digitalTwinId", twinId],
      [
        "file",
        { content: telegramChat(Array.from({ length: 5000 }, (_, i) => `Сообщение ${i}`)), fileName: "result.json" },
      ],
    ]);
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `POST /api/imports HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ann.token}\r\n` +
        `Content-Type: ${headers["content-type"]}\r\nContent-Length: ${payload.length}\r\n\r\n`,
    );
    socket.write(payload.subarray(0, 200_000));
    await expect.poll(async () => (await uploads()).length).toBe(before.length + 1);
    socket.destroy();
    await expect.poll(uploads).toEqual(before);
    expect((await ann.get("/api/imports")).json()).toEqual([]);
  });

  test("is stored under a random name, readable only by the server's OS user", async () => {
    const ann = await t.signUp();
    const before = new Set(await uploads());
    const { id } = await previewOf(ann, await makeTwin(ann), telegramChat(["Ты где?", "Еду"]), "../../etc/passwd");
    const [name] = (await uploads()).filter((each) => !before.has(each));
    expect(name).toMatch(/^export-[0-9a-f]{32}$/);
    const { stat } = await import("node:fs/promises");
    expect((await stat(join(t.services.config.dataDir, "uploads", name!))).mode & 0o777).toBe(0o600);
    expect((await ann.get(`/api/imports/${id}`)).json()).toMatchObject({ fileName: "passwd" });
    await ann.post(`/api/imports/${id}/cancel`);
  });

  test("that belongs to no import is deleted after an hour", async () => {
    const { db, config } = t.services;
    const ann = await t.signUp();
    const { id } = await previewOf(ann, await makeTwin(ann), telegramChat(["Ты где?", "Еду"]));
    const [row] = await rowsOf(ann, (tx) => tx.select().from(imports).where(eq(imports.id, id)));
    const place = (name: string) => join(config.dataDir, "uploads", name);
    const orphans = ["a", "b"].map((letter) => `export-${letter.repeat(32)}`);
    for (const name of orphans) await writeFile(place(name), "x");
    const old = new Date(Date.now() - 25 * 3600 * 1000);
    for (const name of [orphans[0]!, row!.storedName!]) await utimes(place(name), old, old);
    expect(await sweepUploads(db, t.services.files)).toBe(1);
    const left = await uploads();
    expect(left).not.toContain(orphans[0]);
    expect(left).toEqual(expect.arrayContaining([orphans[1], row!.storedName]));
  });
});
