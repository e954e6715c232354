/** Files in S3-compatible storage go into the backup whole, or are said to be missing. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { openFileStore } from "#server/platform/object-storage/open-file-store.ts";
import { type Lock, makeLock } from "#server/test/backups.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { type S3Server, startOwnS3Server } from "#server/test/servers/s3-server.ts";
import { decryptionKeyOf } from "../age-file.ts";
import { readBackup } from "../read-backup.ts";
import { knownObjects } from "../stored-objects.ts";
import { writeBackup } from "../write-backup.ts";

const [LETTERS, EMPTY] = [`export-${"a".repeat(32)}/0`, `export-${"b".repeat(32)}`];
let folder: string;
let s3: S3Server;
let database: OpenDatabase;
let lock: Lock;
let files: FileStore;
let keys: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-objects-"));
  lock = await makeLock();
  s3 = await startOwnS3Server();
  database = await openTestDatabase();
  files = openFileStore({ storage: s3.storage, dataDir: folder, diskFloorBytes: 0 }, database.db);
  await files.write(LETTERS, Readable.from([Buffer.from("letters")]));
  await files.write(EMPTY, Readable.from([], { objectMode: false }));
  keys = [...s3.objects!.keys()].map((key) => key.slice("uploads/".length));
});
afterAll(async () => {
  await database.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function backUp(name: string) {
  const said: string[] = [];
  const file = join(folder, name);
  const client = await database.db.$client.connect();
  try {
    const source = {
      client,
      engine: database.kind,
      dataDir: folder,
      storage: s3.storage,
      masterKeys: [],
      product: "0.2.0",
    };
    await writeBackup(source, file, { lock, say: (line) => void said.push(line) });
    expect(await knownObjects(client)).toEqual(keys);
  } finally {
    client.release();
  }
  const found: Record<string, string> = {};
  await readBackup(file, decryptionKeyOf(lock), {
    file: (path, bytes) => {
      found[path] = `${found[path] ?? ""}${bytes}`;
    },
  });
  return { found, said };
}

test("a backup holds the bytes of each file, and of an empty one its name", async () => {
  expect((await backUp("whole.age")).found).toEqual({ [LETTERS]: "letters", [EMPTY]: "" });
  expect(await files.size(LETTERS)).toBe(7);
});

test("a file that is no longer in the storage ends there, and the operator reads which one it is", async () => {
  const [key] = s3.objects!.keys();
  const kept = s3.objects!.get(key!)!;
  s3.faults.before = async () => void s3.objects!.delete(key!);
  const { found, said } = await backUp("broken.age").finally(() => {
    delete s3.faults.before;
    s3.objects!.set(key!, kept);
  });
  expect(said).toContain(`Файла ${LETTERS} в хранилище нет целиком: в копии он обрывается.`);
  expect(found).toEqual({ [LETTERS]: "", [EMPTY]: "" });
});
