import { count, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { imports } from "#server/platform/db/schema/imports.ts";
import { replyExamples, sources } from "#server/platform/db/schema/knowledge.ts";
import {
  history,
  importAll,
  makeTwin,
  prepareImports,
  previewOf,
  rowsOf,
  sample,
  t,
  telegramChat,
  uploads,
} from "#server/test/imports/import-bench.ts";

prepareImports();

describe("an export", () => {
  test("updates the planner's statistics when it is large", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const lines = Array.from({ length: 2400 }, (_, place) => `реплика ${place}`);
    const done = await importAll(ann, twinId, telegramChat(lines), { ownerId: "user100" });
    expect(done.imported).toBe(2400);
    const { rows } = await t.services.db.execute(sql`
      select relname as name, reltuples as rows from pg_class where relname in ('messages', 'reply_examples', 'index_segments')`);
    const known = Object.fromEntries(rows.map((row) => [row.name, row.rows]));
    expect(known.messages).toBeGreaterThanOrEqual(2400);
    expect(known.reply_examples).toBeGreaterThanOrEqual(1200);
    expect(known.index_segments).toBeGreaterThanOrEqual(1);
  });

  test("keeps forwards and media for the order of the conversation but does not train on them", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const done = await importAll(ann, twinId, await sample("telegram-chat.json"), { ownerId: "user100200300" });
    expect(done).toMatchObject({ status: "done", imported: 6 });
    const stored = await history(ann, twinId);
    expect(stored.map(({ kind, training }) => [kind, training])).toEqual([
      ["text", true],
      ["text", true],
      ["text", true],
      ["media", false],
      ["forward", false],
      ["text", true],
    ]);
  });

  test("includes groups only when they are chosen", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const content = await sample("telegram-account.json");
    const preview = await previewOf(ann, twinId, content);
    const group = preview.chats.find((chat) => chat.kind === "group")!;
    const done = await importAll(ann, twinId, content, { ownerId: "user100200300", chatIds: [group.id] });
    expect(done).toMatchObject({ status: "done", total: 1, imported: 1 });
    expect((await history(ann, twinId)).map((message) => message.text)).toEqual(["Едем?"]);

    const onlyGroup = telegramChat(["Кто едет?", "Я"], { type: "private_supergroup" });
    const { id } = await previewOf(ann, twinId, onlyGroup);
    const refused = await ann.post(`/api/imports/${id}/start`, { ownerId: "user100", consent: true });
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({ code: "no_chats" });
  });

  test("adds nothing when imported again, and only new messages when it has grown", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const lines = ["Ты где?", "Еду", "Долго ещё?", "минут 10"];
    const choice = { ownerId: "user100" };
    expect(await importAll(ann, twinId, telegramChat(lines), choice)).toMatchObject({ imported: 4, duplicates: 0 });
    expect(await importAll(ann, twinId, telegramChat(lines), choice)).toMatchObject({ imported: 0, duplicates: 4 });
    const grown = telegramChat([...lines, "Жду", "ок"]);
    expect(await importAll(ann, twinId, grown, choice)).toMatchObject({ imported: 2, duplicates: 4 });
    const known = await rowsOf(ann, (tx) => tx.select().from(sources).where(eq(sources.twinId, twinId)));
    expect(known).toMatchObject([{ messageCount: 6 }]);
    const [pairs] = await rowsOf(ann, (tx) =>
      tx.select({ n: count() }).from(replyExamples).where(eq(replyExamples.twinId, twinId)),
    );
    expect(pairs!.n).toBe(3);
  });

  test("identifies messages without ids by author, time and text, even repeated ones", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const lines = ["Анна: ау", "Анна: ау", "Пётр: тут", "Пётр: тут"].map((line) => `12.03.2024, 14:05 - ${line}`);
    const choice = { ownerId: "Пётр" };
    const fileName = "Чат WhatsApp с контактом Анна.txt";
    const first = await importAll(ann, twinId, lines.join("\n"), choice, fileName);
    expect(first).toMatchObject({
      format: "whatsapp-txt",
      suggestedOwner: "Пётр",
      imported: 4,
      duplicates: 0,
      fileName,
    });
    lines.push("12.03.2024, 14:06 - Анна: ау");
    expect(await importAll(ann, twinId, lines.join("\n"), choice, fileName)).toMatchObject({
      imported: 1,
      duplicates: 4,
    });
    expect((await history(ann, twinId)).filter((message) => message.text === "ау")).toHaveLength(3);
    const known = await rowsOf(ann, (tx) => tx.select().from(sources).where(eq(sources.twinId, twinId)));
    expect(known).toMatchObject([{ platform: "whatsapp", name: "WhatsApp: Пётр", messageCount: 5 }]);
  });

  test("corrects an import whose owner was chosen wrongly", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const file = telegramChat(["Ты где?", "Еду", "Жду"]);
    await importAll(ann, twinId, file, { ownerId: "user700" });
    const corrected = await importAll(ann, twinId, file, { ownerId: "user100" });
    expect(corrected).toMatchObject({ imported: 3, duplicates: 0 });
    expect((await history(ann, twinId)).map(({ mine, text }) => [mine, text])).toEqual([
      [false, "Ты где?"],
      [true, "Еду"],
      [false, "Жду"],
    ]);
    const known = await rowsOf(ann, (tx) => tx.select().from(sources).where(eq(sources.twinId, twinId)));
    expect(known).toMatchObject([{ name: "Telegram: Пётр", messageCount: 3 }]);
  });

  test("keeps what a truncated file still contains", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const whole = JSON.stringify(JSON.parse(telegramChat(["Раз", "Два", "Три", "Четыре"])), null, 1);
    const state = await previewOf(ann, twinId, whole.slice(0, whole.indexOf("Четыре")));
    expect(state).toMatchObject({ status: "preview", incomplete: true, total: 3 });
    const done = await importAll(ann, twinId, whole.slice(0, whole.indexOf("Четыре")), { ownerId: "user100" });
    expect(done).toMatchObject({ status: "done", incomplete: true, imported: 3 });
  });

  test("that has failed can be started again", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const state = await previewOf(ann, twinId, telegramChat(["Ты где?", "Еду"]));
    await rowsOf(ann, (tx) =>
      tx.update(imports).set({ status: "failed", error: "Диск" }).where(eq(imports.id, state.id)),
    );
    const started = await ann.post(`/api/imports/${state.id}/start`, { ownerId: "user100", consent: true });
    expect(started.json()).toMatchObject({ status: "running" });
    expect(started.json()).not.toHaveProperty("error");
    await t.jobsIdle();
    expect((await ann.get(`/api/imports/${state.id}`)).json()).toMatchObject({ status: "done", imported: 2 });
    const again = await ann.post(`/api/imports/${state.id}/start`, { ownerId: "user100", consent: true });
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ code: "import_not_ready", message: "Импорт уже завершён" });
  });

  test("that is cancelled loses its file and keeps the messages imported so far", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const before = await uploads();
    const state = await previewOf(ann, twinId, telegramChat(["Ты где?", "Еду"]));
    // Simulates a job that was stopped after its first batch.
    await importAll(ann, twinId, telegramChat(["Ты где?", "Еду"]), { ownerId: "user100" });
    await rowsOf(ann, async (tx) => {
      await tx.delete(replyExamples).where(eq(replyExamples.twinId, twinId));
      await tx
        .update(imports)
        .set({ status: "running", ownerId: "user100", chatIds: ["user700"], imported: 2, total: 4 })
        .where(eq(imports.id, state.id));
    });
    const cancelled = await ann.post(`/api/imports/${state.id}/cancel`);
    expect(cancelled.json()).toMatchObject({ status: "cancelled", imported: 2 });
    expect(await uploads()).toEqual(before);
    await t.jobsIdle();
    expect(await history(ann, twinId)).toHaveLength(2);
    const [pairs] = await rowsOf(ann, (tx) =>
      tx.select({ n: count() }).from(replyExamples).where(eq(replyExamples.twinId, twinId)),
    );
    expect(pairs!.n).toBe(1);
    expect((await ann.post(`/api/imports/${state.id}/cancel`)).statusCode).toBe(200);
    const started = await ann.post(`/api/imports/${state.id}/start`, { ownerId: "user100", consent: true });
    expect(started.statusCode).toBe(409);
  });
});
