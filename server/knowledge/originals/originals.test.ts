/** Recordings and pictures that are uploaded as documents, from the form to what the twin finds, read by a local service. */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { MediaKind } from "#contract/models/media-readers.ts";
import { mediaFiles, mediaReaders } from "#server/db/schema.ts";
import { expireOriginals } from "#server/media/originals/expire-originals.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { silentWav } from "#server/test/files/recordings.ts";
import { readBy } from "#server/test/media-readers.ts";
import { answer } from "#server/test/servers/provider-server.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { resumeOriginals } from "./read-original.ts";

let service: RecognitionServer;
let t: TestApp;
beforeAll(async () => {
  service = await startRecognitionServer();
  t = await testApp({ localModelHosts: ["127.0.0.1"] });
});
afterAll(async () => {
  await t.close();
  await service.close();
});
const PRICES = "Чехол 1200";
beforeEach(() => {
  service.says = { text: PRICES, sure: 0.95 };
  service.heard.length = 0;
  service.next.length = 0;
});

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function annWithTwin(kinds: readonly MediaKind[] = ["speech", "picture"], more: object = {}) {
  const ann = await t.signUp();
  for (const kind of kinds) await readBy({ t, service }, ann, kind, more);
  return { ann, twinId: await buildTwin(ann) };
}

interface File {
  name: string;
  bytes: Buffer;
}

async function upload(client: TestClient, fields: Record<string, string>, files: File[]) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  for (const { name, bytes } of files) form.append("file", new Blob([new Uint8Array(bytes)]), name);
  const encoded = new Response(form);
  return client.inject({
    method: "POST",
    url: "/api/knowledge/upload",
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { "content-type": encoded.headers.get("content-type")! },
  });
}

const picture = (name = "прайс.png"): File => ({ name, bytes: Buffer.concat([PIXEL, Buffer.from(randomUUID())]) });

async function added(ann: TestClient, twinId: string, file: File): Promise<KnowledgeDocument> {
  const taken = await upload(ann, { digitalTwinId: twinId, type: "product", tags: "цены" }, [file]);
  expect(taken.statusCode, taken.body).toBe(201);
  return taken.json();
}

const whole = async (client: TestClient, id: string) =>
  (await client.get(`/api/knowledge/documents/${id}`)).json<KnowledgeDocument>();

