/**
 * Data that a release has left is upgraded to now without losing or doubling a row. Each release leaves its fixture before it is tagged:
 * `RELEASE=0.3.0 npm run unit -- server/test/releases` writes a backup of a workspace that holds something of everything, and the
 * ledger of its rows (docs/decisions/078).
 */
import { existsSync, readdirSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { restoreBackup } from "#server/backup/restore-backup.ts";
import { configuredKeys } from "#server/records/master-key/key-ring.ts";
import { SEALED_COLUMNS } from "#server/records/master-key/sealed-columns.ts";
import { backUp, emptyTarget, fileDigests, type Lock, tableDigests, writtenColumns } from "../backups.ts";
import { makeThings } from "../endpoints/make-things.ts";
import { fillTheRest } from "../privacy/deletion/one-of-everything.ts";
import { testApp } from "../test-app.ts";

vi.setConfig({ testTimeout: 600_000 });

interface Ledger {
  /** The tables' columns when the release was made. */
  columns: Record<string, string[]>;
  /** Of each table's rows in these columns, and of each stored file. */
  digests: Record<string, string>;
}

/** Not a secret: what it locks stands here for everybody. */
const LOCK: Lock = { passphrase: "data of a release", recipient: null, identity: null };
/** Bytes around a secret of no length (secrets/vault.ts). */
const SHORTEST_SEALED = 93;
/** Bytes; the repository keeps every release's for ever. */
const LARGEST = 200 * 1024;
const making = process.env.RELEASE;
const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
const fileOf = (release: string) => join(import.meta.dirname, `${release}.age`);
const ledgerOf = (release: string) => join(import.meta.dirname, `${release}.json`);
const releases = readdirSync(import.meta.dirname).flatMap((name) =>
  name.endsWith(".age") ? [name.slice(0, -".age".length)] : [],
);

test.skipIf(making === undefined)("a release leaves its data and the ledger of its rows", async () => {
  const file = fileOf(making!);
  expect(existsSync(file), "a release's data never change").toBe(false);
  const t = await testApp();
  onTestFinished(() => t.close());
  const owner = await t.signUp();
  await fillTheRest(t, owner, await makeThings(t, owner));
  await t.jobsIdle();
  await t.services.jobs.stop(2000);
  const { db, config } = t.services;
  // Bytes that stand for secrets and are none.
  for (const { table, column } of SEALED_COLUMNS) {
    await db.execute(
      sql`delete from ${sql.identifier(table)} where octet_length(${sql.identifier(column)}) < ${SHORTEST_SEALED}`,
    );
  }
  const client = await db.$client.connect();
  const columns = await writtenColumns(client);
  const digests = { ...(await tableDigests(client)), ...(await fileDigests(config.dataDir)) };
  client.release();
  await backUp(t, file, LOCK);
  expect(configuredKeys(config).length).toBeGreaterThan(0);
  if ((await stat(file)).size > LARGEST) await rm(file);
  expect(existsSync(file), `more than ${LARGEST} bytes`).toBe(true);
  await writeFile(ledgerOf(making!), `${JSON.stringify({ columns, digests } satisfies Ledger, null, 2)}\n`);
});

test("every release from 0.2.0 on has left its data", () => {
  expect(releases).toContain("0.2.0");
});

test.each(releases)("the data of %s are upgraded to now: nothing is lost, nothing is there twice", async (release) => {
  const { columns, digests }: Ledger = JSON.parse(await readFile(ledgerOf(release), "utf8"));
  const target = await emptyTarget(engine, LOCK);
  onTestFinished(() => target.remove());
  await restoreBackup(target.config, fileOf(release), { goOn: true, say: () => {} });
  // A restore writes of itself which models' files are missing, and seals the keys anew.
  const { local_models: _, master_keys: __, ...restored } = await target.digests(columns);
  const { local_models: ___, master_keys: ____, ...expected } = digests;
  expect(Object.keys(expected).length).toBeGreaterThan(40);
  expect(restored).toEqual(expected);
});
