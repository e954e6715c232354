/**
 * A word is put wherever the database and the data folder can keep words of what is deleted; after the deletion's answer it is searched for
 * in every table of every schema, in bytes and in files. A new column that can hold words is planted automatically: where a row of it is
 * missing, or it outlives the deletion, these tests fail.
 */
import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { AccountDeletion, DestructionRecord, OrganizationDeletion } from "#contract/organizations/records.ts";
import { hashPassword } from "#server/accounts/credentials/passwords.ts";
import { memberships, organizations, users } from "#server/platform/db/schema/accounts.ts";
import { conversationNotes } from "#server/platform/db/schema/conversations.ts";
import { createLog } from "#server/platform/log.ts";
import { makeThings } from "../../endpoints/make-things.ts";
import type { Things } from "../../endpoints/things.ts";
import { type TestApp, type TestClient, testApp } from "../../test-app.ts";
import { fillTheRest } from "./one-of-everything.ts";
import { findWord, plant, wordColumns } from "./plant.ts";

// Whole organisations are made, and every table is read.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let t: TestApp;
const logged: string[] = [];
beforeAll(async () => {
  t = await testApp({}, createLog("trace", { write: (line: string) => void logged.push(line) }));
});
afterAll(() => t.close());

/** Tables whose rows belong to the organisation and survive the deletion of a twin. */
const ORGANISATIONS_OWN = new Set([
  "labels",
  "local_model_rules",
  "crm_connections",
  "crm_sign_ins",
  "media_readers",
  "model_budgets",
  "organization_models",
  "payments",
  "remote_models",
  "saved_replies",
  "subscriptions",
  "twin_stops",
]);

const newWord = () => `zyablik${randomUUID().replaceAll("-", "").replaceAll(/[0-9]/g, "q")}`;
const find = (word: string) => findWord(t.services.db, t.services.config.dataDir, word);

async function ownerOfEverything(): Promise<{ owner: TestClient; things: Things }> {
  const owner = await t.signUp();
  const things = await makeThings(t, owner);
  await fillTheRest(t, owner, things);
  await t.jobsIdle();
  return { owner, things };
}

/** Plants the word in every column of the tables; those of which the organisation has no row are named. */
async function plantIn(owner: TestClient, word: string, without = new Set<string>()): Promise<string[]> {
  const columns = (await wordColumns(t.services.db)).filter(
    ({ table, column }) => !without.has(table) && !RETIRED.has(table) && !NAMES_OF_FILES.has(`${table}.${column}`),
  );
  const empty: string[] = [];
  for (const column of columns) {
    const rows = await plant(t.services.db, column, owner.caller.organizationId, word);
    if (rows === 0) empty.push(`${column.table}.${column.column}`);
  }
  expect(columns.length).toBeGreaterThan(100);
  return empty;
}

/** Nothing writes into them; they stay for processes of the former release. */
const RETIRED = new Set(["voice_adapters"]);

/** They name files, which are planted themselves: another name would hide the file from its deletion. */
const NAMES_OF_FILES = new Set([
  "imports.stored_name",
  "export_uploads.stored_name",
  "data_exports.stored_name",
  "media_files.stored_name",
]);

/** The organisation's uploaded files hold the word from here on. */
async function plantInFiles({ caller }: TestClient, word: string): Promise<void> {
  const { rows } = await t.services.db.execute(sql`
    select stored_name as name from imports where org_id = ${caller.organizationId} and stored_name is not null
    union select stored_name from export_uploads where org_id = ${caller.organizationId}
    union select stored_name from media_files where org_id = ${caller.organizationId} and stored_name is not null
    union select stored_name from data_exports where org_id = ${caller.organizationId}`);
  expect(rows.length).toBeGreaterThan(2);
  for (const { name } of rows) await appendFile(join(t.services.config.dataDir, "uploads", String(name)), word);
}

const PASSWORD = "совсем длинный пароль 1";
async function setPassword({ caller }: TestClient): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  await t.services.db.update(users).set({ passwordHash }).where(eq(users.id, caller.userId));
}

test("nothing of a deleted twin remains in any table, queue or file", async () => {
  const { owner, things } = await ownerOfEverything();
  const word = newWord();
  expect(await plantIn(owner, word, ORGANISATIONS_OWN)).toEqual([]);
  await plantInFiles(owner, word);
  expect((await find(word)).length).toBeGreaterThan(100);
  expect((await owner.delete(`/api/digital-twins/${things.twinId}`)).statusCode).toBe(204);
  await t.jobsIdle();
  expect(await find(word)).toEqual([]);
  expect(logged.filter((line) => line.includes(word))).toEqual([]);
});

