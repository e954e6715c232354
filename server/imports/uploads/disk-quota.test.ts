import { randomBytes } from "node:crypto";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { ExportUpload, ImportState } from "#contract/knowledge/imports.ts";
import type { PlatformDisk } from "#contract/organizations/storage.ts";
import { cleanUp, clearUploads } from "#server/cleanup.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import {
  chat,
  ENOUGH,
  files,
  form,
  importFile,
  KILOBYTE,
  MEGABYTE,
  prepareDiskQuota,
  QUOTA,
  t,
  withTwin,
} from "#server/test/imports/disk-quota-bench.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { sweepUploads } from "./uploads.ts";

prepareDiskQuota();

const HOUR = 3600_000;
const free = (megabytes: number) => {
  t.services.disk.measure = async () => ({ ...ENOUGH, freeBytes: megabytes * MEGABYTE });
};
const text = (kilobytes: number) => randomBytes((kilobytes * KILOBYTE) / 2).toString("hex");
const document = (digitalTwinId: string, content: string) => ({
  digitalTwinId,
  name: "Документ",
  content,
  type: "faq",
});
const begin = (client: TestClient, digitalTwinId: string, fileName: string, bytes: number) =>
  client.post("/api/imports/uploads", { digitalTwinId, fileName, bytes });
const append = (client: TestClient, id: string, payload: Buffer, offset = 0) =>
  client.inject({
    method: "PATCH",
    url: `/api/imports/uploads/${id}?offset=${offset}`,
    headers: { "content-type": "application/octet-stream" },
    payload,
  });
const uploadDocument = async (client: TestClient, digitalTwinId: string, bytes: Buffer) =>
  client.inject({ url: "/api/knowledge/upload", ...(await form({ digitalTwinId, type: "faq" }, bytes, "d.txt")) });

test("documents fill an organisation's space up to its quota; the refusal names what is used, and a deletion makes room", async () => {
  const { client, twinId, storage } = await withTwin();
  const other = await withTwin();
  expect(await storage()).toMatchObject({ usedBytes: 0, limitBytes: QUOTA, disk: "enough" });
  const first = await client.post("/api/knowledge/upload", document(twinId, text(100)));
  expect(first.statusCode).toBe(201);
  await t.jobsIdle();
  const { documentsBytes, indexesBytes, usedBytes } = await storage();
  expect(documentsBytes).toBe(100 * KILOBYTE);
  expect(usedBytes).toBe(documentsBytes + indexesBytes);

  for (const refused of [
    await client.post("/api/knowledge/upload", document(twinId, text(250))),
    await uploadDocument(client, twinId, Buffer.from(text(250))),
  ]) {
    expect([refused.statusCode, refused.json().code]).toEqual([413, "storage_full"]);
    expect(refused.json().message).toMatch(/занято [\d,]+\sКБ из 300\sКБ, а нужно ещё 250\sКБ. Удалите/);
  }
  // No other user is delayed.
  expect((await other.client.post("/api/knowledge/upload", document(other.twinId, text(250)))).statusCode).toBe(201);

  expect((await client.delete(`/api/knowledge/documents/${first.json().id}`)).statusCode).toBe(204);
  await t.jobsIdle();
  expect(await storage()).toMatchObject({ documentsBytes: 0 });
  expect((await uploadDocument(client, twinId, Buffer.from(text(200)))).statusCode).toBe(201);
});

test("an export counts with its full size from the start, so two simultaneous ones cannot exceed the quota together", async () => {
  const { client, twinId, storage } = await withTwin();
  const begun = await Promise.all([1, 2, 3].map((at) => begin(client, twinId, `${at}.txt`, 140 * KILOBYTE)));
  expect(begun.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 413]);
  expect(await storage()).toMatchObject({ uploadsBytes: 280 * KILOBYTE });
  expect((await importFile(client, twinId, chat(100 * KILOBYTE))).json()).toMatchObject({ code: "storage_full" });

  const { id } = begun.find(({ statusCode }) => statusCode === 200)!.json<ExportUpload>();
  expect((await client.delete(`/api/imports/uploads/${id}`)).statusCode).toBe(204);
  expect(await storage()).toMatchObject({ uploadsBytes: 140 * KILOBYTE });
  // An upload cannot exceed its announced size, so that the quota holds.
  const { id: small } = (await begin(client, twinId, "small.txt", 1000)).json<ExportUpload>();
  expect((await append(client, small, chat(150 * KILOBYTE))).json()).toMatchObject({ code: "upload_too_long" });
});

