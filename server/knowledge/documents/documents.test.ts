import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { DELIVERY, document, form, prepareDocuments, t } from "#server/test/knowledge/documents-bench.ts";

prepareDocuments();

const RETURNS =
  "Вернуть товар можно в течение четырнадцати дней, если сохранились упаковка и чек. Деньги приходят за три дня.";

describe("a typed document", () => {
  test("is stored, makes the twin ready and appears in the activity feed", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const answer = await ann.post("/api/knowledge/upload", document(twinId, { tags: ["доставка", "", "доставка"] }));
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      name: "Доставка",
      type: "faq",
      status: "processed",
      digitalTwinId: twinId,
      content: DELIVERY,
      tags: ["доставка"],
      length: DELIVERY.length,
    });
    expect((await ann.get(`/api/digital-twins/${twinId}/training`)).json().running).toBe(true);
    await t.jobsIdle();

    const twin = (await ann.get(`/api/digital-twins/${twinId}`)).json();
    expect(twin.status).toBe("ready");
    expect(Date.parse(twin.lastTrainedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect((await ann.get(`/api/digital-twins/${twinId}/training`)).json()).toEqual({
      status: "ready",
      progress: 1,
      running: false,
      stage: null,
      error: null,
      chunks: 1,
      replyExamples: 0,
      messages: 0,
      embeddings: null,
    });
    const activity = (await ann.get("/api/activity/recent")).json() as { type: string; description: string }[];
    expect(activity.map((entry) => [entry.type, entry.description])).toEqual([
      ["training_completed", "Обучение завершено"],
      ["document_added", "Добавлен документ «Доставка»"],
      ["twin_created", "Создан двойник «Анна»"],
    ]);
  });

  test("is found by the search of the twin", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await ann.post("/api/knowledge/upload", document(twinId));
    await ann.post("/api/knowledge/upload", document(twinId, { name: "Возврат", content: RETURNS }));
    const search = (q: string) => ann.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent(q)}`);
    await t.jobsIdle();
    const hits = (await search("сколько стоит доставка?")).json();
    expect(hits[0]).toMatchObject({ kind: "document", name: "Доставка", text: expect.stringContaining("350 рублей") });
    expect((await search(" ")).json().message).toBe("Введите запрос");
    const stranger = await t.signUp();
    expect((await stranger.get(`/api/digital-twins/${twinId}/search?q=доставка`)).statusCode).toBe(404);
  });

  test("that is invalid is refused with the form's message", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const refused = await ann.post(
      "/api/knowledge/upload",
      document(twinId, { name: " ", content: "мало", type: "видео" }),
    );
    expect(refused.statusCode).toBe(400);
    expect(refused.json().fields).toEqual({
      name: "Название документа обязательно",
      content: "Содержимое должно быть минимум 50 символов",
      type: "Выберите тип документа",
    });
    expect((await ann.post("/api/knowledge/upload", document("", {}))).json().fields).toEqual({
      digitalTwinId: "Выберите цифрового двойника",
    });
    expect((await ann.post("/api/knowledge/upload")).statusCode).toBe(400);
    expect((await ann.get("/api/knowledge/documents")).json()).toEqual([]);
  });

  test("is accepted once per twin", async () => {
    const ann = await t.signUp();
    const [one, other] = [await buildTwin(ann), await buildTwin(ann)];
    expect((await ann.post("/api/knowledge/upload", document(one))).statusCode).toBe(201);
    const again = await ann.post("/api/knowledge/upload", document(one, { name: "Другое имя" }));
    expect(again.statusCode).toBe(409);
    expect(again.json().message).toBe("Этот документ уже загружен");
    expect((await ann.post("/api/knowledge/upload", document(other))).statusCode).toBe(201);
  });

  test("can be added only by members who may change the twin", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    const user = await t.signUp({ role: "user", organizationId });
    const caller = await t.signUp({ role: "viewer", organizationId });
    const stranger = await t.signUp();
    const twinId = await buildTwin(admin);
    const { id } = (await admin.post("/api/knowledge/upload", document(twinId))).json() as KnowledgeDocument;
    const other = document(twinId, { content: RETURNS });
    expect((await caller.post("/api/knowledge/upload", other)).statusCode).toBe(403);
    expect((await user.post("/api/knowledge/upload", other)).statusCode).toBe(403);
    const foreign = await stranger.post("/api/knowledge/upload", other);
    expect([foreign.statusCode, foreign.json().message]).toEqual([404, "Агент не найден"]);
    expect((await caller.get(`/api/knowledge/documents/${id}`)).statusCode).toBe(200);
    expect((await user.delete(`/api/knowledge/documents/${id}`)).statusCode).toBe(403);
    expect((await caller.delete(`/api/knowledge/documents/${id}`)).statusCode).toBe(403);
    expect((await stranger.get(`/api/knowledge/documents/${id}`)).statusCode).toBe(404);
    const missed = await stranger.delete(`/api/knowledge/documents/${id}`);
    expect([missed.statusCode, missed.json().message]).toEqual([404, "Документ не найден"]);
    expect((await stranger.get("/api/knowledge/documents")).json()).toEqual([]);
    expect((await admin.get("/api/knowledge/documents")).json()).toHaveLength(1);
  });
});

test("a list contains the beginning of each text, newest first, and a single document its whole text", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const long = "Слово и дело. ".repeat(100);
  const { id } = (await ann.post("/api/knowledge/upload", document(twinId, { content: long, name: "Длинный" }))).json();
  await ann.post("/api/knowledge/upload", document(twinId));
  const list = (await ann.get("/api/knowledge/documents")).json() as KnowledgeDocument[];
  expect(list.map((row) => row.name)).toEqual(["Доставка", "Длинный"]);
  expect(list[1]).toMatchObject({ content: long.slice(0, 300), length: long.length });
  expect((await ann.get(`/api/knowledge/documents/${id}`)).json().content).toBe(long);
});

describe("uploaded files", () => {
  const sample = (name: string) => readFileSync(join(import.meta.dirname, "samples", name));

  test("one file returns one document, whatever the order of the fields", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const fields = { digitalTwinId: twinId, type: "policy", tags: "правила, магазин ,," };
    const answer = await ann.inject(form(fields, [{ name: "Правила магазина.pdf", bytes: sample("rules.pdf") }], true));
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      name: "Правила магазина.pdf",
      type: "policy",
      tags: ["правила", "магазин"],
      content: expect.stringContaining("Доставка по Москве занимает один-два рабочих дня"),
    });
    await t.jobsIdle();
    expect((await ann.get(`/api/digital-twins/${twinId}`)).json().status).toBe("ready");
  });

  test("a single file may be given another name, several keep their own", async () => {
    const ann = await t.signUp();
    const fields = { digitalTwinId: await buildTwin(ann), type: "faq", name: " Доставка " };
    const one = await ann.inject(form(fields, [{ name: "скан_1.txt", bytes: DELIVERY }]));
    expect(one.json()).toMatchObject({ name: "Доставка" });
    const files = [RETURNS, `${RETURNS} И ещё.`].map((bytes, at) => ({ name: `${at}.txt`, bytes }));
    expect((await ann.inject(form(fields, files))).json()).toMatchObject([{ name: "0.txt" }, { name: "1.txt" }]);
    const long = await ann.inject(
      form({ ...fields, name: "а".repeat(1000) }, [{ name: "д.txt", bytes: `${DELIVERY} Ещё.` }]),
    );
    expect(long.json()).toMatchObject({ name: "а".repeat(1000) });
    const endless = await ann.inject(form({ ...fields, name: "а".repeat(4001) }, files.slice(0, 1)));
    expect(endless.json()).toMatchObject({ message: "Слишком длинное название" });
  });

  test("of several files the valid ones are stored, and each of the others gets its own reason", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const answer = await ann.inject(
      form({ digitalTwinId: twinId, type: "faq" }, [
        { name: "доставка.txt", bytes: DELIVERY },
        { name: "пусто.txt", bytes: "" },
        { name: "../../etc/копия.md", bytes: DELIVERY },
        { name: "коротко.txt", bytes: "Мало слов" },
        { name: "возврат.md", bytes: RETURNS },
        { name: "фото.txt", bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]) },
      ]),
    );
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject([
      { name: "доставка.txt", status: "processed" },
      { name: "пусто.txt", status: "failed", error: "Файл пуст" },
      { name: "копия.md", status: "failed", error: "Этот документ уже загружен" },
      { name: "коротко.txt", status: "failed", error: "Содержимое должно быть минимум 50 символов" },
      { name: "возврат.md", status: "processed" },
      { name: "фото.txt", status: "failed", error: expect.stringContaining("не соответствует расширению") },
    ]);
    expect((await ann.get("/api/knowledge/documents")).json()).toHaveLength(2);
  });

  test("when all files are refused the response is 422 with a sentence for each", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const fields = { digitalTwinId: twinId, type: "faq" };
    const several = await ann.inject(
      form(fields, [
        { name: "а.txt", bytes: "" },
        { name: "б.rtf", bytes: "{\\rtf1 x}" },
      ]),
    );
    expect(several.statusCode).toBe(422);
    expect(several.json()).toMatchObject({
      code: "documents_failed",
      fields: { "а.txt": "Файл пуст", "б.rtf": expect.stringContaining("RTF не поддерживается") },
    });
    const one = await ann.inject(form(fields, [{ name: "б.rtf", bytes: "{\\rtf1 x}" }]));
    expect([one.statusCode, one.json().code]).toEqual([415, "document_type_unsupported"]);
  });

  test("an invalid form is refused: no twin, no type, no file, too many files, another organisation's twin", async () => {
    const ann = await t.signUp();
    const stranger = await t.signUp();
    const twinId = await buildTwin(ann);
    const file = { name: "доставка.txt", bytes: DELIVERY };
    const noType = await ann.inject(form({ digitalTwinId: twinId }, [file]));
    expect([noType.statusCode, noType.json().message]).toEqual([400, "Выберите тип документа"]);
    const noTwin = await ann.inject(form({ type: "faq" }, [file]));
    expect([noTwin.statusCode, noTwin.json().message]).toEqual([400, "Выберите цифрового двойника"]);
    const noFile = await ann.inject(form({ digitalTwinId: twinId, type: "faq" }, []));
    expect([noFile.statusCode, noFile.json().message]).toEqual([400, "Выберите файл"]);
    const many = Array.from({ length: 21 }, (_, at) => ({ name: `${at}.txt`, bytes: `${at} ${DELIVERY}` }));
    const tooMany = await ann.inject(form({ digitalTwinId: twinId, type: "faq" }, many));
    expect([tooMany.statusCode, tooMany.json().message]).toEqual([413, "Не больше 20 файлов за раз"]);
    const foreign = await stranger.inject(form({ digitalTwinId: twinId, type: "faq" }, [file, file]));
    expect([foreign.statusCode, foreign.json().message]).toEqual([404, "Агент не найден"]);
    const broken = await ann.inject({
      ...form({ digitalTwinId: twinId, type: "faq" }, [file]),
      payload: Buffer.from("не форма"),
    });
    expect(broken.statusCode).toBeGreaterThanOrEqual(400);
    expect(broken.statusCode).toBeLessThan(500);
    expect((await ann.get("/api/knowledge/documents")).json()).toEqual([]);
  });
});
