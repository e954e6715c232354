import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#server/platform/db/database.ts";
import { contentOf } from "#server/platform/files/file-store.ts";
import { checkFilePlace } from "#server/platform/object-storage/file-place.ts";
import { openFileStore } from "#server/platform/object-storage/open-file-store.ts";
import { backUp, initialisedTarget, type Lock, makeLock, type Target } from "#server/test/backups.ts";
import { type S3Server, startOwnS3Server } from "#server/test/servers/s3-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { restoreBackup } from "./restore-backup.ts";

const newName = () => `export-${randomBytes(16).toString("hex")}`;
const [SINGLE, TOGETHER, EMPTY] = [newName(), newName(), newName()];
const CONTENTS = new Map([
  [SINGLE, randomBytes(9 * 1024 ** 2)],
  [`${TOGETHER}/0`, Buffer.from("letters")],
  [EMPTY, Buffer.alloc(0)],
]);

let s3: S3Server;
let t: TestApp;
let lock: Lock;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-objects-"));
  file = join(folder, "one.age");
  s3 = await startOwnS3Server();
  t = await testApp({ storage: s3.storage });
  await t.signUp();
  lock = await makeLock();
  for (const [name, bytes] of CONTENTS) {
    await t.services.files.write(name, Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false }));
  }
  expect(await backUp(t, file, lock)).toMatchObject({ files: CONTENTS.size });
});
afterAll(async () => {
  await t.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function target(): Promise<Target> {
  const made = await initialisedTarget("embedded", lock);
  onTestFinished(() => made.remove());
  return made;
}

const quiet = { say: () => {} };

test("files of a bucket are restored into another one, and what the replaced database had there is deleted", async () => {
  const { config } = await target();
  const other = await startOwnS3Server();
  onTestFinished(() => other.close());
  const moved = { ...config, storage: other.storage };
  const { databaseUrl, dataDir } = config;
  const replaced = await openDatabase({ databaseUrl, dataDir });
  await openFileStore(moved, replaced.db).write(newName(), Readable.from([Buffer.from("former")]));
  await replaced.close();
  const former = [...other.objects!.keys()];
  expect(former.length).toBeGreaterThan(0);
  expect(await restoreBackup(moved, file, { ...quiet, replace: true })).toMatchObject({ files: CONTENTS.size });
  const database = await openDatabase({ databaseUrl, dataDir });
  onTestFinished(() => database.close());
  const files = openFileStore(moved, database.db);
  await files.sweep(Date.now());
  for (const key of former) expect(other.objects!.has(key)).toBe(false);
  for (const [name, bytes] of CONTENTS) {
    const parts: Buffer[] = [];
    for await (const part of contentOf(files, name)) parts.push(part);
    expect(Buffer.concat(parts).equals(bytes), name).toBe(true);
  }
  // The first bucket was only read.
  for (const [name, bytes] of CONTENTS) expect(await t.services.files.size(name)).toBe(bytes.length);

  // Files are never looked for in a storage that does not contain them.
  await expect(checkFilePlace({ ...config, storage: null }, database.db)).rejects.toThrow("STORAGE_URL: не задан");
  await expect(checkFilePlace(moved, database.db)).resolves.toBeUndefined();
});
