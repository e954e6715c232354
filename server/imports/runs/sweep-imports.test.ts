/** Imports whose job is lost are taken up again at the start, and abandoned ones are deleted after a week. */
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { imports } from "#server/platform/db/schema/imports.ts";
import {
  history,
  makeTwin,
  prepareImports,
  previewOf,
  t,
  telegramChat,
  uploads,
} from "#server/test/imports/import-bench.ts";
import { cancelAbandonedImports, resumeImports } from "./sweep-imports.ts";

prepareImports();

const CHAT = telegramChat(["Сколько стоит?", "Триста рублей"]);
const set = (id: string, changes: Partial<typeof imports.$inferInsert>) =>
  t.services.db.update(imports).set(changes).where(eq(imports.id, id));

test("an import that lost its job is read or run again", async () => {
  const ann = await t.signUp();
  const twinId = await makeTwin(ann);
  const { id } = await previewOf(ann, twinId, CHAT);
  const state = async () => (await ann.get(`/api/imports/${id}`)).json();
  await set(id, { status: "reading", preview: null });
  await resumeImports(t.services);
  await t.jobsIdle();
  expect(await state()).toMatchObject({ status: "preview", chats: [{ name: "Анна", messages: 2 }] });
  await set(id, { status: "running", ownerId: "user100", chatIds: ["user700"], total: 2 });
  await resumeImports(t.services);
  await t.jobsIdle();
  expect(await state()).toMatchObject({ status: "done", imported: 2 });
  expect(await history(ann, twinId)).toHaveLength(2);
});

test("a preview that is never started goes with its file after a week", async () => {
  const ann = await t.signUp();
  const twinId = await makeTwin(ann);
  const { id } = await previewOf(ann, twinId, CHAT);
  const week = 7 * 24 * 3600_000;
  expect(await cancelAbandonedImports(t.services, Date.now() + week - 3600_000)).toBe(0);
  expect(await cancelAbandonedImports(t.services, Date.now() + week + 60_000)).toBe(1);
  const [row] = await t.services.db.select().from(imports).where(eq(imports.id, id));
  expect(row).toMatchObject({ status: "cancelled", preview: null, storedName: null });
  expect(await uploads()).toEqual([]);
});

test("a run whose file is gone says so, and is not tried again", async () => {
  const ann = await t.signUp();
  const { id } = await previewOf(ann, await makeTwin(ann), CHAT);
  const [row] = await t.services.db.select().from(imports).where(eq(imports.id, id));
  await t.services.files.remove(row!.storedName!);
  await set(id, { status: "running", ownerId: "user100", chatIds: ["user700"], total: 2 });
  await resumeImports(t.services);
  await t.jobsIdle();
  expect((await ann.get(`/api/imports/${id}`)).json()).toMatchObject({
    ...{ status: "failed", error: "Файла выгрузки больше нет на сервере: загрузите его снова" },
  });
  const { rows } = await t.services.db.execute(sql`select stored_name from imports where id = ${id}`);
  expect(rows).toEqual([{ stored_name: null }]);
});
