/** The full export: its contents, whose data it includes, and that it can be imported again. */
import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { cleanUp } from "#server/cleanup.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { storedPath } from "#server/platform/files/stored-files.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { fillTheRest } from "#server/test/privacy/deletion/one-of-everything.ts";
import { plant, wordColumns } from "#server/test/privacy/deletion/plant.ts";
import { linesOf, OWN, prepareDataExport, rowOf, stateOf, t, taken } from "#server/test/records/data-export-bench.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { makeExport } from "../make-export.ts";
import { sweepExports } from "../sweep-exports.ts";
import { type ExportRow, jobOf } from "./export-rows.ts";

prepareDataExport();

const all = ({ caller }: TestClient) => `/api/organizations/${caller.organizationId}/export`;
const zips = async () =>
  (await readdir(join(t.services.config.dataDir, "uploads"))).filter((name) => /^archive-/.test(name));
const newWord = () => `zyablik${randomUUID().replaceAll(/[-0-9]/g, "q")}`;
const filesWith = (files: Map<string, Buffer>, word: string): string[] =>
  [...files]
    .filter(([name, content]) => name.includes(word) || content.includes(word))
    .map(([name]) => name)
    .sort();

describe("whose rows are in it", () => {
  let admin: TestClient;
  let bob: TestClient;
  let stranger: TestClient;
  let bobs: Things;
  beforeAll(async () => {
    admin = await t.signUp();
    bob = await t.signUp({ role: "user", organizationId: admin.caller.organizationId });
    stranger = await t.signUp();
    bobs = await makeThings(t, bob);
    await fillTheRest(t, bob, bobs);
    await fillTheRest(t, admin, await makeThings(t, admin));
    await fillTheRest(t, stranger, await makeThings(t, stranger));
    await t.jobsIdle();
  });

  test("an export holds nothing of another organisation, whatever its rows claim", async () => {
    const word = newWord();
    for (const column of await wordColumns(t.services.db)) {
      if (/\.stored_name$/.test(`${column.table}.${column.column}`)) continue;
      await plant(t.services.db, column, stranger.caller.organizationId, word);
    }
    expect((await filesWith(await taken(stranger, all(stranger)), word)).length).toBeGreaterThan(10);
    for (const [client, at] of [
      [admin, all(admin)],
      [admin, OWN],
      [bob, OWN],
    ] as const) {
      const files = await taken(client, at);
      expect(filesWith(files, word)).toEqual([]);
      for (const id of [stranger.caller.userId, stranger.caller.organizationId])
        expect(filesWith(files, id)).toEqual([]);
    }
  });

  test("a member's export holds nothing of a colleague's twin, and the organisation's export none of his letters", async () => {
    const { db } = t.services;
    const word = newWord();
    const letter = newWord();
    const LETTERS = new Set([
      "messages",
      "reply_examples",
      "corrections",
      "twin_versions",
      "chats",
      "fidelity_examples",
      "twin_exam_answers",
    ]);
    for (const { table, column, type } of await wordColumns(db)) {
      const { rows } = await db.execute(sql`select 1 from information_schema.columns
        where table_name = ${table} and column_name = 'twin_id'`);
      if (rows.length === 0 || type !== "text" || column === "stored_name") continue;
      await db.execute(sql`update ${sql.identifier(table)} set ${sql.identifier(column)} =
        coalesce(${sql.identifier(column)}, gen_random_uuid()::text) || ' ' || ${LETTERS.has(table) ? letter : word}
        where twin_id = ${bobs.twinId}`);
    }
    await db.execute(sql`update twins set style_profile = jsonb_build_object('a', ${letter}::text), name = name || ${word}
      where id = ${bobs.twinId}`);
    await db.execute(sql`insert into conversation_messages (org_id, conversation_id, role, content)
      values (${bob.caller.organizationId}, ${bobs.talkId}, 'assistant', 'Завтра')`);
    await db.execute(sql`update conversation_messages set content = content || ${word},
      citations = jsonb_build_object('a', ${letter}::text) where conversation_id = ${bobs.talkId}`);
    await db.execute(
      sql`update conversation_messages set content = content || ${letter} where conversation_id = ${bobs.conversationId}`,
    );

    const his = await taken(bob);
    expect(filesWith(his, word)).toContain("data/contacts.jsonl");
    for (const name of ["pairs", "corrections", "twins", "twin_versions", "conversation_messages"]) {
      expect(filesWith(his, letter)).toContain(`data/${name}.jsonl`);
    }
    expect(filesWith(his, letter).some((name) => name.startsWith("Переписка/"))).toBe(true);
    const hers = await taken(admin);
    expect([...filesWith(hers, word), ...filesWith(hers, letter)]).toEqual([]);
    const shared = await taken(admin, all(admin));
    expect(filesWith(shared, word)).toContain("data/conversation_messages.jsonl");
    expect(filesWith(shared, letter)).toEqual([]);
    expect([...shared.keys()].filter((name) => /^(?:Переписка|Загрузки)/.test(name))).toEqual([]);
  });

  test("the export holds no secret, no token and no hash of one", async () => {
    const { db } = t.services;
    const word = newWord();
    const columns = sql`select table_name as table, column_name as column, udt_name as type from information_schema.columns
      where table_schema = 'public' and (udt_name = 'bytea' or column_name ~ 'hash|secret|password|credential|webhook_path|prefix')
      and column_name <> 'content_hash' and table_name not in ('audit_log', 'master_keys')`;
    const { rows } = await db.execute<{ table: string; column: string; type: string }>(columns);
    expect(rows.length).toBeGreaterThan(25);
    for (const { table, column, type } of rows) {
      if (type === "timestamptz") continue;
      const at = sql.identifier(column);
      const planted =
        type === "bytea"
          ? sql`convert_to(${word} || gen_random_uuid()::text, 'UTF8')`
          : sql`${word} || gen_random_uuid()::text`;
      // The session token of this test must not change.
      const which = table === "sessions" ? sql`false` : sql`${at} is not null`;
      await db.execute(sql`update ${sql.identifier(table)} set ${at} = ${planted} where ${which}`);
    }
    await db.execute(sql`update webhooks set url = 'https://hooks.example/' || ${word}`);
    const { rows: hashes } = await db.execute<{ hash: string }>(sql`select token_hash as hash from sessions`);
    for (const [client, at] of [
      [bob, OWN],
      [admin, all(admin)],
    ] as const) {
      const files = await taken(client, at);
      expect(linesOf(files, "api_keys").length).toBeGreaterThan(0);
      expect(linesOf(files, "webhooks").map(({ host }) => host)).toContain("hooks.example");
      expect(linesOf(files, "integrations").length).toBeGreaterThan(0);
      expect(filesWith(files, word)).toEqual([]);
      expect(filesWith(files, Buffer.from(word).toString("hex"))).toEqual([]);
      expect(filesWith(files, '"type":"Buffer"')).toEqual([]);
      for (const secret of [client.token, ...hashes.map(({ hash }) => hash)])
        expect(filesWith(files, secret)).toEqual([]);
    }
  });

  test("the account's export holds its profile, sessions, consents and own acts, and the guide names each file", async () => {
    const files = await taken(bob);
    expect(linesOf(files, "people")).toMatchObject([{ id: bob.caller.userId }]);
    expect(linesOf(files, "sessions").length).toBeGreaterThan(0);
    const acts = linesOf(files, "audit");
    expect(acts.map(({ action }) => action)).toEqual(expect.arrayContaining(["twin-created", "export-requested"]));
    expect(new Set(acts.map(({ userId }) => userId))).toEqual(new Set([bob.caller.userId]));
    const guide = files.get("ЧИТАЙТЕ.txt")!.toString();
    for (const name of files.keys()) if (name.startsWith("data/")) expect(guide).toContain(name);
    const people = linesOf(await taken(admin, all(admin)), "people").map(({ id }) => id);
    expect(people).toEqual(expect.arrayContaining([admin.caller.userId, bob.caller.userId]));
  });
});

