/** Exports with recordings and pictures, and the local service that reads them. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { ImportState } from "#contract/knowledge/imports.ts";
import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";
import type { MediaKind } from "#contract/media-kinds.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { buildTwinRow } from "#server/test/factories/build-rows.ts";
import { type ZipPart, zipOf } from "#server/test/files/zip.ts";
import { readBy } from "#server/test/media-readers.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let service: RecognitionServer;
export let t: TestApp;

export const voice = (words: string) => Buffer.from(`OggS a recording that says ${words}`);
export const photo = (words: string) =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(` shows ${words}`)]);

interface Line {
  mine?: boolean;
  text?: string;
  voice?: string;
  photo?: string;
}

/** A folder of Telegram Desktop as a zip: Анна (user700) and Пётр (user100), a message every ten minutes. */
export function telegramZip(lines: Line[], files: ZipPart[], { id = 700, folder = "ChatExport/" } = {}): Buffer {
  const chat = {
    ...{ name: "Анна", type: "personal_chat", id },
    messages: lines.map(({ mine = false, text = "", voice, photo }, place) => ({
      ...{ id: place + 1, type: "message", date_unixtime: String(1_700_000_000 + place * 600) },
      ...{ from: mine ? "Пётр" : "Анна", from_id: mine ? "user100" : `user${id}`, text },
      ...(voice === undefined ? {} : { file: voice, media_type: "voice_message", mime_type: "audio/ogg" }),
      ...(photo === undefined ? {} : { photo, width: 90, height: 90 }),
    })),
  };
  const json = { name: `${folder}result.json`, content: Buffer.from(JSON.stringify(chat, null, 1)) };
  return zipOf([json, ...files.map((file) => ({ ...file, name: `${folder}${file.name}` }))]);
}

export const QUESTION: Line[] = [
  { voice: "voice_messages/audio_1.ogg" },
  { mine: true, text: "Триста рублей" },
  { photo: "photos/photo_1.jpg" },
  { mine: true, voice: "voice_messages/audio_2.ogg" },
  { text: "Спасибо" },
];
export const FILES: ZipPart[] = [
  { name: "voice_messages/audio_1.ogg", content: voice("one") },
  { name: "voice_messages/audio_2.ogg", content: voice("two") },
  { name: "photos/photo_1.jpg", content: photo("a receipt") },
  { name: "photos/photo_1_thumb.jpg", content: photo("the same, smaller") },
];

export interface Owner {
  ann: TestClient;
  twinId: string;
}

export async function owner(kinds: readonly MediaKind[] = ["speech", "picture"], more: object = {}): Promise<Owner> {
  const ann = await t.signUp();
  for (const kind of kinds) await readBy({ t, service }, ann, kind, more);
  const twinId = await asTenant(t.services.db, ann.caller, (tx) => buildTwinRow(tx, ann.caller, { name: "Пётр" }));
  return { ann, twinId };
}

export async function preview({ ann, twinId }: Owner, content: Buffer, fileName = "export.zip"): Promise<ImportState> {
  const form = new FormData();
  form.append("digitalTwinId", twinId);
  form.append("file", new Blob([new Uint8Array(content)]), fileName);
  const encoded = new Response(form);
  const payload = Buffer.from(await encoded.arrayBuffer());
  const headers = { "content-type": encoded.headers.get("content-type")! };
  const answer = await ann.inject({ method: "POST", url: "/api/imports", payload, headers });
  expect(answer.statusCode, answer.body).toBe(202);
  await t.jobsIdle();
  return stateOf(ann, answer.json<ImportState>().id);
}

export const stateOf = async (ann: TestClient, id: string) => (await ann.get(`/api/imports/${id}`)).json<ImportState>();

export async function importAll(who: Owner, content: Buffer, choice: object = {}): Promise<ImportState> {
  const { id } = await preview(who, content);
  const started = await who.ann.post(`/api/imports/${id}/start`, {
    ...{ consent: true, ownerId: "user100", attached: true },
    ...choice,
  });
  expect(started.statusCode, started.body).toBe(200);
  await t.jobsIdle();
  return stateOf(who.ann, id);
}

export const rowsOf = <T>({ ann }: Owner, work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, ann.caller, work);

export const history = (who: Owner) =>
  rowsOf(who, (tx) =>
    tx
      .select({ mine: messages.fromOwner, kind: messages.kind, text: messages.text, learnt: messages.isTrainingData })
      .from(messages)
      .where(eq(messages.twinId, who.twinId))
      .orderBy(asc(messages.sentAt), asc(messages.id)),
  );
export const mediaOf = (who: Owner) =>
  rowsOf(who, (tx) =>
    tx
      .select()
      .from(mediaFiles)
      .where(eq(mediaFiles.orgId, who.ann.caller.organizationId))
      .orderBy(asc(mediaFiles.importedMessageId), asc(mediaFiles.place)),
  );
export const pairsOf = (who: Owner) =>
  rowsOf(who, (tx) =>
    tx
      .select({ incoming: replyExamples.incoming, reply: replyExamples.reply })
      .from(replyExamples)
      .where(eq(replyExamples.twinId, who.twinId)),
  );
export const shown = async ({ ann }: Owner, query = "") =>
  (await ann.get(`/api/knowledge-base/messages${query}`)).json<KnowledgeMessage[]>();

export const originalsOf = async (names: readonly (string | null)[]) => {
  const there = await readdir(join(t.services.config.dataDir, "uploads")).catch((): string[] => []);
  return names.filter((name) => name !== null && there.includes(name)).length;
};

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareAttached(): void {
  beforeAll(async () => {
    service = await startRecognitionServer();
    t = await testApp({ localModelHosts: ["127.0.0.1"] });
  });
  afterAll(async () => {
    await t.close();
    await service.close();
  });
  beforeEach(() => {
    service.says = { text: "Сколько стоит доставка?", sure: 0.95 };
    service.heard.length = 0;
    service.next.length = 0;
  });
}
