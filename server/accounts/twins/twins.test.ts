import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

async function createTwin(client: TestClient, changes: object = {}): Promise<{ id: string }> {
  const answer = await client.post("/api/digital-twins", { ...TWIN, ...changes });
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

describe("creating and reading", () => {
  test("a new twin is active, in training and has the given expertise", async () => {
    const ann = await t.signUp();
    const created = await createTwin(ann);
    expect(created).toMatchObject({
      name: "Анна",
      status: "training",
      isActive: true,
      expertise: ["Доставка и возврат"],
      styleAccuracy: null,
      lastTrainedAt: null,
      ownerId: ann.caller.userId,
    });
    expect((await ann.get(`/api/digital-twins/${created.id}`)).json()).toEqual(created);
    expect((await ann.get(`/api/digital-twins/${created.id}/training`)).json()).toEqual({
      status: "training",
      progress: 1,
      running: false,
      stage: null,
      error: null,
      chunks: 0,
      replyExamples: 0,
      messages: 0,
      embeddings: null,
    });
  });

  test("the list has the newest first", async () => {
    const ann = await t.signUp();
    for (const name of ["Первый", "Второй", "Третий"]) await createTwin(ann, { name });
    const list = (await ann.get("/api/digital-twins")).json() as { name: string }[];
    expect(list.map((twin) => twin.name)).toEqual(["Третий", "Второй", "Первый"]);
  });

  test("each invalid field is reported with the form's message, and nothing is created", async () => {
    const ann = await t.signUp();
    const answer = await ann.post("/api/digital-twins", {
      name: " ",
      description: "коротко",
      personality: "мало",
      communicationStyle: "мало",
      knowledgeArea: "мало",
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "invalid_input",
      fields: {
        name: "Имя агента обязательно",
        description: "Описание должно содержать минимум 10 символов",
        personality: "Описание личности должно быть подробным",
        communicationStyle: "Опишите стиль общения",
        knowledgeArea: "Укажите область знаний",
      },
    });
    expect((await ann.post("/api/digital-twins", undefined)).statusCode).toBe(400);
    expect((await ann.post("/api/digital-twins", { ...TWIN, name: 5 })).json().fields).toEqual({
      name: "Имя агента обязательно",
    });
    expect((await ann.get("/api/digital-twins")).json()).toEqual([]);
  });

  test("status, owner and organisation in a body are ignored", async () => {
    const ann = await t.signUp();
    const stranger = await t.signUp();
    const forged = {
      id: randomUUID(),
      status: "ready",
      isActive: false,
      ownerId: stranger.caller.userId,
      userId: stranger.caller.userId,
      orgId: stranger.caller.organizationId,
      org_id: stranger.caller.organizationId,
      styleAccuracy: 1,
      knowledgeRevision: 9,
    };
    const created = (await ann.post("/api/digital-twins", { ...TWIN, ...forged })).json();
    expect(created).toMatchObject({ status: "training", isActive: true, ownerId: ann.caller.userId });
    expect(created.id).not.toBe(forged.id);
    const updated = await ann.put(`/api/digital-twins/${created.id}`, { name: "Новая", ...forged });
    expect(updated.json()).toMatchObject({ name: "Новая", status: "training", ownerId: ann.caller.userId });
    expect((await stranger.get("/api/digital-twins")).json()).toEqual([]);
  });
});

describe("changing", () => {
  test("absent fields stay unchanged, and the active switch can be changed alone", async () => {
    const ann = await t.signUp();
    const { id } = await createTwin(ann);
    const paused = (await ann.put(`/api/digital-twins/${id}`, { isActive: false })).json();
    expect(paused).toMatchObject({ name: "Анна", expertise: ["Доставка и возврат"], isActive: false });
    const edited = (await ann.put(`/api/digital-twins/${id}`, { communicationStyle: "Сухо", expertise: [] })).json();
    expect(edited).toMatchObject({
      communicationStyle: "Сухо",
      expertise: [],
      isActive: false,
      description: TWIN.description,
    });
    expect(edited.updatedAt > paused.updatedAt || edited.updatedAt === paused.updatedAt).toBe(true);
  });

  test("the form's one area of knowledge takes the place of the first, and the others stay", async () => {
    const ann = await t.signUp();
    const { id } = await createTwin(ann);
    const put = async (expertise: string[]) =>
      (await ann.put(`/api/digital-twins/${id}`, { expertise })).json().expertise;
    expect(await put(["Чай", "Кофе", "Посуда"])).toEqual(["Чай", "Кофе", "Посуда"]);
    expect(await put(["Пуэр"])).toEqual(["Пуэр", "Кофе", "Посуда"]);
    expect(await put(["Кофе"])).toEqual(["Кофе", "Посуда"]);
    expect(await put([])).toEqual(["Посуда"]);
  });

  test("an empty or invalid update is refused with the form's message", async () => {
    const ann = await t.signUp();
    const { id } = await createTwin(ann);
    expect((await ann.put(`/api/digital-twins/${id}`, {})).json().message).toBe("Нечего изменить");
    expect((await ann.put(`/api/digital-twins/${id}`, { communicationStyle: "" })).json().message).toBe(
      "Стиль общения обязателен",
    );
    expect((await ann.put(`/api/digital-twins/${id}`, { isActive: "да" })).statusCode).toBe(400);
    expect((await ann.get("/api/digital-twins/не-ид")).json().message).toBe("Неверный идентификатор");
  });

  test("another organisation gets 404 for every call and changes nothing", async () => {
    const ann = await t.signUp();
    const stranger = await t.signUp();
    const created = await createTwin(ann);
    const url = `/api/digital-twins/${created.id}`;
    for (const answer of [
      await stranger.get(url),
      await stranger.put(url, { name: "Взлом" }),
      await stranger.delete(url),
      await stranger.get(`${url}/training`),
      await stranger.get(`/api/digital-twins/${randomUUID()}`),
    ]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json().message).toBe("Агент не найден");
    }
    expect((await ann.get(url)).json()).toEqual(created);
  });

  test("members read all twins of their organisation; a user changes his own, an administrator all, a viewer none", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    const user = await t.signUp({ role: "user", organizationId });
    const caller = await t.signUp({ role: "viewer", organizationId });
    const ofAdmin = await createTwin(admin);
    const ofUser = await createTwin(user);

    expect((await caller.get("/api/digital-twins")).json()).toHaveLength(2);
    expect((await user.get(`/api/digital-twins/${ofAdmin.id}`)).statusCode).toBe(200);
    expect((await caller.post("/api/digital-twins", TWIN)).statusCode).toBe(403);
    expect((await caller.put(`/api/digital-twins/${ofUser.id}`, { isActive: false })).statusCode).toBe(403);
    expect((await caller.delete(`/api/digital-twins/${ofUser.id}`)).statusCode).toBe(403);
    expect((await user.put(`/api/digital-twins/${ofAdmin.id}`, { isActive: false })).statusCode).toBe(403);
    expect((await user.delete(`/api/digital-twins/${ofAdmin.id}`)).statusCode).toBe(403);
    expect((await user.put(`/api/digital-twins/${ofUser.id}`, { isActive: false })).statusCode).toBe(200);
    expect((await admin.put(`/api/digital-twins/${ofUser.id}`, { isActive: true })).statusCode).toBe(200);
    expect((await t.anonymous.get("/api/digital-twins")).statusCode).toBe(401);
  });
});

