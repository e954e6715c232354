/** A database with rows, upgraded by migrations that a test plants: what the tests of upgrades start from. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUpBeforeUpgrade } from "#server/operations/backup/before-upgrade.ts";
import { openRawDatabase } from "#server/operations/backup/raw-database.ts";
import type { Config } from "#server/platform/config.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { organizations, users } from "#server/platform/db/schema/accounts.ts";
import { type Lock, makeLock, type Target } from "./backups.ts";

/** A migration of two statements that succeeds. */
export const GOOD = `ALTER TABLE organizations ADD COLUMN planted text;--> statement-breakpoint
UPDATE organizations SET planted = name || '!';`;

export interface UpgradeBench {
  folder: string;
  lock: Lock;
  target: Target;
  /** The target's, with a folder for backups that is not there yet. */
  config: Config;
  /** Digests of the tables before any upgrade. */
  before: Record<string, string>;
  close(): Promise<void>;
}

/** @param makeTarget of this lock and master key */
export async function openUpgradeBench(
  makeTarget: (lock: Lock, masterKey: Buffer) => Promise<Target>,
): Promise<UpgradeBench> {
  const folder = await mkdtemp(join(tmpdir(), "dt-upgrade-"));
  const lock = await makeLock();
  const target = await makeTarget(lock, Buffer.alloc(32, 1));
  const config = { ...target.config, backup: { ...target.config.backup, folder: join(folder, "kept") } };
  const { db, close } = await openDatabase(config);
  await db.insert(organizations).values(Array.from({ length: 300 }, (_, at) => ({ name: `Организация ${at}` })));
  await db.insert(users).values({ authMethod: "email", email: "owner@example.test", firstName: "Анна" });
  await close();
  return {
    ...{ folder, lock, target, config },
    before: await target.digests(),
    async close() {
      await target.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens the database as a start does, which makes a backup before it migrates. */
export async function upgrade(migrationsFolder: string, settings: Config, said: string[] = [], now = new Date()) {
  const { close } = await openDatabase({
    ...settings,
    migrationsFolder,
    beforeUpgrade: (client, missing) =>
      backUpBeforeUpgrade(settings, client, missing, (line) => void said.push(line), now),
  });
  await close();
}

export async function rowsOf(settings: Config, query: string): Promise<unknown[]> {
  const raw = await openRawDatabase(settings);
  try {
    return (await raw.client.query(query)).rows;
  } finally {
    await raw.close();
  }
}
