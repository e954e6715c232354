/** An export that is imported into a new account, and interruptions of the job that writes one. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asc, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { chats, contacts, documents, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { storedPath } from "#server/platform/files/stored-files.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { readZip } from "#server/test/files/read-zip.ts";
import { linesOf, OWN, prepareDataExport, rowOf, stateOf, t, taken } from "#server/test/records/data-export-bench.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { makeExport } from "../make-export.ts";
import { type ExportRow, jobOf } from "./export-rows.ts";

prepareDataExport();

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

/** Imports all chats of the file; the file or `ownerId` names their owner. */
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

/** Returns what a twin has learnt, without ids of this database. */
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

const sample = (name: string) => readFile(join(import.meta.dirname, "../../../imports/formats/samples", name));

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

  // Importing the export into its own account adds nothing.
  for (const [name, content] of letters.filter(([, content]) => content.includes('"platform":"telegram"'))) {
    expect(await importFile(anna, twinId, name, content)).toMatchObject({ status: "done", imported: 0 });
  }
  // The whole zip is not an export of chats, and the refusal explains what to do.
  const zip = await anna.get(`${OWN}/file`);
  const refused = await uploadFile(new_, "/api/imports", { digitalTwinId: copy }, "все.zip", zip.rawPayload);
  expect(refused.json()).toMatchObject({ code: "export_of_everything" });
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
});
