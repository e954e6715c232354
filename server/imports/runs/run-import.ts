import { recordAttachedFiles, type WithAttached } from "#server/imports/attached/attached-rows.ts";
import { takeAttached } from "#server/imports/attached/take-attached.ts";
import { exportReader } from "#server/imports/export-reader/export-reader.ts";
import { pairChats } from "#server/knowledge/messages/pair-chats.ts";
import { IncrementalIndexer } from "#server/knowledge/search/incremental-indexer.ts";
import { readKinds } from "#server/models/media/reader-rows.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { chats, contacts, messages } from "#server/platform/db/schema/knowledge.ts";
import { MANY_ROWS, refreshStatistics } from "#server/platform/db/statistics.ts";
import { openHistory } from "./history-source.ts";
import { importHistory } from "./import-history.ts";
import { type BatchCounts, failImport, finishImport, isRunning, recordBatch } from "./import-state.ts";
import { filesOf, type ImportJob, type ImportJobDeps, type ImportRun, loadRun } from "./job-deps.ts";

/** Returns a function that records a batch's attached files, of the kinds that are recognised here. */
async function attaching({ job, transact }: ImportRun) {
  const kinds = await transact((tx) => readKinds(tx, job.organizationId));
  return (tx: Tx, batch: readonly WithAttached[]) =>
    recordAttachedFiles(tx, job, { importId: job.importId, kinds }, batch);
}

/** Runs the job `run-import`: continues after what an earlier run has stored; for a cancelled import it only finishes the stored part. */
export async function runImport(deps: ImportJobDeps, job: ImportJob, signal: AbortSignal): Promise<void> {
  const { exports = exportReader } = deps;
  const run = await loadRun(deps, job);
  if (run === null) return;
  const { row } = run;
  if (row.preview === null || row.ownerId === null || row.chatIds === null) return;
  if (row.status !== "running" && row.status !== "cancelled") return;
  const index = await IncrementalIndexer.open(deps.db, job, row.twinId, signal);
  try {
    const history = await openHistory(run, row.ownerId, row.chatIds);
    if (history === null) return;
    if (row.status === "running" && row.processed < row.total) {
      let stored = 0;
      const plan = {
        ...history,
        twinId: row.twinId,
        ownerId: row.ownerId,
        done: row.processed,
        undatedAt: row.createdAt,
        proceed: (tx: Tx) => isRunning(tx, row),
        ...(row.withAttached ? { attach: await attaching(run) } : {}),
        record: (tx: Tx, counts: BatchCounts) => {
          stored += counts.stored;
          index.stored("message", counts.stored);
          return recordBatch(tx, row.id, counts);
        },
      };
      const incoming = exports.messages(await filesOf(deps, run), row.chatIds, signal);
      if (!(await importHistory(deps.db, run, plan, incoming, signal))) return;
      // Pairing reads the messages that were just stored.
      if (stored >= MANY_ROWS) await refreshStatistics(deps.db, [chats, contacts, messages]);
    }
    if (row.status === "running" && row.withAttached) {
      const source = {
        tenant: job,
        transact: run.transact,
        importId: row.id,
        files: await filesOf(deps, run),
        exports,
        proceed: (tx: Tx) => isRunning(tx, row),
      };
      if (!(await takeAttached(deps, source, signal))) return;
    }
    await pairChats(deps.db, job, row.twinId, history.chats.values(), signal, (pairs) =>
      index.stored("example", pairs),
    );
    // Otherwise the enqueued training would build the same segment at the same time.
    await Promise.allSettled([index.end()]);
    await finishImport(deps, run, history.sourceId);
  } catch (error) {
    await failImport(deps, run, error, signal);
  } finally {
    // A failure to build the index does not fail the import; the training will report the same error.
    await index.end();
  }
}