async function finds(ann: TestClient, twinId: string, words: string): Promise<string[]> {
  const found = await ann.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent(words)}`);
  return found.json<{ text: string }[]>().map(({ text }) => text);
}

const originalsLyingThere = () =>
  existsSync(join(t.services.config.dataDir, "uploads"))
    ? readdirSync(join(t.services.config.dataDir, "uploads")).filter((name) => name.startsWith("original-"))
    : [];

const rowOf = async (documentId: string) =>
  (await t.services.db.select().from(mediaFiles).where(eq(mediaFiles.documentId, documentId)))[0]!;

test("a picture becomes a document with what stands in it, and stays beside it", async () => {
  const { ann, twinId } = await annWithTwin();
  const file = picture();
  const taken = await added(ann, twinId, file);
  expect(taken).toMatchObject({
    name: "прайс.png",
    status: "processing",
    content: "",
    mime: "image/png",
    tags: ["цены"],
  });
  await t.jobsIdle();
  const document = await whole(ann, taken.id);
  expect(document).toMatchObject({ status: "processed", content: PRICES, length: PRICES.length });
  expect(document.original).toMatchObject({ kind: "picture", state: "done", sure: true, confidence: 0.95, text: "" });
  expect(service.heard).toHaveLength(1);
  expect(await finds(ann, twinId, "сколько стоит чехол")).toEqual([PRICES]);

  const original = await ann.get(`/api/media/${document.original!.id}`);
  expect(original.statusCode).toBe(200);
  expect(original.rawPayload.equals(file.bytes)).toBe(true);
  expect(original.headers["content-type"]).toBe("image/png");
  const colleague = await t.signUp({ role: "user", organizationId: ann.caller.organizationId });
  expect((await colleague.get(`/api/media/${document.original!.id}`)).statusCode).toBe(200);
  const stranger = await t.signUp();
  expect((await stranger.get(`/api/media/${document.original!.id}`)).statusCode).toBe(404);
});

test("a recording becomes a document with what is said in it", async () => {
  const { ann, twinId } = await annWithTwin();
  const { id } = await added(ann, twinId, { name: "заметка.wav", bytes: silentWav(2) });
  await t.jobsIdle();
  expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES, mime: "audio/wav" });
  expect((await whole(ann, id)).original).toMatchObject({ kind: "speech", seconds: 2 });
});

test("of what was read unsurely the twin knows nothing until somebody has looked at it", async () => {
  const { ann, twinId } = await annWithTwin();
  service.says = { text: "Чехол 120O", sure: 0.3 };
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  const read = await whole(ann, id);
  expect(read).toMatchObject({ status: "unsure", content: "Чехол 120O", original: { sure: false } });
  expect(await finds(ann, twinId, "чехол")).toEqual([]);
  const { name, version } = read;
  const put = await ann.put(`/api/knowledge/documents/${id}`, { name, version, content: PRICES });
  expect(put.statusCode, put.body).toBe(200);
  expect(put.json()).toMatchObject({ status: "processed", content: PRICES });
  await t.jobsIdle();
  expect(await finds(ann, twinId, "чехол")).toEqual([PRICES]);
});

test("what was read unsurely but rightly is taken as it stands", async () => {
  const { ann, twinId } = await annWithTwin();
  service.says = { text: PRICES, sure: 0.3 };
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  const { name, version, content } = await whole(ann, id);
  expect((await ann.put(`/api/knowledge/documents/${id}`, { name, version, content })).json()).toMatchObject({
    status: "processed",
  });
  await t.jobsIdle();
  expect(await finds(ann, twinId, "чехол")).toEqual([PRICES]);
});

describe("what was not read surely is read again", () => {
  const again = (client: TestClient, id: string) => client.post(`/api/knowledge/documents/${id}/read`, {});

  test("what is read more surely this time takes the place of what was doubtful, and the twin knows it", async () => {
    const { ann, twinId } = await annWithTwin();
    service.says = { text: "Чехол 120O", sure: 0.3 };
    const { id } = await added(ann, twinId, picture());
    await t.jobsIdle();
    service.says = { text: PRICES, sure: 0.9 };
    const begun = await again(ann, id);
    expect(begun.statusCode, begun.body).toBe(200);
    expect(begun.json()).toMatchObject({ status: "processing", original: { state: "waiting" } });
    await t.jobsIdle();
    expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES, original: { sure: true } });
    expect(await finds(ann, twinId, "чехол")).toEqual([PRICES]);
    expect((await again(ann, id)).json()).toMatchObject({ code: "document_changed" });
  });

  test("what fails this time, or is no surer, leaves the former text and says so", async () => {
    const { ann, twinId } = await annWithTwin(["picture"], { dailyLimit: 2 });
    service.says = { text: "Чехол 120O", sure: 0.3 };
    const { id } = await added(ann, twinId, picture());
    await t.jobsIdle();
    const stays = { status: "unsure", content: "Чехол 120O" };
    service.says = { text: "Чехо1", sure: 0.1 };
    await again(ann, id);
    await t.jobsIdle();
    expect(await whole(ann, id)).toMatchObject({
      ...stays,
      original: { confidence: 0.3, note: "Увереннее прочитать не вышло." },
    });
    await again(ann, id);
    await t.jobsIdle();
    const spent = "Картинки, которые распознаются за день, на сегодня закончились.";
    expect(await whole(ann, id)).toMatchObject({ ...stays, original: { state: "done", note: spent } });
    expect(service.heard).toHaveLength(2);
  });

  test("one of which nothing was read is read like a new one, one at a time", async () => {
    const { ann, twinId } = await annWithTwin();
    service.says = { text: "", sure: 0 };
    const { id } = await added(ann, twinId, picture());
    await t.jobsIdle();
    expect((await whole(ann, id)).status).toBe("failed");
    service.says = { text: PRICES, sure: 0.9 };
    service.silent = true;
    const both = await Promise.all([again(ann, id), again(ann, id)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(both.find(({ statusCode }) => statusCode === 409)!.json().code).toBe("document_reading");
    service.silent = false;
    await t.jobsIdle();
    expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES });
  });

  test("only by those who may change the twin, where somebody reads, and what has a file", async () => {
    const { ann, twinId } = await annWithTwin(["picture"]);
    service.says = { text: "", sure: 0 };
    const { id } = await added(ann, twinId, picture());
    await t.jobsIdle();
    const { organizationId } = ann.caller;
    const member = await t.signUp({ role: "user", organizationId });
    expect((await again(member, id)).statusCode).toBe(403);
    expect((await again(await t.signUp(), id)).statusCode).toBe(404);
    const content = "Доставка по Москве занимает один день и стоит 350 рублей, за город дороже.";
    const typed = await ann.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "А", type: "faq", content });
    expect((await again(ann, typed.json().id)).json().code).toBe("document_without_original");
    await t.services.db.delete(mediaReaders).where(eq(mediaReaders.orgId, organizationId));
    expect((await again(ann, id)).json().code).toBe("media_reading_off");
    expect(await whole(ann, id)).toMatchObject({ status: "failed", original: { state: "done" } });
  });
});

test("the text of a typed document keeps its least length when it is changed", async () => {
  const { ann, twinId } = await annWithTwin([]);
  const content = "Доставка по Москве занимает один день и стоит 350 рублей, за город дороже.";
  const typed = await ann.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "А", type: "faq", content });
  const { id, version } = typed.json();
  const put = await ann.put(`/api/knowledge/documents/${id}`, { name: "А", version, content: "Коротко" });
  expect(put.statusCode).toBe(400);
  expect(put.json().fields).toEqual({ content: "Содержимое должно быть минимум 50 символов" });
});

describe("where nobody reads", () => {
  test("it is said plainly who switches it on and where, and nothing is kept", async () => {
    const { ann, twinId } = await annWithTwin(["speech"]);
    const before = originalsLyingThere();
    const refused = await upload(ann, { digitalTwinId: twinId, type: "faq" }, [picture()]);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      code: "media_reading_off",
      message:
        "Чтение картинок выключено: администратор включает его на странице «Модель» в разделе «Голос и картинки»",
    });
    expect(originalsLyingThere()).toEqual(before);
    expect((await ann.get("/api/knowledge/documents")).json()).toEqual([]);
  });

  test("other files of the same form are taken", async () => {
    const { ann, twinId } = await annWithTwin([]);
    const text = Buffer.from("Доставка по Москве занимает один день и стоит 350 рублей, за город дороже.");
    const files = [picture(), { name: "доставка.txt", bytes: text }];
    const taken = await upload(ann, { digitalTwinId: twinId, type: "faq" }, files);
    expect(taken.json()).toMatchObject([{ status: "failed" }, { status: "processed", name: "доставка.txt" }]);
  });
});

test("a file that was refused leaves nothing in the store: twice the same, a wrong form, a name of a text, a stranger's twin", async () => {
  const { ann, twinId } = await annWithTwin();
  const file = picture();
  await added(ann, twinId, file);
  const before = originalsLyingThere();
  const again = await upload(ann, { digitalTwinId: twinId, type: "faq" }, [file]);
  expect([again.statusCode, again.json().code]).toEqual([409, "document_exists"]);
  expect((await upload(ann, { digitalTwinId: twinId, type: "роман" }, [picture()])).statusCode).toBe(400);
  const named = await upload(ann, { digitalTwinId: twinId, type: "faq" }, [picture("прайс.txt")]);
  expect([named.statusCode, named.json().code]).toEqual([415, "document_type_mismatch"]);
  const { twinId: foreign } = await annWithTwin([]);
  expect((await upload(ann, { digitalTwinId: foreign, type: "faq" }, [picture()])).statusCode).toBe(404);
  const heic = { name: "фото.heic", bytes: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic") };
  expect((await upload(ann, { digitalTwinId: twinId, type: "faq" }, [heic])).statusCode).toBe(415);
  const huge = { name: "фото.png", bytes: Buffer.concat([PIXEL, Buffer.alloc(20 * 1024 ** 2)]) };
  expect((await upload(ann, { digitalTwinId: twinId, type: "faq" }, [huge])).statusCode).toBe(413);
  expect(originalsLyingThere()).toEqual(before);
});

test("where nothing was read the document says why, and takes a text that somebody enters", async () => {
  const { ann, twinId } = await annWithTwin();
  service.says = { text: "", sure: 0 };
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  const read = await whole(ann, id);
  expect(read).toMatchObject({ status: "failed", content: "", original: { note: "Текста на картинке нет." } });
  const { name, version } = read;
  expect((await ann.put(`/api/knowledge/documents/${id}`, { name, version, content: " " })).statusCode).toBe(400);
  const put = await ann.put(`/api/knowledge/documents/${id}`, { name, version, content: PRICES });
  expect(put.json()).toMatchObject({ status: "processed" });
});

test("what goes beyond the day's limit is not read, and says so", async () => {
  const { ann, twinId } = await annWithTwin(["picture"], { dailyLimit: 1 });
  await added(ann, twinId, picture());
  await t.jobsIdle();
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  expect(await whole(ann, id)).toMatchObject({
    status: "failed",
    original: { state: "failed", note: "Картинки, которые распознаются за день, на сегодня закончились." },
  });
  expect(service.heard).toHaveLength(1);
});

test("a service that is away for a moment is asked again", async () => {
  const { ann, twinId } = await annWithTwin();
  service.next.push((response) => answer(response, 503, { error: { message: "busy" } }));
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES });
});

test("one whose job was lost is read all the same", async () => {
  const { ann, twinId } = await annWithTwin();
  service.says = { text: "", sure: 0 };
  const { id } = await added(ann, twinId, picture());
  await t.jobsIdle();
  const { id: mediaId } = await rowOf(id);
  await t.services.db.update(mediaFiles).set({ state: "waiting" }).where(eq(mediaFiles.id, mediaId));
  service.says = { text: PRICES, sure: 0.9 };
  await resumeOriginals(t.services);
  await t.jobsIdle();
  expect((await rowOf(id)).state).toBe("waiting");
  await resumeOriginals(t.services, Date.now() + 3600_000);
  await t.jobsIdle();
  expect(await whole(ann, id)).toMatchObject({ status: "processed", content: PRICES });
});

test("a document that is deleted, alone or with its twin, takes its file; retention of contacts' files does not", async () => {
  const { ann, twinId } = await annWithTwin(["picture"], { keptDays: 1 });
  const [one, two] = [await added(ann, twinId, picture()), await added(ann, twinId, picture())];
  await t.jobsIdle();
  const [first, second] = [(await rowOf(one.id)).storedName!, (await rowOf(two.id)).storedName!];
  await expireOriginals(t.services, Date.now() + 10 * 86_400_000);
  expect(originalsLyingThere()).toEqual(expect.arrayContaining([first, second]));
  expect((await ann.delete(`/api/knowledge/documents/${one.id}`)).statusCode).toBe(204);
  expect(originalsLyingThere()).not.toContain(first);
  expect((await ann.delete(`/api/digital-twins/${twinId}`)).statusCode).toBe(204);
  expect(originalsLyingThere()).not.toContain(second);
});

test("an original counts to the organisation's space", async () => {
  const { ann, twinId } = await annWithTwin();
  const file = picture();
  await added(ann, twinId, file);
  const { organizationId } = ann.caller;
  const storage = await ann.get(`/api/organizations/${organizationId}/storage`);
  expect(storage.json()).toMatchObject({ mediaBytes: file.bytes.length });
});
