/** The job that reads a connected account dialog by dialog, through its one connection, into the same history as files. */
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod/mini";
import type { ImportPreview } from "#server/imports/export-reader/preview.ts";
import { type OpenedHistory, openHistory } from "#server/imports/runs/history-source.ts";
import { importHistory } from "#server/imports/runs/import-history.ts";
import { importRuns } from "#server/imports/runs/import-runs.ts";
import { failImport, finishImport, isRunning, recordBatch } from "#server/imports/runs/import-state.ts";
import type { ImportRow } from "#server/imports/runs/imports.ts";
import { type ImportJob, type ImportJobDeps, type ImportRun, loadRun } from "#server/imports/runs/job-deps.ts";
import { endedSession, floodSeconds, isRpcFailure } from "#server/inbox/telegram-account/failures.ts";
import { type LiveAccount, liveAccount } from "#server/inbox/telegram-account/live-accounts.ts";
import { pairChats } from "#server/knowledge/messages/pair-chats.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { unprocessable } from "#server/platform/errors.ts";
import { runWithCrashLimit } from "#server/platform/jobs/crash-limit.ts";
import { type JobHandlers, REQUEUE_DELAY_MS } from "#server/platform/jobs/queue.ts";
import { AdaptiveBatchSize } from "#server/platform/process/adaptive-batch-size.ts";
import type { ImportedMessage } from "../formats/message.ts";
import type { FoundDialog } from "./account-history.ts";

/** The request, and the position where reading continues; messages are read from the latest backwards. */
const AccountPosition = z.object({
  dialogsLimit: z.number(),
  messagesPerDialog: z.number(),
  /** Whether the owner chose `chatIds`; then no limit applies to their number. */
  chosen: z._default(z.boolean(), false),
  /** Number of dialogs that no longer existed when their turn came. */
  skipped: z._default(z.number(), 0),
  dialog: z.number(),
  /** Id of the oldest message of the dialog that was read; 0: none yet. */
  before: z.number(),
  taken: z.number(),
  /** Number of messages to read from the dialog; 0 while it is not known. */
  wanted: z.number(),
});
type AccountPosition = z.infer<typeof AccountPosition>;

const CHUNK = 1000;
const LOOK_AGAIN_MS = 1_000;

export function accountImportJobs(deps: ImportJobDeps): Pick<JobHandlers, "import-account"> {
  return {
    "import-account": (job, signal) =>
      runWithCrashLimit(deps.db, job, importRuns(job.importId), () => importAccount(deps, job, signal)),
  };
}

