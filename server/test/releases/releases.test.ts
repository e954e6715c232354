/**
 * Data that a release has left is upgraded to now without losing or doubling a row. Each release leaves its fixture before it is tagged:
 * `RELEASE=0.3.0 npm run unit -- server/test/releases` writes a backup of a workspace that holds something of everything, and the
 * ledger of its rows (docs/decisions/008-migrations-and-upgrades.md).
 */
import { existsSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { configuredKeys } from "#server/operations/master-key/key-ring.ts";
import { SEALED_COLUMNS } from "#server/operations/master-key/sealed-columns.ts";
import { backUp, fileDigests, tableDigests, writtenColumns } from "../backups.ts";
import { makeThings } from "../endpoints/make-things.ts";
import { fillTheRest } from "../privacy/deletion/one-of-everything.ts";
import { testApp } from "../test-app.ts";
import {
  countMigrations,
  fileOf,
  type Ledger,
  LOCK,
  ledgerOf,
  releases,
  restoreReleased,
} from "./released-database.ts";

vi.setConfig({ testTimeout: 600_000 });

/** Bytes around a secret of no length (platform/secrets/vault.ts). */
const SHORTEST_SEALED = 93;
/** Bytes; the repository keeps every release's for ever. */
const LARGEST = 200 * 1024;
const making = process.env.RELEASE;

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

// Older releases, and upgrades that are killed: releases.full.test.ts.
test("an upgrade of the last release leaves every row", async () => {
  const database = await restoreReleased(releases.toSorted().at(-1)!);
  expect(await database.look()).toEqual(database.before);
  await database.open();
  expect(await database.look()).toEqual({ run: await countMigrations(), pending: 0, ledger: database.expected });
  expect(await database.brokenIndexes()).toBe(0);
});
