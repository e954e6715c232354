/** The zip of everything: what it holds, whose data it is, and that it can be imported again. */
import { randomUUID } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ImportState } from "#contract/knowledge/imports.ts";
import type { DataExport } from "#contract/organizations/records.ts";
import { cleanUp } from "#server/cleanup.ts";
import { asTenant } from "#server/db/database.ts";
import { auditLog, chats, contacts, dataExports, documents, messages, replyExamples } from "#server/db/schema.ts";
import { storedPath } from "#server/files/stored-files.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { readZip } from "#server/test/files/read-zip.ts";
import { fillTheRest } from "#server/test/privacy/deletion/one-of-everything.ts";
import { plant, wordColumns } from "#server/test/privacy/deletion/plant.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { type ExportRow, jobOf } from "./export-rows.ts";
import { makeExport } from "./make-export.ts";
import { sweepExports } from "./sweep-exports.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const OWN = "/api/account/export";
const all = ({ caller }: TestClient) => `/api/organizations/${caller.organizationId}/export`;
const zips = async () =>
  (await readdir(join(t.services.config.dataDir, "uploads"))).filter((name) => /^archive-/.test(name));
const stateOf = async (client: TestClient, at = OWN) => (await client.get(at)).json<DataExport | null>();
const rowOf = async ({ caller }: TestClient): Promise<ExportRow> =>
  (await t.services.db.select().from(dataExports).where(eq(dataExports.userId, caller.userId)))[0]!;
const newWord = () => `zyablik${randomUUID().replaceAll(/[-0-9]/g, "q")}`;

async function taken(client: TestClient, at = OWN): Promise<Map<string, Buffer>> {
  await client.delete(at);
  const asked = await client.post(at);
  expect(asked.statusCode, asked.body).toBe(202);
  await t.jobsIdle();
  expect(await stateOf(client, at)).toMatchObject({ state: "ready", reason: null, progress: 1 });
  const file = await client.get(`${at}/file`);
  expect(file.statusCode).toBe(200);
  expect(file.headers["content-type"]).toBe("application/zip");
  return readZip(file.rawPayload);
}
const linesOf = (files: Map<string, Buffer>, name: string): Record<string, unknown>[] =>
  (files.get(`data/${name}.jsonl`)?.toString() ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const filesWith = (files: Map<string, Buffer>, word: string): string[] =>
  [...files]
    .filter(([name, content]) => name.includes(word) || content.includes(word))
    .map(([name]) => name)
    .sort();

async function uploadFile(
  client: TestClient,
  url: string,
  fields: Record<string, string>,
  name: string,
  content: Buffer,
) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", new Blob([new Uint8Array(content)]), name);
  const encoded = new Response(form);
  return client.inject({
    method: "POST",
    url,
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { "content-type": encoded.headers.get("content-type")! },
  });
}

/** Imports all chats of the file; their owner is named by the file or by `ownerId`. */
async function importFile(client: TestClient, digitalTwinId: string, name: string, content: Buffer, ownerId?: string) {
  const answer = await uploadFile(client, "/api/imports", { digitalTwinId }, name, content);
  expect(answer.statusCode, answer.body).toBe(202);
  await t.jobsIdle();
  const { id, suggestedOwner, chats } = (await client.get(`/api/imports/${answer.json().id}`)).json();
  const chatIds = chats.map((chat: { id: string }) => chat.id);
  const choice = { ownerId: ownerId ?? suggestedOwner, chatIds, consent: true };
  const started = await client.post(`/api/imports/${id}/start`, choice);
  expect(started.statusCode, started.body).toBe(200);
  await t.jobsIdle();
  return (await client.get(`/api/imports/${id}`)).json<ImportState & { imported: number; duplicates: number }>();
}

/** What a twin has learnt, without ids of this database. */
const knownTo = (client: TestClient, twinId: string) =>
  asTenant(t.services.db, client.caller, async (tx) => ({
    messages: await tx
      .select({
        ...{ platform: chats.platform, chat: chats.name, kind: chats.kind, chatId: chats.externalId },
        ...{ person: contacts.name, personId: contacts.externalId, own: messages.fromOwner, text: messages.text },
        ...{ id: messages.externalId, replyTo: messages.replyTo, of: messages.kind, at: messages.sentAt },
      })
      .from(messages)
      .innerJoin(chats, eq(chats.id, messages.chatId))
      .leftJoin(contacts, eq(contacts.id, messages.contactId))
      .where(eq(messages.twinId, twinId))
      .orderBy(asc(chats.platform), asc(chats.externalId), asc(messages.sentAt), asc(messages.id)),
    pairs: await tx
      .select({
        chat: chats.name,
        incoming: replyExamples.incoming,
        reply: replyExamples.reply,
        at: replyExamples.repliedAt,
      })
      .from(replyExamples)
      .innerJoin(chats, eq(chats.id, replyExamples.chatId))
      .where(eq(replyExamples.twinId, twinId))
      .orderBy(asc(replyExamples.repliedAt), asc(replyExamples.incoming)),
    documents: await tx
      .select({ content: documents.content })
      .from(documents)
      .where(eq(documents.twinId, twinId))
      .orderBy(asc(documents.contentHash)),
  }));