describe("access to an export and how long it is kept", () => {
  test("only the person who asked can fetch it, in a fresh session, and each act is in the audit log", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    const [other, member] = [await t.signUp({ organizationId }), await t.signUp({ role: "user", organizationId })];
    await taken(admin, all(admin));
    for (const client of [other, member]) {
      expect((await client.get(`${all(admin)}/file`)).statusCode).toBe(client === other ? 404 : 403);
      expect((await client.get(`${OWN}/file`)).statusCode).toBe(404);
    }
    expect((await t.anonymous.get(`${all(admin)}/file`)).statusCode).toBe(401);
    const entries = await t.services.db.select().from(auditLog).where(eq(auditLog.userId, admin.caller.userId));
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ["export-requested", { scope: "organization" }],
      ["export-downloaded", { scope: "organization" }],
    ]);
    const notices = (await admin.get("/api/account/notices")).json();
    expect(notices).toMatchObject([
      { kind: "export-ready", text: expect.stringContaining("Выгрузка всех данных готова") },
    ]);
    await t.services.db.execute(sql`
      update sessions set fresh_at = now() - interval '1 hour' where user_id = ${member.caller.userId}`);
    expect((await member.post(OWN)).json()).toMatchObject({ code: "fresh_sign_in_needed" });
  });

  test("the file is private on the disk and is removed after a week, on request, and when the member leaves", async () => {
    const admin = await t.signUp();
    const member = await t.signUp({ role: "user", organizationId: admin.caller.organizationId });
    const before = await zips();
    await taken(admin);
    await taken(member);
    const { storedName } = await rowOf(admin);
    expect((await stat(storedPath(t.services.config.dataDir, storedName!))).mode & 0o777).toBe(0o600);
    expect(await zips()).toHaveLength(before.length + 2);
    expect(
      (await admin.delete(`/api/organizations/${admin.caller.organizationId}/users/${member.caller.userId}`))
        .statusCode,
    ).toBe(204);
    expect(await zips()).toHaveLength(before.length + 1);
    await sweepExports(t.services, Date.now() + 6.9 * 24 * 3600_000);
    expect(await stateOf(admin)).toMatchObject({ state: "ready" });
    await sweepExports(t.services, Date.now() + 7.1 * 24 * 3600_000);
    expect(await stateOf(admin)).toBeNull();
    expect((await admin.get(`${OWN}/file`)).statusCode).toBe(404);
    expect(await zips()).toEqual([]);
    await taken(admin);
    expect((await admin.delete(OWN)).statusCode).toBe(204);
    expect(await zips()).toEqual([]);
  });

  test("after a deletion of its data an export is refused at once and its file is removed", async () => {
    const [admin, colleague] = [await t.signUp(), await t.signUp()];
    const member = await t.signUp({ role: "user", organizationId: admin.caller.organizationId });
    const twinId = await buildTwin(admin);
    const before = await zips();
    const input = {
      digitalTwinId: twinId,
      name: "Правила",
      content: "Возврат — 14 дней со дня покупки, с чеком и в упаковке.",
      type: "policy",
    };
    const added = await admin.post("/api/knowledge/upload", input);
    expect(added.statusCode, added.body).toBe(201);
    const { id } = added.json();
    for (const [client, at] of [
      [admin, OWN],
      [admin, all(admin)],
      [member, OWN],
      [colleague, OWN],
    ] as const)
      await taken(client, at);
    expect((await admin.delete(`/api/knowledge/documents/${id}`)).statusCode).toBe(204);
    for (const at of [OWN, all(admin)]) {
      expect(await stateOf(admin, at)).toMatchObject({ state: "failed", reason: "outdated", bytes: 0 });
      expect((await admin.get(`${at}/file`)).statusCode).toBe(404);
    }
    for (const client of [member, colleague]) expect(await stateOf(client)).toMatchObject({ state: "ready" });
    await cleanUp(t.services);
    expect(await zips()).toHaveLength(before.length + 2);
  });
});

