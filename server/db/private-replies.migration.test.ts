/** What the migration that closed all past replies does to a database that has some. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, test } from "vitest";
import { MIGRATIONS } from "./database.ts";

const NAME = "private_replies.sql";

test("whatever was open is closed, the index and the manner are made anew, and answers to others forget what they leaned on", async () => {
  const database = await PGlite.create();
  const apply = async (files: string[]) => {
    for (const file of files) {
      const text = await readFile(join(MIGRATIONS, file), "utf8");
      await database.transaction(async (tx) => {
        for (const statement of text.split("--> statement-breakpoint")) await tx.exec(statement);
      });
    }
  };
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith(".sql")).sort();
  const at = files.findIndex((file) => file.endsWith(NAME));
  await apply(files.slice(0, at));
  const [org, user, colleague, twin, source, own, other] = Array.from({ length: 7 }, () => crypto.randomUUID());
  const grounds = `'{"exemplars": [{"incoming": null, "reply": "под ковриком"}], "basis": "recurring"}'`;
  await database.exec(`
    insert into organizations (id, name) values ('${org}', 'О');
    insert into users (id, auth_method) values ('${user}', 'email'), ('${colleague}', 'email');
    insert into twins (id, org_id, owner_id, name, description, personality, communication_style, style_profile, knowledge_revision, trained_revision)
      values ('${twin}', '${org}', '${user}', 'Д', '', '', '', '{"version": 1}', 4, 4);
    insert into sources (id, org_id, twin_id, kind, platform, name) values ('${source}', '${org}', '${twin}', 'paste', 'telegram', 'И');
    insert into chats (org_id, twin_id, source_id, platform, external_id, kind, name)
      values ('${org}', '${twin}', '${source}', 'telegram', '1', 'private', 'И');
    insert into contacts (org_id, twin_id, platform, external_id, name) values ('${org}', '${twin}', 'telegram', '1', 'И');
    insert into messages (org_id, twin_id, chat_id, from_owner, external_id, text, sent_at)
      select org_id, twin_id, id, true, '1', 'под ковриком', now() from chats;
    insert into exemplars (org_id, twin_id, chat_id, contact_id, incoming, reply, reply_message_id, audience, replied_at)
      select m.org_id, m.twin_id, m.chat_id, c.id, 'где ключи?', m.text, m.id, 0, now() from messages m, contacts c;
    insert into index_segments (org_id, twin_id, kind, first_id, last_id, units, bytes) values
      ('${org}', '${twin}', 'exemplar', 1, 1, 1, '\\x00'), ('${org}', '${twin}', 'message', 1, 1, 1, '\\x00');
    insert into conversations (id, org_id, twin_id, user_id, platform, participant_name) values
      ('${own}', '${org}', '${twin}', '${user}', 'web', 'А'), ('${other}', '${org}', '${twin}', '${colleague}', 'web', 'Б');
    insert into conversation_messages (org_id, conversation_id, role, content, grounds) values
      ('${org}', '${own}', 'assistant', 'под ковриком', ${grounds}), ('${org}', '${other}', 'assistant', 'ок', ${grounds});`);
  const rows = async (query: string) => (await database.query(query)).rows;
  const unforced = "select relname from pg_class where relrowsecurity and not relforcerowsecurity";
  const unforcedBefore = await rows(unforced);
  await apply(files.slice(at, at + 1));
  expect(await rows("select incoming, reply from exemplars")).toHaveLength(1);
  expect(await rows("select 1 from open_replies")).toEqual([]);
  expect(await rows("select kind from index_segments")).toEqual([{ kind: "message" }]);
  expect(await rows("select style_profile, knowledge_revision > trained_revision as behind from twins")).toEqual([
    { style_profile: null, behind: true },
  ]);
  expect(
    await rows("select conversation_id as talk, grounds->'exemplars' as leaned from conversation_messages order by id"),
  ).toMatchObject([
    { talk: own, leaned: [{ reply: "под ковриком" }] },
    { talk: other, leaned: [] },
  ]);
  expect(await rows(unforced)).toEqual(unforcedBefore);
  await database.close();
}, 240_000);
