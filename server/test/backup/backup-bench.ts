/** A backup of a server that holds one of everything. */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { decryptionKeyOf, encryptBackup, readBackupEntries } from "#server/operations/backup/age-file.ts";
import type { Entry } from "#server/operations/backup/archive.ts";
import type { RestoreOptions } from "#server/operations/backup/restore-backup.ts";
import { configuredKeys } from "#server/operations/master-key/key-ring.ts";
import { verifyAll } from "#server/operations/master-key/rewrap.ts";
import { SEALED_COLUMNS } from "#server/operations/master-key/sealed-columns.ts";
import { storedPath } from "#server/platform/files/stored-files.ts";
import {
  backUp,
  fileDigests,
  initialisedTarget,
  type Lock,
  makeLock,
  type Target,
  tableDigests,
} from "#server/test/backups.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import type { Things } from "#server/test/endpoints/things.ts";
import { fillTheRest } from "#server/test/privacy/deletion/one-of-everything.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export const CANARY = `канарейка-${randomBytes(9).toString("hex")}`;
/** Bytes around a secret of no length (platform/secrets/vault.ts). */
const SHORTEST_SEALED = 93;
export const embedded = "path" in inject("databaseSnapshot");

export let t: TestApp;
export let owner: TestClient;
export let things: Things;
export let lock: Lock;
export let folder: string;
export let file: string;
export let before: Record<string, string>;
export let secrets: number;

const tenant = () => ({ organizationId: owner.caller.organizationId, userId: owner.caller.userId });

export async function state(): Promise<Record<string, string>> {
  const client = await t.services.db.$client.connect();
  try {
    return { ...(await tableDigests(client)), ...(await fileDigests(t.services.config.dataDir)) };
  } finally {
    client.release();
  }
}

/** Files of models are not restored, and their rows say so; the login of an installation's requests is its own and in no backup. */
export const restoredOf = ({ local_models: _, request_logins: __, ...digests }: Record<string, string>) => digests;

export const quiet = (options: Partial<RestoreOptions> = {}): RestoreOptions => ({ say: () => {}, ...options });

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareBackup(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dt-backup-"));
    file = join(folder, "one.age");
    lock = await makeLock();
    t = await testApp();
    owner = await t.signUp();
    things = await makeThings(t, owner);
    await fillTheRest(t, owner, things);
    await t.jobsIdle();
    await t.services.jobs.stop(2000);
    const { db, config } = t.services;
    await mkdir(storedPath(config.dataDir, "folder"), { recursive: true });
    await writeFile(storedPath(config.dataDir, "folder/letters.json"), `{"text":"${CANARY}"}`);
    await writeFile(storedPath(config.dataDir, "empty"), "");
    await writeFile(storedPath(config.dataDir, "long"), randomBytes(2.5 * 1024 ** 2));
    await db.execute(sql`update users set first_name = ${CANARY} where id = ${owner.caller.userId}`);
    // Bytes that stand for secrets and are none.
    for (const { table, column } of SEALED_COLUMNS) {
      await db.execute(
        sql`delete from ${sql.identifier(table)} where octet_length(${sql.identifier(column)}) < ${SHORTEST_SEALED}`,
      );
    }
    // What waits in the queue, as a server that ends leaves it.
    await db.transaction((tx) =>
      t.services.jobs.enqueue(tx, "send-outbox", { ...tenant(), conversationId: things.conversationId }),
    );
    await backUp(t, file, lock);
    before = await state();
    secrets = await verifyAll(db, t.services.vault);
    expect(secrets).toBeGreaterThan(0);
  });
  afterAll(async () => {
    await t.close();
    await rm(folder, { recursive: true, force: true });
  });
}

/** What a backup is restored into. */
export let target: Target;

/** Opens `target` for the suite that calls this, with the key of the server that was backed up, and removes it after it. */
export function prepareRestoreTarget(): void {
  beforeAll(async () => {
    target = await initialisedTarget(embedded ? "embedded" : "postgres", lock, configuredKeys(t.services.config)[0]!);
  });
  afterAll(() => target.remove());
}

/** The same backup with each entry changed by its author: the encryption does not prevent that. */
export async function forged(change: (entry: Entry) => Entry[]): Promise<string> {
  async function* entries() {
    for await (const entry of readBackupEntries(file, decryptionKeyOf({ ...lock }))) yield* change(entry);
  }
  const path = join(folder, `${randomBytes(6).toString("hex")}.age`);
  await writeFile(path, (await encryptBackup(entries(), lock)).bytes);
  return path;
}
export const manifestWith = (changed: object) =>
  forged((entry) => {
    if (entry.name !== "manifest.json") return [entry];
    return [{ ...entry, bytes: Buffer.from(JSON.stringify({ ...JSON.parse(entry.bytes.toString()), ...changed })) }];
  });