test("nothing of a deleted organisation remains but the record of its deletion, and its members' sessions end", async () => {
  const { owner } = await ownerOfEverything();
  const { organizationId, userId } = owner.caller;
  const member = await t.signUp({ role: "user", organizationId });
  await setPassword(owner);
  const word = newWord();
  expect(await plantIn(owner, word)).toEqual([]);
  await plantInFiles(owner, word);
  await t.services.db.update(organizations).set({ name: word }).where(eq(organizations.id, organizationId));
  await owner.post(`/api/organizations/${organizationId}/users`, {
    // Without a mail server letters are in the log, with their address.
    email: `${randomUUID()}@example.test`,
    firstName: word,
    lastName: "Б",
    role: "user",
  });
  const at = `/api/organizations/${organizationId}/deletion`;
  expect((await owner.get(at)).json<OrganizationDeletion>()).toMatchObject({ name: word, asksPassword: true });
  const right = { confirmation: word, password: PASSWORD };
  expect((await member.post(at, right)).statusCode).toBe(403);
  expect((await owner.post(at, { ...right, confirmation: "Тестовая" })).statusCode).toBe(400);
  expect((await owner.post(at, { ...right, password: "не тот пароль 1" })).statusCode).toBe(403);
  const deleted = await owner.post(at, right);
  expect(deleted.statusCode, deleted.body).toBe(200);
  const record = deleted.json<DestructionRecord>();
  expect(record).toMatchObject({ kind: "organization", subject: organizationId, by: userId, counts: { twins: 1 } });
  await t.jobsIdle();
  expect(await find(word)).toEqual([]);
  expect(await find(organizationId)).toEqual(["public.audit_log.org_id", "public.audit_log.subject"]);
  for (const { get } of [owner, member]) expect((await get("/api/auth/verify")).statusCode).toBe(401);
  const kept = await t.services.db.execute(sql`select detail from audit_log where action = 'organization-deleted'`);
  expect(kept.rows).toMatchObject([{ detail: { record: record.id, twins: 1 } }]);
  expect(logged.filter((line) => line.includes(word))).toEqual([]);
});

test("nothing of a deleted account remains (its organisation, its twins elsewhere, its notes), and colleagues' data stays", async () => {
  const { owner } = await ownerOfEverything();
  const colleague = await ownerOfEverything();
  const { userId } = owner.caller;
  await t.services.db
    .insert(memberships)
    .values({ orgId: colleague.owner.caller.organizationId, userId, role: "user" });
  await t.services.db.delete(memberships).where(sql`org_id = ${owner.caller.organizationId} and user_id <> ${userId}`);
  const word = newWord();
  expect(await plantIn(owner, word)).toEqual([]);
  const kept = newWord();
  await plantIn(colleague.owner, kept);
  await t.services.db.insert(conversationNotes).values({
    ...{ orgId: colleague.owner.caller.organizationId, conversationId: colleague.things.talkId, authorId: userId },
    text: word,
  });
  await t.services.db
    .update(users)
    .set({ firstName: word, lastName: word, email: `${word}@example.test` })
    .where(eq(users.id, userId));
  await setPassword(owner);
  const shown = (await owner.get("/api/account/deletion")).json<AccountDeletion>();
  expect(shown.places.map(({ outcome }) => outcome).sort()).toEqual(["deleted", "left"]);
  const deleted = await owner.post("/api/account/deletion", { confirmation: "удалить", password: PASSWORD });
  expect(deleted.statusCode, deleted.body).toBe(200);
  await t.jobsIdle();
  expect(await find(word)).toEqual([]);
  expect(await find(userId)).toEqual(["public.audit_log.subject", "public.audit_log.user_id"]);
  expect((await find(kept)).length).toBeGreaterThan(100);
  expect((await owner.get("/api/auth/verify")).statusCode).toBe(401);
});

test("a shared organisation's last administrator must hand it over first; an account without a password needs a recent sign-in", async () => {
  const owner = await t.signUp();
  const member = await t.signUp({ role: "user", organizationId: owner.caller.organizationId });
  const word = { confirmation: "УДАЛИТЬ" };
  expect((await owner.post("/api/account/deletion", word)).json()).toMatchObject({ code: "last_administrator" });
  await owner.put(`/api/organizations/${owner.caller.organizationId}/users/${member.caller.userId}`, {
    role: "org_admin",
  });
  await t.services.db.execute(sql`
    update sessions set fresh_at = now() - interval '1 hour' where user_id = ${owner.caller.userId}`);
  expect((await owner.post("/api/account/deletion", word)).json()).toMatchObject({ code: "fresh_sign_in_needed" });
  await t.services.db.execute(sql`update sessions set fresh_at = now() where user_id = ${owner.caller.userId}`);
  const deleted = await owner.post("/api/account/deletion", word);
  expect(deleted.statusCode, deleted.body).toBe(200);
  expect((await member.get("/api/auth/verify")).statusCode).toBe(200);
});
