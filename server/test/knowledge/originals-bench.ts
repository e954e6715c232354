/** Pictures and recordings that are documents. */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { MediaKind } from "#contract/models/media-readers.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { readBy } from "#server/test/media-readers.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let service: RecognitionServer;
export let t: TestApp;
export const PRICES = "Чехол 1200";

export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export async function annWithTwin(kinds: readonly MediaKind[] = ["speech", "picture"], more: object = {}) {
  const ann = await t.signUp();
  for (const kind of kinds) await readBy({ t, service }, ann, kind, more);
  return { ann, twinId: await buildTwin(ann) };
}

interface File {
  name: string;
  bytes: Buffer;
}

export async function upload(client: TestClient, fields: Record<string, string>, files: File[]) {
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

export const picture = (name = "прайс.png"): File => ({
  name,
  bytes: Buffer.concat([PIXEL, Buffer.from(randomUUID())]),
});

export async function added(ann: TestClient, twinId: string, file: File): Promise<KnowledgeDocument> {
  const taken = await upload(ann, { digitalTwinId: twinId, type: "product", tags: "цены" }, [file]);
  expect(taken.statusCode, taken.body).toBe(201);
  return taken.json();
}

export const whole = async (client: TestClient, id: string) =>
  (await client.get(`/api/knowledge/documents/${id}`)).json<KnowledgeDocument>();

export async function finds(ann: TestClient, twinId: string, words: string): Promise<string[]> {
  const found = await ann.get(`/api/digital-twins/${twinId}/search?q=${encodeURIComponent(words)}`);
  return found.json<{ text: string }[]>().map(({ text }) => text);
}

export const originalsLyingThere = () =>
  existsSync(join(t.services.config.dataDir, "uploads"))
    ? readdirSync(join(t.services.config.dataDir, "uploads")).filter((name) => name.startsWith("original-"))
    : [];

export const rowOf = async (documentId: string) =>
  (await t.services.db.select().from(mediaFiles).where(eq(mediaFiles.documentId, documentId)))[0]!;

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareOriginals(): void {
  beforeAll(async () => {
    service = await startRecognitionServer();
    t = await testApp({ localModelHosts: ["127.0.0.1"] });
  });
  afterAll(async () => {
    await t.close();
    await service.close();
  });
  beforeEach(() => {
    service.says = { text: PRICES, sure: 0.95 };
    service.heard.length = 0;
    service.next.length = 0;
  });
}
