/** What is known of the last backups, in the data folder of the machine that made them and in the database. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "#server/test/database.ts";
import { type BackupState, readBackupState, recordBackup, recordFailure } from "../last-backup.ts";
import { backupsOf, newestOf, readBackups, storeBackups } from "../stored-backups.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 29, hour));
const made = (hour: number) => ({ at: at(hour), file: "/backups/one.age", bytes: 7, seconds: 2, verified: true });
const NONE: BackupState = { last: null, failure: null };

test("a failure keeps the last good backup, the next good one ends it, and a damaged file of state counts as none", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dt-last-backup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  expect(await readBackupState(dataDir)).toEqual(NONE);
  await recordFailure(dataDir, "На диске нет места");
  expect(await readBackupState(dataDir)).toMatchObject({ last: null, failure: { reason: "На диске нет места" } });
  await recordBackup(dataDir, made(1));
  expect(await readBackupState(dataDir)).toEqual({ last: made(1), failure: null });
  await recordFailure(dataDir, "На диске нет места");
  expect(await readBackupState(dataDir)).toMatchObject({ last: made(1), failure: { reason: "На диске нет места" } });
  for (const text of ["{", '{"last":7}']) {
    await writeFile(join(dataDir, "last-backup.json"), text);
    expect(await readBackupState(dataDir)).toEqual(NONE);
  }
});

test("the database keeps the newest of all machines, whose older reports change nothing", async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  expect(await readBackups(db)).toEqual(NONE);
  await storeBackups(db, "one", { last: made(3), failure: null });
  await storeBackups(db, "two", { last: made(2), failure: { at: at(4), reason: "На диске нет места" } });
  const last = { at: at(3), host: "one", bytes: 7, verified: true };
  const failure = { at: at(4), host: "two", reason: "На диске нет места" };
  expect(await readBackups(db)).toEqual({ last, failure });
  await storeBackups(db, "two", { last: made(5), failure: null });
  expect((await readBackups(db)).last).toMatchObject({ at: at(5), host: "two" });
});

test("of two reports the newer backup counts, and a failure only until a later backup", () => {
  const known = (last: number | null, failure: number | null) =>
    backupsOf(
      {
        last: last === null ? null : made(last),
        failure: failure === null ? null : { at: at(failure), reason: "Нет места" },
      },
      "one",
    );
  expect(newestOf(known(null, null), known(1, null))).toEqual(known(1, null));
  expect(newestOf(known(2, null), known(null, null))).toEqual(known(2, null));
  expect(newestOf(known(1, 2), known(3, null))).toEqual(known(3, null));
  expect(newestOf(known(1, 4), known(3, 2))).toEqual(known(3, 4));
  expect(newestOf(known(null, 1), known(null, 2))).toEqual(known(null, 2));
});
