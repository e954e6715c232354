/** Upgrade paths of databases that were created before the baseline. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readCatalogue } from "#server/test/catalogue.ts";
import { onServer, openTestDatabase } from "#server/test/database.ts";
import { MIGRATIONS } from "../database.ts";
import { adoptDatabase, OutdatedDatabase } from "./adopt-database.ts";

const journal = "select created_at as at, hash from drizzle.__drizzle_migrations order by created_at";
const LAST = 1_795_444_604_923;

/** Without any tables, on the engine of this run; on PostgreSQL of an owner who is no superuser, whom row-level security holds. */
async function openEmptyDatabase(): Promise<{ client: pg.ClientBase; close(): Promise<void> }> {
  const snapshot = inject("databaseSnapshot");
  if ("path" in snapshot) {
    // The run's own snapshot, emptied: making one from nothing takes ten times as long.
    const opened = await openTestDatabase();
    const client = await opened.db.$client.connect();
    await client.query(`
      drop schema public, jobs, drizzle, partitions, search cascade;
      create schema public authorization pg_database_owner;
      grant usage on schema public to public`);
    const close = () => {
      client.release();
      return opened.close();
    };
    return { client, close };
  }
  const name = `old_${randomBytes(6).toString("hex")}`;
  await onServer(snapshot.url, `create role ${name} login createrole password 'x'`);
  await onServer(snapshot.url, `create database ${name} owner ${name}`);
  const url = new URL(snapshot.url);
  [url.username, url.password, url.pathname] = [name, "x", `/${name}`];
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return {
    client,
    close: async () => {
      await client.end();
      await onServer(snapshot.url, `drop database ${name} with (force)`);
      await onServer(snapshot.url, `drop role ${name}`);
    },
  };
}

describe("a database of the last build before 0.2.0", () => {
  let old: Awaited<ReturnType<typeof openEmptyDatabase>>;
  const rows = async (statement: string) => (await old.client.query(statement)).rows;
  beforeAll(async () => {
    old = await openEmptyDatabase();
    const chain = join(import.meta.dirname, "samples/tables-before-0.2.0.sql.gz");
    await old.client.query(gunzipSync(readFileSync(chain)).toString());
    const [org, user, twin, source, own] = Array.from({ length: 5 }, () => crypto.randomUUID());
    const kept = `'{"basis": "recurring", "exemplars": [{"reply": "под ковриком"}]}'`;
    await old.client.query(`
      create schema drizzle;
      create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the first', 1), ('of the last', ${LAST});
      set app.org = '${org}';
      insert into organizations (id, name) values ('${org}', 'О');
      insert into users (id, auth_method) values ('${user}', 'email');
      insert into twins (id, org_id, owner_id, name, description, personality, communication_style, style_profile, meaning_model)
        values ('${twin}', '${org}', '${user}', 'Д', '', '', '', '{"version": 1, "sayings": {"greeting": []}}', 'e5');
      insert into sources (id, org_id, twin_id, kind, platform, name) values ('${source}', '${org}', '${twin}', 'paste', 'telegram', 'И');
      insert into chats (org_id, twin_id, source_id, platform, external_id, kind, name)
        values ('${org}', '${twin}', '${source}', 'telegram', '1', 'private', 'И');
      insert into contacts (org_id, twin_id, platform, external_id, name) values ('${org}', '${twin}', 'telegram', '1', 'И');
      insert into messages (org_id, twin_id, chat_id, from_owner, external_id, text, sent_at)
        select org_id, twin_id, id, true, '1', 'под ковриком', now() from chats;
      insert into exemplars (org_id, twin_id, chat_id, contact_id, incoming, reply, reply_message_id, replied_at)
        select m.org_id, m.twin_id, m.chat_id, c.id, 'где ключи?', m.text, m.id, now() from messages m, contacts c;
      insert into index_segments (org_id, twin_id, kind, first_id, last_id, units, bytes) values
        ('${org}', '${twin}', 'exemplar', 1, 1, 1, '\\x00'), ('${org}', '${twin}', 'message', 1, 1, 1, '\\x00');
      insert into conversations (id, org_id, twin_id, user_id, platform, participant_name)
        values ('${own}', '${org}', '${twin}', '${user}', 'web', 'А');
      insert into conversation_messages (org_id, conversation_id, role, content, grounds) values
        ('${org}', '${own}', 'assistant', 'под ковриком', ${kept});
      reset app.org;`);
  });
  afterAll(() => old.close());

  test("is left as it is and refused when it stands at an earlier migration", async () => {
    await old.client.query(`delete from drizzle.__drizzle_migrations where created_at = ${LAST}`);
    const before = await readCatalogue((statement) => old.client.query(statement));
    await expect(adoptDatabase(old.client, MIGRATIONS)).rejects.toThrow(OutdatedDatabase);
    expect(await readCatalogue((statement) => old.client.query(statement))).toEqual(before);
    await old.client.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the last', ${LAST})`,
    );
  });

  test("becomes the same as a new one, with its data, and once only", async () => {
    const fresh = await openTestDatabase();
    const made = await readCatalogue((statement) => fresh.db.$client.query(statement));
    const expected = (await fresh.db.$client.query(journal)).rows;
    await fresh.close();
    await adoptDatabase(old.client, MIGRATIONS);
    const applied = await rows(journal);
    // As the start of the server does: what has come since the baseline.
    const { entries } = JSON.parse(readFileSync(join(MIGRATIONS, "meta/_journal.json"), "utf8"));
    for (const { tag } of entries.slice(applied.length))
      await old.client.query(readFileSync(join(MIGRATIONS, `${tag}.sql`), "utf8"));
    const adopted = await readCatalogue((statement) => old.client.query(statement));
    for (const [section, lines] of Object.entries(made))
      expect({ section, lines: adopted[section] }).toEqual({ section, lines });
    expect(made.policies!.length).toBeGreaterThan(100);
    expect(applied).toEqual(expected.slice(0, applied.length));
    await adoptDatabase(old.client, MIGRATIONS);
    expect(await rows(journal)).toEqual(applied);
    expect(await rows("select incoming, reply from reply_examples")).toEqual([
      { incoming: "где ключи?", reply: "под ковриком" },
    ]);
    // Its bytes name kinds by their former names; it is made anew by the next training.
    expect(await rows("select kind from index_segments")).toEqual([{ kind: "message" }]);
    expect(await rows("select knowledge_revision as revision from twins")).toEqual([{ revision: 1 }]);
    expect(await rows("select citations from conversation_messages")).toEqual([
      { citations: { basis: "recurring", replyExamples: [{ reply: "под ковриком" }] } },
    ]);
    expect(await rows("select style_profile as profile, embedding_model as model from twins")).toEqual([
      { profile: { version: 1, setPhrases: { greeting: [] } }, model: "e5" },
    ]);
  });
});
