/** The data of every release, restored by this code, and upgraded while the upgrade is killed at every statement. */
import { expect, onTestFinished, test, vi } from "vitest";
import { restoreBackup } from "#server/operations/backup/restore-backup.ts";
import { emptyTarget } from "../backups.ts";
import { countMigrations, engine, fileOf, LOCK, readLedger, releases, restoreReleased } from "./released-database.ts";

vi.setConfig({ testTimeout: 2_400_000 });

/** Statements around a migration's own: begin, lock_timeout, its record, commit. */
const TRANSACTION = 4;

test.each(releases)("the data of %s are upgraded to now: nothing is lost, nothing is there twice", async (release) => {
  const { columns, digests } = await readLedger(release);
  const target = await emptyTarget(engine, LOCK);
  onTestFinished(() => target.remove());
  await restoreBackup(target.config, fileOf(release), { goOn: true, say: () => {} });
  // A restore writes of itself which models' files are missing, and seals the keys anew.
  const { local_models: _, master_keys: __, ...restored } = await target.digests(columns);
  const { local_models: ___, master_keys: ____, ...expected } = digests;
  expect(Object.keys(expected).length).toBeGreaterThan(40);
  expect(restored).toEqual(expected);
  expect(await target.spentIds()).toEqual([]);
});

/**
 * After which of its statements a migration is killed: each on PostgreSQL. On the embedded engine a start takes seconds and a statement of
 * a transaction is like the next, so there it is the begin, one amid the migration, its record, and the commit.
 */
function isKilledAt(at: number, { length }: readonly string[] = []): boolean {
  const withTransaction = length + TRANSACTION;
  return engine === "postgres" || at === 1 || at === Math.ceil(withTransaction / 2) || at >= withTransaction - 1;
}

/** On PostgreSQL an index that another of its name replaces is dropped under another name, once that is built. */
function isReplaced(statement: string, ofMigration: readonly string[]): boolean {
  const [, name] = /^\s*DROP INDEX ("\w+")/.exec(statement) ?? [];
  return name !== undefined && ofMigration.some((one) => one.trim().startsWith(`CREATE INDEX ${name}`));
}

/** As the child writes a statement. */
const shortened = (statement: string) => statement.trim().slice(0, 60).replaceAll(/\s+/g, " ").trim();

test.each(releases)(
  "an upgrade of %s that is killed at any statement leaves every row, and the next start goes on",
  async (release) => {
    const database = await restoreReleased(release);
    const { before, expected, later } = database;
    const killedAt: string[] = [];
    let { run: done, pending: left } = before;
    for (let at = 1; ; at++) {
      if (!isKilledAt(at, later[done - before.run])) continue;
      const { code, signal, said, err } = await database.upgrade(at);
      if (code === 0) break;
      expect(signal, err).toBe("SIGKILL");
      killedAt.push(said.at(-1)!);
      const { run, pending, ledger } = await database.look();
      expect(ledger, `killed at ${killedAt.at(-1)}`).toEqual(expected);
      // Each migration is a transaction of its own, each index a step: the next one begins, and is killed from its first statement on.
      if (run > done || pending < left) at = 0;
      done = run;
      left = pending;
    }
    const found = killedAt.map((line) => line.slice(line.indexOf(" ") + 1));
    expect(found).toEqual(expect.arrayContaining(["begin", "commit"]));
    for (const statements of later) {
      if (engine === "embedded") expect(statements.map(shortened).some((sent) => found.includes(sent))).toBe(true);
      else {
        const sent = statements.filter((statement) => !isReplaced(statement, statements)).map(shortened);
        expect(found).toEqual(expect.arrayContaining(sent));
      }
    }
    expect(await database.look()).toEqual({ run: await countMigrations(), pending: 0, ledger: expected });
    expect(await database.brokenIndexes()).toBe(0);
  },
);

test("an upgrade of the last release that is killed amid its first migration leaves every row, and the next start ends it", async () => {
  const database = await restoreReleased(releases.toSorted().at(-1)!);
  // The begin, and the first statement of the migration.
  expect(await database.upgrade(3)).toMatchObject({ signal: "SIGKILL" });
  expect(await database.look()).toEqual(database.before);
  await database.open();
  expect(await database.look()).toEqual({ run: await countMigrations(), pending: 0, ledger: database.expected });
  expect(await database.brokenIndexes()).toBe(0);
});