const sample = (name: string) => readFile(join(import.meta.dirname, "../../imports/formats/samples", name));

test("data that is exported and imported into a new account is the same: messages, pairs, documents", async () => {
  const [anna, new_] = [await t.signUp(), await t.signUp()];
  const twinId = await buildTwin(anna);
  await importFile(anna, twinId, "result.json", await sample("telegram-account.json"));
  await importFile(anna, twinId, "Чат WhatsApp с Петром.txt", await sample("whatsapp-android-ru.txt"), "Анна");
  const pasted = await anna.post("/api/conversations/upload", {
    ...{ digitalTwinId: twinId, platform: "phone", participants: ["Ольга"] },
    messages: [
      { role: "user", content: "Ольга: Сколько стоит «доставка»?\nИ когда?" },
      { role: "assistant", content: "Вы: 350 ₽ 🙂, завтра \\ послезавтра" },
    ],
  });
  expect(pasted.statusCode, pasted.body).toBe(201);
  const rules = Buffer.from(
    "Возврат — 14 дней со дня покупки, с чеком.\r\n\r\n\tКроме белья, книг и подарочных карт.\n",
  );
  const policy = { digitalTwinId: twinId, type: "policy", tags: "возврат" };
  const asFile = await uploadFile(anna, "/api/knowledge/upload", policy, "Правила: возврат.txt", rules);
  expect(asFile.statusCode, asFile.body).toBe(201);
  const text = "Доставка по Москве занимает один день и стоит 350 ₽ 🙂 — «до двери»";
  const input = { digitalTwinId: twinId, name: "a/b\\c.pdf", content: text, type: "faq" };
  expect((await anna.post("/api/knowledge/upload", input)).statusCode).toBe(201);
  await t.jobsIdle();
  const before = await knownTo(anna, twinId);
  expect(before.messages.length).toBeGreaterThan(10);
  expect(before.pairs.length).toBeGreaterThan(1);
  expect(new Set(before.messages.map(({ platform }) => platform)).size).toBeGreaterThan(1);

  const files = await taken(anna);
  expect(linesOf(files, "documents")).toHaveLength(2);
  expect(
    linesOf(files, "pairs")
      .map(({ reply }) => reply)
      .sort(),
  ).toEqual(before.pairs.map(({ reply }) => reply).sort());
  const copy = await buildTwin(new_);
  const letters = [...files].filter(([name]) => name.startsWith("Переписка/"));
  for (const [name, content] of letters) {
    expect(await importFile(new_, copy, name.split("/").at(-1)!, content)).toMatchObject({
      status: "done",
      duplicates: 0,
    });
  }
  for (const [name, content] of [...files].filter(([name]) => name.startsWith("Документы/"))) {
    const fields = { digitalTwinId: copy, type: "policy" };
    const added = await uploadFile(new_, "/api/knowledge/upload", fields, name.split("/").at(-1)!, content);
    expect(added.statusCode, added.body).toBe(201);
  }
  await t.jobsIdle();
  expect(await knownTo(new_, copy)).toEqual(before);

  // Importing it where it came from adds nothing.
  for (const [name, content] of letters.filter(([, content]) => content.includes('"platform":"telegram"'))) {
    expect(await importFile(anna, twinId, name, content)).toMatchObject({ status: "done", imported: 0 });
  }
  // The whole zip is not an export of chats, and the refusal says what to do with it.
  const zip = await anna.get(`${OWN}/file`);
  const refused = await uploadFile(new_, "/api/imports", { digitalTwinId: copy }, "все.zip", zip.rawPayload);
  expect(refused.json()).toMatchObject({ code: "export_of_everything" });
});

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
      // The token of the session that this test uses is left as it is.
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

  test("a killed run leaves a broken file and the next one starts again; a cancelled run leaves none", async () => {
    const client = await t.signUp();
    await buildTwin(client);
    const row = await left(client);
    const path = storedPath(t.services.config.dataDir, row.storedName!);
    await writeFile(path, "PK half a zip");
    await t.services.db.execute(
      sql`update data_exports set state = 'running', done = 5, total = 9, bytes = 7 where id = ${row.id}`,
    );
    expect(await stateOf(client)).toMatchObject({ state: "running", progress: 5 / 9 });
    await expect(run(row, AbortSignal.abort())).rejects.toThrow();
    await expect(stat(path)).rejects.toThrow();
    expect(await stateOf(client)).toMatchObject({ state: "running" });
    await run(row);
    expect(await stateOf(client)).toMatchObject({ state: "ready" });
    expect((await readZip((await client.get(`${OWN}/file`)).rawPayload)).has("data/twins.jsonl")).toBe(true);
  });

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
