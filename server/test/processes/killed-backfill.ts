/** A backfill whose process is killed again and again, and then ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, inject, onTestFinished } from "vitest";
import { openRawDatabase } from "#server/operations/backup/raw-database.ts";
import { openDatabase } from "#server/platform/db/database.ts";
import { listUnfinishedBackfills, runBackfill } from "#server/platform/db-upkeep/backfill.ts";
import { makeLock, migratedTarget } from "../backups.ts";
import { PLANTED, plantedLedger, plantRows } from "../planted-rows.ts";

const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";

/**
 * @param total number of them
 * @param rowsAtOnce rows of one batch
 * @param moments the number of the statement at which each process is killed
 * @returns the statements after whose sending they were
 */
export async function killBackfill(total: number, rowsAtOnce: number, moments: readonly number[]): Promise<string[]> {
  const target = await migratedTarget(engine, await makeLock());
  onTestFinished(() => target.remove());
  const { databaseUrl, dataDir } = target.config;
  const planting = await openDatabase(target.config);
  await plantRows(planting.db, total);
  await planting.close();
  /** By a superuser: the table's owner is held by its policies. */
  const ledger = async () => {
    const url = databaseUrl === null ? null : new URL(databaseUrl);
    if (url !== null) [url.username, url.password] = ["postgres", ""];
    const raw = await openRawDatabase({ databaseUrl: url?.href ?? null, dataDir });
    const rows = await plantedLedger((statement) => raw.client.query(statement));
    await raw.close();
    return rows as { times: number; right: boolean; rows: number }[];
  };
  const changedOf = (found: Awaited<ReturnType<typeof ledger>>) => found.find(({ times }) => times === 1)?.rows ?? 0;
  const killedAt: string[] = [];
  let before = 0;
  for (const at of moments) {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, "backfill-kill-child.ts"),
      dataDir,
      databaseUrl ?? "-",
      String(at),
      String(rowsAtOnce),
    ]);
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const [, signal] = await once(child, "close");
    expect(signal, err).toBe("SIGKILL");
    killedAt.push(out.trim().split("\n").at(-1)!);
    const found = await ledger();
    expect(found.filter(({ times, right }) => times > 1 || right !== (times === 1))).toEqual([]);
    expect(changedOf(found)).toBeGreaterThan(before);
    expect(changedOf(found)).toBeLessThan(total);
    before = changedOf(found);
  }

  const resumed = await openDatabase(target.config);
  const [state] = await listUnfinishedBackfills(resumed.db, [PLANTED]);
  // What was committed last is noted with it; a commit that was on its way when its sender was killed is whole or not at all.
  expect(state!.rows).toBe(before);
  let batches = 0;
  const ended = await runBackfill(resumed.db, PLANTED, { rowsAtOnce: rowsAtOnce, onBatch: () => batches++ });
  expect(ended).toBe(true);
  // As many as were left, and one that finds the end of each organisation.
  expect(batches).toBeLessThanOrEqual(Math.ceil((total - before) / rowsAtOnce) + 3);
  expect(await listUnfinishedBackfills(resumed.db, [PLANTED])).toEqual([]);
  await resumed.close();
  expect(await ledger()).toEqual([{ times: 1, right: true, rows: total }]);
  return killedAt;
}
