/** A restore from either engine into the other, under another master key, and of a backup with a passphrase of the usual cost. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { configuredKeys, openKeyRing } from "#server/operations/master-key/key-ring.ts";
import { verifyAll } from "#server/operations/master-key/rewrap.ts";
import { SEALED_COLUMNS } from "#server/operations/master-key/sealed-columns.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { storedPath } from "#server/platform/files/stored-files.ts";
import { createVault } from "#server/platform/secrets/vault.ts";
import { backUp, emptyTarget, fileDigests, type Lock, makeLock, tableDigests } from "#server/test/backups.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import { fillTheRest } from "#server/test/privacy/deletion/one-of-everything.ts";
import { startOwnS3Server } from "#server/test/servers/s3-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { decryptionKeyOf } from "./age-file.ts";
import { readBackup } from "./read-backup.ts";
import { type RestoreOptions, restoreBackup } from "./restore-backup.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

/** Length of an encrypted empty secret in bytes (platform/secrets/vault.ts). */
const SHORTEST_SEALED = 93;
const embedded = "path" in inject("databaseSnapshot");

let t: TestApp;
let lock: Lock;
let folder: string;
let file: string;
let before: Record<string, string>;
let secrets: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-backup-"));
  file = join(folder, "one.age");
  lock = await makeLock();
  t = await testApp();
  const owner = await t.signUp();
  await fillTheRest(t, owner, await makeThings(t, owner));
  await t.jobsIdle();
  await t.services.jobs.stop(2000);
  const { db, config, vault } = t.services;
  // Inserts random bytes in place of encrypted secrets.
  for (const { table, column } of SEALED_COLUMNS) {
    await db.execute(
      sql`delete from ${sql.identifier(table)} where octet_length(${sql.identifier(column)}) < ${SHORTEST_SEALED}`,
    );
  }
  await backUp(t, file, lock);
  const client = await db.$client.connect();
  before = { ...(await tableDigests(client)), ...(await fileDigests(config.dataDir)) };
  client.release();
  secrets = await verifyAll(db, vault);
  expect(secrets).toBeGreaterThan(0);
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

/** Model files are not restored, and their rows say so; the database login for requests belongs to the installation and is in no backup. */
const restoredOf = ({ local_models: _, request_logins: __, ...digests }: Record<string, string>) => digests;

async function targetOf(engine: "embedded" | "postgres", masterKey = configuredKeys(t.services.config)[0]!) {
  const target = await emptyTarget(engine, lock, masterKey);
  onTestFinished(() => target.remove());
  return target;
}

const quiet = (options: Partial<RestoreOptions> = {}): RestoreOptions => ({ say: () => {}, ...options });

test.skipIf(embedded)("a backup goes from PGlite to PostgreSQL and back, as an owner who is no superuser", async () => {
  const [lite, postgres, back] = [await targetOf("embedded"), await targetOf("postgres"), await targetOf("embedded")];
  await restoreBackup(lite.config, file, quiet({ goOn: true }));
  const { makeBackup } = await import("./make-backup.ts");
  const second = join(folder, "second.age");
  await makeBackup(lite.config, second, quiet());
  await restoreBackup(postgres.config, second, quiet({ goOn: true }));
  expect(restoredOf(await postgres.digests())).toEqual(restoredOf(before));
  const third = join(folder, "third.age");
  await makeBackup(postgres.config, third, quiet());
  await restoreBackup(back.config, third, quiet({ goOn: true }));
  expect(restoredOf(await back.digests())).toEqual(restoredOf(before));
});

test("a restore seals the secrets anew where the installation has another master key", async () => {
  const target = await targetOf(embedded ? "embedded" : "postgres", randomBytes(32));
  expect(await restoreBackup(target.config, file, quiet({ goOn: true }))).toMatchObject({ secrets });
  const database = await openDatabase({ ...target.config, masterKeys: [target.config.masterKey!] });
  try {
    expect(await verifyAll(database.db, createVault(await openKeyRing(database.db, target.config)))).toBe(secrets);
  } finally {
    await database.close();
  }
});

test("a restore into a database with data removes it only when told so, and has the same rows then", async () => {
  const target = await targetOf("embedded");
  await restoreBackup(target.config, file, quiet({ goOn: true }));
  const there = await target.digests();
  await expect(restoreBackup(target.config, file, quiet())).rejects.toThrow(/уже есть данные.*--replace/);
  expect(await target.digests()).toEqual(there);
  await restoreBackup(target.config, file, quiet({ goOn: true, replace: true }));
  expect(restoredOf(await target.digests())).toEqual(restoredOf(before));
  // The former files are renamed, not deleted.
  expect((await readdir(target.config.dataDir)).filter((name) => name.startsWith("uploads.before-"))).toHaveLength(1);
});

test("a backup opens with its passphrase and no other", async () => {
  const passphrase = "верная лошадь батарея скрепка";
  const other = join(folder, "phrase.age");
  await backUp(t, other, { passphrase, recipient: null, identity: null });
  const open = (phrase: string) =>
    readBackup(other, decryptionKeyOf({ passphrase: phrase, recipient: null, identity: null }));
  await expect(open("неверная лошадь батарея")).rejects.toThrow("Фраза или ключ не подходят");
  expect((await open(passphrase)).manifest.product).toBe("0.2.0");
});

test("files of a bucket are restored into a data folder", async () => {
  const s3 = await startOwnS3Server();
  const source = await testApp({ storage: s3.storage });
  onTestFinished(async () => {
    await source.close();
    await s3.close();
  });
  await source.signUp();
  const newName = () => `export-${randomBytes(16).toString("hex")}`;
  const contents = new Map([
    [newName(), randomBytes(9 * 1024 ** 2)],
    [`${newName()}/0`, Buffer.from("letters")],
    [newName(), Buffer.alloc(0)],
  ]);
  for (const [name, bytes] of contents) {
    await source.services.files.write(name, Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false }));
  }
  const objects = join(folder, "objects.age");
  expect(await backUp(source, objects, lock)).toMatchObject({ files: contents.size });
  const { config } = await targetOf("embedded");
  expect(await restoreBackup(config, objects, quiet())).toMatchObject({ files: contents.size });
  for (const [name, bytes] of contents) {
    expect((await readFile(storedPath(config.dataDir, name))).equals(bytes), name).toBe(true);
  }
});
