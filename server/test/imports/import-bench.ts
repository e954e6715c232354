/** Uploading an export and importing it through the calls that users make. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect } from "vitest";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { chats, contacts, messages } from "#server/platform/db/schema/knowledge.ts";
import { buildTwinRow } from "#server/test/factories/build-rows.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let t: TestApp;

export const sample = (name: string) => readFile(join(import.meta.dirname, "../../imports/formats/samples", name));
export const uploads = () => readdir(join(t.services.config.dataDir, "uploads")).catch(() => []);

export const makeTwin = ({ caller }: TestClient): Promise<string> =>
  asTenant(t.services.db, caller, (tx) => buildTwinRow(tx, caller, { name: "Пётр" }));

export type Part = [name: string, value: string | { content: Buffer | string; fileName: string }];

export async function multipart(parts: Part[]): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(Buffer.from(value.content))]), value.fileName);
  }
  const encoded = new Response(form);
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { "content-type": encoded.headers.get("content-type")! },
  };
}

export async function upload(
  client: Pick<TestClient, "inject">,
  digitalTwinId: string,
  content: Buffer | string,
  fileName = "result.json",
) {
  const body = await multipart([
    ["digitalTwinId", digitalTwinId],
    ["file", { content, fileName }],
  ]);
  return client.inject({ method: "POST", url: "/api/imports", ...body });
}

export async function previewOf(
  client: TestClient,
  twinId: string,
  content: Buffer | string,
  fileName?: string,
): Promise<ImportState> {
  const answer = await upload(client, twinId, content, fileName);
  expect(answer.statusCode, answer.body).toBe(202);
  expect(answer.json()).toMatchObject({ status: "reading", digitalTwinId: twinId });
  await t.jobsIdle();
  return (await client.get(`/api/imports/${answer.json<ImportState>().id}`)).json();
}

export async function importAll(
  client: TestClient,
  twinId: string,
  content: Buffer | string,
  choice: object,
  fileName?: string,
) {
  const { id } = await previewOf(client, twinId, content, fileName);
  const started = await client.post(`/api/imports/${id}/start`, { consent: true, ...choice });
  expect(started.statusCode, started.body).toBe(200);
  await t.jobsIdle();
  return (await client.get(`/api/imports/${id}`)).json<ImportState>();
}

export const rowsOf = <T>(client: TestClient, work: (tx: Tx) => Promise<T>) =>
  asTenant(t.services.db, client.caller, work);

export const history = (client: TestClient, twinId: string) =>
  rowsOf(client, (tx) =>
    tx
      .select({
        chat: chats.name,
        author: contacts.name,
        mine: messages.fromOwner,
        kind: messages.kind,
        training: messages.isTrainingData,
        text: messages.text,
      })
      .from(messages)
      .innerJoin(chats, eq(chats.id, messages.chatId))
      .leftJoin(contacts, eq(contacts.id, messages.contactId))
      .where(eq(messages.twinId, twinId))
      .orderBy(chats.id, messages.sentAt, messages.id),
  );

/** One Telegram chat; the other person writes `lines` with odd places, the owner with even ones. */
export function telegramChat(lines: string[], { id = 700, name = "Анна", type = "personal_chat" } = {}): string {
  const start = 1_700_000_000;
  return JSON.stringify({
    name,
    type,
    id,
    messages: lines.map((text, place) => ({
      id: place + 1,
      type: "message",
      date: "2023-11-14T22:13:20",
      date_unixtime: String(start + place * 300),
      from: place % 2 === 0 ? "Анна" : "Пётр",
      from_id: place % 2 === 0 ? "user700" : "user100",
      text,
    })),
  });
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareImports(): void {
  beforeAll(async () => {
    t = await testApp();
  });
  afterAll(() => t.close());
}