test("uploads leave the required space free, are stopped when it is reached, and resume when there is room again", async () => {
  const { client, twinId, storage } = await withTwin();
  const { id } = (await begin(client, twinId, "chat.txt", 200 * KILOBYTE)).json<ExportUpload>();
  const content = chat(200 * KILOBYTE);
  free(100);
  for (const refused of [
    await begin(client, twinId, "another.txt", 1000),
    await importFile(client, twinId, chat(KILOBYTE)),
    await client.post("/api/knowledge/upload", document(twinId, text(1))),
    await append(client, id, content),
  ]) {
    expect([refused.statusCode, refused.json().code]).toEqual([507, "no_space"]);
  }
  expect(await storage()).toMatchObject({ disk: "low" });
  free(99);
  expect(await storage()).toMatchObject({ disk: "full" });
  free(500);
  expect((await append(client, id, content)).json()).toMatchObject({ offset: content.length });
});

test("while disk space is short, abandoned uploads and previews are removed sooner", async () => {
  const { client, twinId, storage } = await withTwin();
  await begin(client, twinId, "left.txt", 50 * KILOBYTE);
  const preview = (await importFile(client, twinId, chat(50 * KILOBYTE))).json<ImportState>();
  await t.jobsIdle();
  const { db } = t.services;
  const open = () =>
    asTenant(db, client.caller, async (tx) => ({
      uploads: (await tx.select().from(exportUploads)).length,
      status: (await tx.select().from(imports).where(eq(imports.id, preview.id)))[0]!.status,
    }));
  await clearUploads(t.services, Date.now() + 23 * HOUR);
  expect(await open()).toEqual({ uploads: 1, status: "preview" });
  free(150);
  await clearUploads(t.services, Date.now() + HOUR);
  expect(await open()).toEqual({ uploads: 1, status: "preview" });
  await clearUploads(t.services, Date.now() + 3 * HOUR);
  expect(await open()).toEqual({ uploads: 0, status: "preview" });
  await clearUploads(t.services, Date.now() + 25 * HOUR);
  expect(await open()).toEqual({ uploads: 0, status: "cancelled" });
  expect(await storage()).toMatchObject({ uploadsBytes: 0 });
});

test("files of a deleted twin are removed within the hour, and their quota is freed at once", async () => {
  const { client, twinId, storage } = await withTwin();
  const before = new Set(await files());
  await importFile(client, twinId, chat(50 * KILOBYTE));
  await t.jobsIdle();
  expect((await client.delete(`/api/digital-twins/${twinId}`)).statusCode).toBe(204);
  expect(await storage()).toMatchObject({ usedBytes: 0 });
  const left = (await files()).filter((name) => !before.has(name));
  const { dataDir } = t.services.config;
  for (const name of left) await utimes(join(dataDir, "uploads", name), new Date(), new Date(Date.now() - 2 * HOUR));
  await sweepUploads(t.services.db, t.services.files);
  expect((await files()).filter((name) => !before.has(name))).toEqual([]);
  await cleanUp(t.services);
});

test("only the platform's administrator sees the server's disk", async () => {
  const admin = await t.signUp({ superAdmin: true });
  free(150);
  const disk = (await admin.get("/api/admin/platform/disk")).json<PlatformDisk>();
  expect(disk).toMatchObject({
    totalBytes: 1000 * MEGABYTE,
    freeBytes: 150 * MEGABYTE,
    floorBytes: 100 * MEGABYTE,
    disk: "low",
    organizationBytes: QUOTA,
  });
  const { client } = await withTwin();
  expect((await client.get("/api/admin/platform/disk")).statusCode).toBe(403);
});