/** Continues where an earlier run stopped; skips an import that is not running. */
async function importAccount(deps: ImportJobDeps, job: ImportJob, signal: AbortSignal): Promise<void> {
  const run = await loadRun(deps, job);
  if (run === null) return;
  const { integrationId, status } = run.row;
  if (integrationId === null || status !== "running") return;
  const account = liveAccount(integrationId);
  try {
    if (account === undefined) {
      await requireActive(run, integrationId);
      // Waits until the account is connected here, or in another process, which then runs the job.
      await lookAgain(deps, run, new Date(Date.now() + REQUEUE_DELAY_MS / 4), null);
      return deps.jobs.passOn("import-account");
    }
    await readAccount(deps, run, account, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const seconds = floodSeconds(error);
    const until = new Date(Date.now() + (seconds ?? 0) * 1000 + LOOK_AGAIN_MS);
    if (seconds !== null) return lookAgain(deps, run, until, until);
    const ended = endedSession(error);
    // The connection broke, or another process has it now.
    const lost = account !== undefined && (liveAccount(integrationId) !== account || isTimeout(error));
    if (ended === null && lost) return lookAgain(deps, run, until, null);
    const failure = isRpcFailure(error)
      ? unprocessable("telegram_refused", ended ?? "Telegram отказался показать историю. Попробуйте позже.")
      : error;
    await failImport(deps, run, failure, signal);
  }
}

export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === "MtTimeoutError";

/** @throws Problem 422 when the account is paused or signed out */
async function requireActive({ transact }: ImportRun, integrationId: string): Promise<void> {
  const [integration] = await transact((tx) =>
    tx
      .select({ status: integrations.status, reason: integrations.statusReason })
      .from(integrations)
      .where(eq(integrations.id, integrationId)),
  );
  if (integration?.status === "active") return;
  throw unprocessable("integration_inactive", integration?.reason ?? "Интеграция приостановлена: сначала включите её");
}

async function lookAgain(
  { jobs }: ImportJobDeps,
  { job, transact }: ImportRun,
  at: Date,
  waitingUntil: Date | null,
): Promise<void> {
  await transact(async (tx) => {
    await tx.update(imports).set({ waitingUntil }).where(eq(imports.id, job.importId));
    await jobs.enqueue(tx, "import-account", job, at);
  });
}

async function readAccount(
  deps: ImportJobDeps,
  loaded: ImportRun,
  account: LiveAccount,
  signal: AbortSignal,
): Promise<void> {
  const row = loaded.row.preview === null ? await chooseDialogs(loaded, account, signal) : loaded.row;
  if (row === null) return;
  const run = { ...loaded, row };
  const history = await openHistory(run, row.ownerId!, row.chatIds!);
  if (history === null) return;
  await run.transact((tx) => tellIntegration(tx, row.integrationId!, history.sourceId, 0));
  let position: AccountPosition | null = z.parse(AccountPosition, row.position);
  const portion = new AdaptiveBatchSize(CHUNK);
  while (position !== null && position.dialog < row.chatIds!.length) {
    position = await readChunk(deps, { ...run, history, position, portion }, account, signal);
  }
  if (position === null) return;
  await pairChats(deps.db, run.job, row.twinId, history.chats.values(), signal);
  await finishImport(deps, run, history.sourceId);
}

/** @returns null when the import was stopped meanwhile */
async function chooseDialogs(
  { row, transact }: ImportRun,
  account: LiveAccount,
  signal: AbortSignal,
): Promise<ImportRow | null> {
  const { ownerOf } = await import("./account-history.ts");
  const { chosen: isChosen, dialogsLimit } = z.parse(AccountPosition, row.position);
  const owner = await ownerOf(account, signal);
  const dialogs = isChosen
    ? await findDialogs(account, new Set(row.chatIds), signal)
    : await latestDialogs(account, dialogsLimit, signal);
  const preview: ImportPreview = {
    chats: dialogs.map(({ id, name, kind }) => ({ id, name, kind, messages: 0, from: null, to: null })),
    people: [{ ...owner, messages: 0 }],
    suggestedOwner: owner.id,
    rejected: [],
    rejectedCount: 0,
    total: 0,
    incomplete: false,
  };
  const [chosen] = await transact((tx) =>
    tx
      .update(imports)
      .set({
        preview,
        ownerId: owner.id,
        // A chosen dialog that is not found is reported when its turn comes.
        ...(isChosen ? {} : { chatIds: dialogs.map(({ id }) => id) }),
        updatedAt: new Date(),
      })
      .where(and(eq(imports.id, row.id), eq(imports.status, "running")))
      .returning(),
  );
  return chosen ?? null;
}

/** Without a choice, only dialogs with people are read. @throws Problem 422 */
async function latestDialogs(account: LiveAccount, limit: number, signal: AbortSignal): Promise<FoundDialog[]> {
  const { dialogsOf } = await import("./account-history.ts");
  const found: FoundDialog[] = [];
  for await (const dialog of dialogsOf(account, signal)) {
    if (dialog.kind === "private") found.push(dialog);
    if (found.length === limit) break;
  }
  if (found.length > 0) return found;
  throw unprocessable(
    "no_dialogs",
    "В этом аккаунте нет личных диалогов. Группы можно выбрать на странице интеграции.",
  );
}

/** Searches the list until all chosen dialogs are found. @throws Problem 422 when none is */
async function findDialogs(
  account: LiveAccount,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<FoundDialog[]> {
  const { dialogsOf } = await import("./account-history.ts");
  const found: FoundDialog[] = [];
  for await (const dialog of dialogsOf(account, signal)) {
    if (wanted.has(dialog.id)) found.push(dialog);
    if (found.length === wanted.size) break;
  }
  if (found.length > 0) return found;
  throw unprocessable("dialogs_gone", "Выбранных диалогов в этом аккаунте больше нет. Выберите другие.");
}

interface Reading extends ImportRun {
  history: OpenedHistory;
  position: AccountPosition;
  portion: AdaptiveBatchSize;
}

/** Stores the next messages of a dialog together with the position after them. @returns null when the import was stopped */
async function readChunk(
  { db }: ImportJobDeps,
  reading: Reading,
  account: LiveAccount,
  signal: AbortSignal,
): Promise<AccountPosition | null> {
  const { historyPage } = await import("./account-history.ts");
  const { row, transact, history, position, portion } = reading;
  const { chats, people } = row.preview as ImportPreview;
  const dialog = chats.find(({ id }) => id === row.chatIds![position.dialog]);
  const owner = people.find(({ id }) => id === row.ownerId)!;
  const next = { ...position };
  const chunk: ImportedMessage[] = [];
  let ended = false;
  while (!ended && chunk.length < portion.rows) {
    const wanted = position.messagesPerDialog - next.taken;
    const page = dialog && (await historyPage(account, owner, dialog, { before: next.before, wanted }, signal));
    if (!page) {
      ended = true;
      if (next.taken === 0) next.skipped++;
      continue;
    }
    if (next.wanted === 0) next.wanted = Math.min(page.count, position.messagesPerDialog);
    chunk.unshift(...page.messages);
    next.taken += page.messages.length;
    ended = page.before === null || next.taken >= position.messagesPerDialog;
    next.before = page.before ?? next.before;
  }
  const behind: AccountPosition = ended
    ? { ...next, dialog: position.dialog + 1, before: 0, taken: 0, wanted: 0 }
    : next;
  let recorded = false;
  const plan = {
    ...history,
    twinId: row.twinId,
    ownerId: row.ownerId!,
    done: 0,
    undatedAt: row.createdAt,
    // The position after the chunk is stored with its messages.
    together: portion,
    proceed: (tx: Tx) => isRunning(tx, row),
    record: async (tx: Tx, counts: { batch: number; stored: number }) => {
      recorded = true;
      await recordBatch(tx, row.id, counts);
      await movePosition(tx, row.id, position, behind, counts.batch);
      await tellIntegration(tx, row.integrationId!, history.sourceId, counts.stored);
    },
  };
  if (!(await importHistory(db, reading, plan, inOrder(chunk), signal))) return null;
  if (!recorded) await transact((tx) => movePosition(tx, row.id, position, behind, 0));
  return behind;
}

async function* inOrder(messages: readonly ImportedMessage[]): AsyncGenerator<ImportedMessage, void, void> {
  yield* messages;
}

/** `total` is the number of messages expected so far: it grows with each dialog, and ends as the number read. */
async function movePosition(
  tx: Tx,
  importId: string,
  from: AccountPosition,
  to: AccountPosition,
  batch: number,
): Promise<void> {
  const begun = from.before === 0 && to.dialog === from.dialog ? to.wanted - batch : 0;
  await tx
    .update(imports)
    .set({
      position: to,
      waitingUntil: null,
      total: sql`greatest(${imports.total} + ${begun}, ${imports.processed})`,
    })
    .where(eq(imports.id, importId));
}

async function tellIntegration(tx: Tx, id: string, sourceId: string, stored: number): Promise<void> {
  await tx
    .update(integrations)
    .set({
      sourceId,
      messagesImported: sql`${integrations.messagesImported} + ${stored}`,
      lastSyncAt: new Date(),
    })
    .where(eq(integrations.id, id));
}
