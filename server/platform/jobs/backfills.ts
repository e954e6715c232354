/** Runs unfinished backfills (platform/db-upkeep), in one process of an installation. */
import { setTimeout as pause } from "node:timers/promises";
import { runInBackground } from "#server/platform/db/caller-priority.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { type Backfill, listUnfinishedBackfills, runBackfill } from "#server/platform/db-upkeep/backfill.ts";
import { BACKFILLS } from "#server/platform/db-upkeep/backfill-list.ts";
import type { Log } from "#server/platform/log.ts";
import { runUnlessLocked } from "./one-at-a-time.ts";

/** How often a process checks whether the running process has finished, and how often the running one logs its progress, ms. */
const LOOK_MS = 60_000;

/** Runs the backfills until they end or the returned function is called; that function waits for the batch in progress. */
export function startBackfills(
  database: OpenDatabase,
  log: Log,
  { backfills = BACKFILLS, lookMs = LOOK_MS }: { backfills?: readonly Backfill[]; lookMs?: number } = {},
): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const work = runInBackground(async () => {
    while (!signal.aborted) {
      try {
        if ((await listUnfinishedBackfills(database.db, backfills)).length === 0) return;
        await runUnlessLocked(database, "backfills", () => runAll(database, log, { backfills, signal }));
      } catch (error) {
        log.error({ err: error }, "a backfill failed and is tried again");
      }
      await pause(lookMs, undefined, { signal }).catch(() => {});
    }
  });
  return async () => {
    ending.abort();
    await work;
  };
}

async function runAll(
  { db }: OpenDatabase,
  log: Log,
  { backfills, signal }: { backfills: readonly Backfill[]; signal: AbortSignal },
): Promise<void> {
  for (const { name } of await listUnfinishedBackfills(db, backfills)) {
    log.info({ backfill: name }, "a backfill begins or goes on");
    let told = performance.now();
    const onBatch = ({ rows }: { rows: number }) => {
      if (performance.now() - told < LOOK_MS) return;
      told = performance.now();
      log.info({ backfill: name, rows }, "a backfill is under way");
    };
    const backfill = backfills.find((each) => each.name === name)!;
    if (!(await runBackfill(db, backfill, { signal, onBatch }))) return;
    log.info({ backfill: name }, "a backfill has ended");
  }
}
