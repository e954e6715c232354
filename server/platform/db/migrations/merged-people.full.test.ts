/** Replies that were public because one person had several contacts are closed by the upgrade. */
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { openRawDatabase } from "#server/operations/backup/raw-database.ts";
import { emptyTarget, makeLock, type Target } from "#server/test/backups.ts";
import { before } from "#server/test/planted-migrations.ts";
import { openDatabase } from "../database.ts";

vi.setConfig({ testTimeout: 300_000 });

let target: Target;
beforeEach(async () => {
  target = await emptyTarget("path" in inject("databaseSnapshot") ? "embedded" : "postgres", await makeLock());
});
afterEach(() => target.remove());

async function run(...statements: string[]): Promise<Record<string, unknown>[]> {
  const raw = await openRawDatabase(target.config);
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await raw.client.query(statement));
    return rows;
  } finally {
    await raw.close();
  }
}

/** Row-level security applies to the owner of the tables too. */
const TABLES = [
  "twins",
  "sources",
  "chats",
  "contacts",
  "messages",
  "reply_examples",
  "open_replies",
  "open_reply_witnesses",
];
const force = (whether: "FORCE" | "NO FORCE") =>
  TABLES.map((table) => `alter table ${table} ${whether} row level security`);

const ID = (last: number) => `00000000-0000-0000-0000-00000000000${last}`;
const PLACE = `'${ID(1)}', '${ID(2)}'`;

test("recurring replies to merged contacts close, the twin is trained anew, and what others were told stays", async () => {
  const old = await openDatabase({ ...target.config, migrationsFolder: await before("merged_people") });
  await old.close();
  await run(
    ...force("NO FORCE"),
    `insert into users (id, auth_method) values ('${ID(3)}', 'email')`,
    `insert into organizations (id, name) values ('${ID(1)}', 'О')`,
    `insert into twins (org_id, id, owner_id, name, description, personality, communication_style, style_profile, knowledge_revision, trained_revision)
     values (${PLACE}, '${ID(3)}', 'Д', '', '', '', '{}', 7, 7)`,
    `insert into sources (org_id, twin_id, id, kind, platform, external_id, name)
     values (${PLACE}, '${ID(4)}', 'export', 'telegram', '1', 'В')`,
    `insert into chats (org_id, twin_id, source_id, platform, external_id, kind, name)
     values (${PLACE}, '${ID(4)}', 'telegram', '1', 'private', 'Чат')`,
    // Contacts 1 and 2 are one person.
    `insert into contacts (org_id, twin_id, platform, external_id, name, person_id)
     select ${PLACE}, 'telegram', n, 'К' || n, case when n <= 2 then '${ID(5)}'::uuid end from generate_series(1, 4) n`,
    `insert into messages (org_id, twin_id, chat_id, from_owner, external_id, text, sent_at)
     select ${PLACE}, 1, true, n, 'Да', now() from generate_series(1, 4) n`,
    `insert into reply_examples (org_id, twin_id, chat_id, contact_id, incoming, reply, reply_message_id, replied_at)
     select ${PLACE}, 1, n, '?', 'Да', n, now() from generate_series(1, 4) n`,
    `insert into open_replies (org_id, twin_id, origin, question, reply, people)
     values (${PLACE}, 'recurring', '?', 'одному', 3), (${PLACE}, 'recurring', '?', 'троим', 3)`,
    `insert into open_reply_witnesses (org_id, open_reply_id, reply_example_id)
     values ('${ID(1)}', 1, 1), ('${ID(1)}', 1, 2), ('${ID(1)}', 1, 3), ('${ID(1)}', 2, 2), ('${ID(1)}', 2, 3), ('${ID(1)}', 2, 4)`,
    ...force("FORCE"),
  );
  await (await openDatabase(target.config)).close();
  const after = (query: string) => run(...force("NO FORCE"), query);
  expect(await after("select reply from open_replies")).toEqual([{ reply: "троим" }]);
  expect(await after("select knowledge_revision::int as revision, style_profile as style from twins")).toEqual([
    { revision: 8, style: null },
  ]);
  expect(await after("select merged_id as merged from contacts order by id")).toEqual([
    { merged: ID(5) },
    { merged: ID(5) },
    { merged: null },
    { merged: null },
  ]);
});