describe("deleting", () => {
  test("nothing of a deleted twin is left in any table or in the data folder", async () => {
    const ann = await t.signUp();
    const { id } = await createTwin(ann);
    const kept = await createTwin(ann, { name: "Остаётся" });
    const document = {
      name: "Доставка",
      content: "Доставка по Москве занимает один день и стоит 350 рублей.",
      type: "faq",
    };
    const key = { "idempotency-key": randomUUID() };
    await ann.inject({
      method: "POST",
      url: "/api/knowledge/upload",
      headers: key,
      payload: { ...document, digitalTwinId: id },
    });
    await ann.post("/api/knowledge/upload", { ...document, digitalTwinId: kept.id });
    await ann.post("/api/conversations/upload", {
      digitalTwinId: id,
      platform: "telegram",
      participants: ["Олег"],
      messages: [
        { role: "user", content: "Привет, как дела?" },
        { role: "assistant", content: "Вы: Привет! Всё хорошо" },
      ],
    });
    const uploads = join(t.services.config.dataDir, "uploads");
    mkdirSync(uploads, { recursive: true });
    writeFileSync(join(uploads, "export-test"), "…");
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.insert(imports).values({
        orgId: ann.caller.organizationId,
        twinId: id,
        userId: ann.caller.userId,
        fileName: "result.json",
        storedName: "export-test",
        status: "preview",
      }),
    );
    await t.jobsIdle();
    expect(await rowsAbout(id)).not.toEqual({});

    expect((await ann.delete(`/api/digital-twins/${id}`)).statusCode).toBe(204);

    await t.jobsIdle();
    expect(await rowsAbout(id)).toEqual({});
    expect(existsSync(join(uploads, "export-test"))).toBe(false);
    expect((await ann.get(`/api/digital-twins/${id}`)).statusCode).toBe(404);
    expect((await ann.get(`/api/digital-twins/${kept.id}`)).json().status).toBe("ready");
    const record = await t.services.db.select().from(auditLog).where(eq(auditLog.subject, id)).orderBy(auditLog.id);
    expect(record.at(-1)).toMatchObject({ action: "twin-deleted", userId: ann.caller.userId });
  });

  test("a job that was queued for a deleted twin ends quietly", async () => {
    const ann = await t.signUp();
    const { id } = await createTwin(ann);
    const { organizationId, userId } = ann.caller;
    await asTenant(t.services.db, ann.caller, async (tx) => {
      await tx.delete(twins).where(eq(twins.id, id));
      await t.services.jobs.enqueue(tx, "train-twin", { organizationId, userId, twinId: id });
    });
    await t.jobsIdle();
    const { rows } = await t.services.db.execute(
      sql`select state from jobs.job where name = 'train-twin' and data->>'twinId' = ${id}`,
    );
    expect(rows).toEqual([{ state: "completed" }]);
  });
});

/**
 * Returns the tables of `public` with rows that mention the id anywhere, and their number. The audit log keeps the record of the deletion.
 */
async function rowsAbout(id: string): Promise<Record<string, number>> {
  const { db } = t.services;
  const tables = await db.execute(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables.rows as { name: string }[]) {
    if (name === "audit_log") continue;
    const { rows } = await db.execute(
      sql`select count(*) as rows from ${sql.identifier(name)} as t where t::text like ${`%${id}%`}`,
    );
    if (rows[0]!.rows !== 0) found[name] = rows[0]!.rows as number;
  }
  return found;
}