describe("the job that writes an export", () => {
  async function left(client: TestClient): Promise<ExportRow> {
    await t.services.jobs.stop(5000);
    expect((await client.post(OWN)).statusCode).toBe(202);
    return rowOf(client);
  }
  const run = (row: ExportRow, signal = new AbortController().signal) => makeExport(t.services, jobOf(row), signal);

  test("an export that is taken back while it waits or runs leaves no file", async () => {
    const client = await t.signUp();
    const row = await left(client);
    expect((await client.post(OWN)).json()).toMatchObject({ id: row.id });
    expect((await client.delete(OWN)).statusCode).toBe(204);
    await run(row);
    expect(await stateOf(client)).toBeNull();
    await expect(stat(storedPath(t.services.config.dataDir, row.storedName!))).rejects.toThrow();
  });

  test("an export without enough disk space says so and leaves nothing; a former administrator gets nothing", async () => {
    const client = await t.signUp();
    const row = await left(client);
    const { disk } = t.services;
    const { measure } = disk;
    disk.measure = async () => ({ totalBytes: 1e12, freeBytes: 1e6 });
    await run(row);
    disk.measure = measure;
    expect(await stateOf(client)).toMatchObject({ state: "failed", reason: "no_space" });
    await expect(stat(storedPath(t.services.config.dataDir, row.storedName!))).rejects.toThrow();
    const full = { ...t.services, config: { ...t.services.config, organizationBytes: 1 } };
    expect((await client.post(OWN)).statusCode).toBe(202);
    await makeExport(full, jobOf(await rowOf(client)), new AbortController().signal);
    expect(await stateOf(client)).toMatchObject({ state: "failed", reason: "storage_full" });
    await t.services.db.execute(
      sql`update data_exports set state = 'waiting', scope = 'organization' where user_id = ${client.caller.userId}`,
    );
    await t.services.db.execute(sql`update memberships set role = 'user' where user_id = ${client.caller.userId}`);
    await run(await rowOf(client));
    expect((await rowOf(client)).reason).toBe("not_allowed");
  });
});
