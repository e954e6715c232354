import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ImportState } from "#contract/knowledge/imports.ts";
import type { KnowledgeSource, SourceContents } from "#contract/knowledge/knowledge-base.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { conversationMessages } from "#server/platform/db/schema/conversations.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { embeddings } from "#server/platform/db/schema/public-replies.ts";
import { buildTwinRow } from "#server/test/factories/build-rows.ts";
import { type EmbeddingServer, startEmbeddingServer } from "#server/test/servers/embedding-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let vectors: EmbeddingServer;
beforeAll(async () => {
  vectors = await startEmbeddingServer();
  const { baseUrl } = vectors;
  t = await testApp({ embedding: { baseUrl, apiKey: null, model: "m", timeoutMs: 60_000, dailyTokens: 1_000_000 } });
});
afterAll(async () => {
  await t.close();
  await vectors.close();
});

/** Unique words: each must be nowhere once its place was deleted. */
const ANNA = "Анна Лазурнова";
const BORIS = "Борис Пунцовых";
const [ANNA_SAYS, TO_ANNA, BORIS_SAYS, TO_BORIS, ANNA_IN_GROUP, BORIS_IN_GROUP] =
  "кобальтовый ультрамариновый киноварный пурпурный бирюзовый малиновый".split(" ") as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];

function exportOf(): string {
  let id = 0;
  const message = (from: string, fromId: string, text: string) => ({
    id: ++id,
    type: "message",
    date_unixtime: String(1_700_000_000 + id * 300),
    from,
    from_id: fromId,
    text: `${text} ответ про доставку`,
  });
  const anna = (text: string) => message(ANNA, "user7", text);
  const boris = (text: string) => message(BORIS, "user8", text);
  const me = (text: string) => message("Пётр", "user1", text);
  const list = [
    { name: ANNA, type: "personal_chat", id: 7, messages: [anna(ANNA_SAYS), me(TO_ANNA)] },
    { name: BORIS, type: "personal_chat", id: 8, messages: [boris(BORIS_SAYS), me(TO_BORIS)] },
    {
      name: "Дача",
      type: "private_group",
      id: 9,
      messages: [anna(ANNA_IN_GROUP), me("общий"), boris(BORIS_IN_GROUP), me("общий снова")],
    },
  ];
  return JSON.stringify({ personal_information: { user_id: 1 }, chats: { list } });
}

/** Returns every row of every table that contains the word, as text or bytes. */
async function scan(word: string): Promise<string[]> {
  const { rows: tables } = await t.services.db.execute(sql`
    select table_schema || '.' || table_name as name, table_schema as schema, table_name as own
    from information_schema.tables where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`);
  const found: string[] = [];
  for (const { name, schema, own } of tables as { name: string; schema: string; own: string }[]) {
    const { rows } = await t.services.db.execute(sql`
      select 1 from ${sql.identifier(schema)}.${sql.identifier(own)} as t
      where t::text like ${`%${word}%`} or t::text like ${`%${Buffer.from(word).toString("hex")}%`}`);
    for (let row = 0; row < rows.length; row++) found.push(name);
  }
  return found;
}

async function importEverything(client: TestClient): Promise<{ twinId: string; source: KnowledgeSource }> {
  const twinId = await asTenant(t.services.db, client.caller, (tx) =>
    buildTwinRow(tx, client.caller, { name: "Пётр" }),
  );
  const form = new FormData();
  form.append("digitalTwinId", twinId);
  form.append("file", new Blob([exportOf()]), "result.json");
  const encoded = new Response(form);
  const headers = { "content-type": encoded.headers.get("content-type")! };
  const payload = Buffer.from(await encoded.arrayBuffer());
  const { id } = (await client.inject({ method: "POST", url: "/api/imports", headers, payload })).json<ImportState>();
  await t.jobsIdle();
  const chatIds = (await client.get(`/api/imports/${id}`)).json<ImportState>().chats.map((chat) => chat.id);
  await client.post(`/api/imports/${id}/start`, { ownerId: "user1", chatIds, consent: true });
  await t.jobsIdle();
  const [source] = (await client.get("/api/knowledge-base/sources")).json<KnowledgeSource[]>();
  return { twinId, source: source! };
}

test("nothing that came from a chat, a person or a source remains anywhere after its deletion", {
  timeout: 60_000,
}, async () => {
  const owner = await t.signUp();
  const { twinId, source } = await importEverything(owner);
  expect(source.messagesCount).toBe(8);
  const contents = () =>
    owner.get(`/api/knowledge-base/sources/${source.id}/contents`).then((answer) => answer.json<SourceContents>());
  const { chats, people } = await contents();
  expect(chats.map(({ name, messages }) => [name, messages])).toEqual([
    ["Дача", 4],
    [ANNA, 2],
    [BORIS, 2],
  ]);
  expect(people.map(({ name, messages }) => [name, messages])).toEqual([
    [ANNA, 2],
    [BORIS, 2],
  ]);
  const learnt = () =>
    asTenant(t.services.db, owner.caller, (tx) => tx.select().from(embeddings).where(eq(embeddings.twinId, twinId)));
  expect(await learnt()).toHaveLength(4);
  // An answer of the twin stores the pairs on which it is based.
  await owner.post("/api/ai-generate", { twinId, message: "ответ про доставку" });

  const colleague = await t.signUp({ role: "org_admin", organizationId: owner.caller.organizationId });
  for (const client of [await t.signUp(), colleague]) {
    for (const path of ["", `/chats/${chats[0]!.id}`, `/people/${people[0]!.id}`]) {
      expect((await client.delete(`/api/knowledge-base/sources/${source.id}${path}`)).statusCode, path).toBe(404);
    }
  }

  const remove = async (path: string) => {
    expect((await owner.delete(`/api/knowledge-base/sources/${source.id}${path}`)).statusCode).toBe(204);
    await t.jobsIdle();
  };
  // The twin's own messages stay; data stored beside them does not.
  await asTenant(t.services.db, owner.caller, (tx) => tx.update(conversationMessages).set({ content: "…" }));
  expect(await scan(TO_ANNA)).toContain("public.messages");
  await remove(`/chats/${chats.find(({ name }) => name === ANNA)!.id}`);
  expect([await scan(ANNA_SAYS), await scan(TO_ANNA)]).toEqual([[], []]);
  expect(await learnt()).toHaveLength(3);
  expect(await scan(ANNA_IN_GROUP)).not.toEqual([]);
  expect((await contents()).chats.map(({ name }) => name)).toEqual(["Дача", BORIS]);
  expect((await owner.get("/api/knowledge-base/sources")).json()).toMatchObject([{ messagesCount: 6 }]);

  await remove(`/people/${people.find(({ name }) => name === ANNA)!.id}`);
  expect([await scan(ANNA), await scan(ANNA_IN_GROUP)]).toEqual([[], []]);
  expect(await scan(BORIS_IN_GROUP)).not.toEqual([]);

  await remove("");
  expect(await learnt()).toEqual([]);
  for (const word of [BORIS, BORIS_SAYS, TO_BORIS, BORIS_IN_GROUP]) expect(await scan(word)).toEqual([]);
  expect((await owner.get("/api/knowledge-base/sources")).json()).toEqual([]);
  expect(await t.services.db.select().from(imports).where(eq(imports.twinId, twinId))).toEqual([]);
  const records = await t.services.db.select().from(auditLog).where(eq(auditLog.userId, owner.caller.userId));
  expect(records.map(({ action }) => action).filter((action) => action.endsWith("-deleted"))).toEqual([
    "chat-deleted",
    "contact-deleted",
    "source-deleted",
  ]);
});
