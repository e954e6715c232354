/** Imports a connected account's history: requested here, done by the job `import-account`. */
import { desc, eq, sql } from "drizzle-orm";
import type { ImportStats, TelegramImport, TelegramImportState } from "#contract/integrations/telegram-account.ts";
import { importConsent } from "#contract/knowledge/imports.ts";
import { StyleProfile } from "#contract/quality.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getTwinRow } from "#server/accounts/twins/twins.ts";
import {
  getChangeableIntegration,
  getIntegrationRow,
  getOwnIntegration,
  type IntegrationRow,
} from "#server/inbox/channels/integration-rows.ts";
import { describeStyle } from "#server/knowledge/style/describe-style.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { readingObstacle } from "./reading-obstacle.ts";

interface Deps {
  db: Database;
  jobs: Jobs;
}

type Row = typeof imports.$inferSelect;

/** How much is read by default. */
export const DEFAULT_IMPORT: TelegramImport = { dialogsLimit: 10, messagesPerDialog: 500 };
const LOOK_MS = 300;
/** Milliseconds to wait for the training; after that the response contains the analysis so far. */
const TRAINING_MS = 20_000;

/**
 * Resolves when the import has ended, with its result.
 * @param signal the caller has left; the import continues
 * @throws Problem 404, 403 for the integration; 422 for one of another platform, that is paused, or that is not signed in, and for an
 * import that failed; 409 for one that was cancelled, and for other dialogs than those being read
 */
export async function importTelegramHistory(
  deps: Deps,
  caller: Caller,
  id: string,
  limits: TelegramImport,
  signal: AbortSignal,
): Promise<{ stats?: ImportStats }> {
  const importId = await startTelegramImport(deps, caller, id, limits);
  for (;;) {
    const row = await findImport(deps.db, caller, importId);
    if (row === undefined || row.status === "cancelled") throw conflict("import_cancelled", "Импорт отменён");
    if (row.status === "failed") throw unprocessable("import_failed", row.error ?? "Не удалось импортировать данные");
    if (row.status === "done") {
      await waitForTraining(deps.db, caller, row.twinId, signal);
      return { stats: await statsOf(deps.db, caller, row) };
    }
    if (signal.aborted) return {};
    await pause(LOOK_MS);
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Starts an import, one at a time for an account.
 * @param sameDialogs when none are named, those that were chosen for the latest import
 * @returns the import that runs
 * @throws Problem as importTelegramHistory
 */
export async function startTelegramImport(
  { db, jobs }: Deps,
  caller: Caller,
  id: string,
  { dialogs, ...limits }: TelegramImport,
  { sameDialogs = false } = {},
): Promise<string> {
  return asTenant(db, caller, async (tx) => {
    const integration = await (dialogs ? getOwnIntegration : getChangeableIntegration)(tx, caller, id);
    requireReadable(integration);
    await tx.select({ id: integrations.id }).from(integrations).where(eq(integrations.id, id)).for("no key update");
    const latest = await latestImport(tx, id);
    if (latest?.status === "running") {
      if (dialogs && !isSame(dialogs, latest.chatIds)) {
        throw conflict("import_running", "Импорт уже идёт: выбрать диалоги можно, когда он закончится");
      }
      return latest.id;
    }
    const chosen = dialogs ? [...new Set(dialogs)] : sameDialogs ? chosenDialogs(latest) : [];
    const [row] = await tx
      .insert(imports)
      .values({
        orgId: caller.organizationId,
        twinId: integration.twinId,
        userId: caller.userId,
        integrationId: id,
        fileName: `Telegram: ${integration.account}`,
        format: "telegram-account",
        status: "running",
        consentAt: new Date(),
        ...(chosen.length > 0 ? { chatIds: chosen } : {}),
        position: {
          ...limits,
          chosen: chosen.length > 0,
          skipped: 0,
          dialog: 0,
          before: 0,
          taken: 0,
          wanted: 0,
        },
      })
      .returning({ id: imports.id });
    await auditInTenant(tx, {
      action: "import-consent",
      userId: caller.userId,
      organizationId: caller.organizationId,
      subject: row!.id,
      detail: {
        version: importConsent.version,
        twinId: integration.twinId,
        integrationId: id,
        ...limits,
        ...(chosen.length > 0 ? { chosen: chosen.length } : {}),
      },
    });
    const { organizationId, userId } = caller;
    await jobs.enqueue(tx, "import-account", { organizationId, userId, importId: row!.id });
    return row!.id;
  });
}

const isSame = (asked: string[], read: string[] | null): boolean =>
  [...new Set(asked)].sort().join() === read?.toSorted().join();

/**
 * The part of an import's `position` that is shown; the rest belongs to the job (`AccountPosition` in imports/account/account-import.ts).
 */
interface ShownPosition {
  dialog: number;
  taken: number;
  wanted: number;
  /** Absent in imports from before dialogs could be chosen. */
  chosen?: boolean;
  skipped?: number;
}

const chosenDialogs = (row: Row | undefined): string[] =>
  (row?.position as ShownPosition | undefined)?.chosen ? (row?.chatIds ?? []) : [];

/** Returns the dialogs of the latest import; empty when none were chosen. */
export const dialogsChosenBefore = async (tx: Tx, integrationId: string): Promise<string[]> =>
  chosenDialogs(await latestImport(tx, integrationId));

/** @throws Problem 422 */
export function requireReadable(integration: IntegrationRow): void {
  const obstacle = readingObstacle(integration);
  if (obstacle !== null) throw unprocessable(...obstacle);
}

async function latestImport(tx: Tx, integrationId: string): Promise<Row | undefined> {
  const [row] = await tx
    .select()
    .from(imports)
    .where(eq(imports.integrationId, integrationId))
    .orderBy(desc(imports.createdAt))
    .limit(1);
  return row;
}

async function findImport(db: Database, caller: Tenant, id: string): Promise<Row | undefined> {
  const [row] = await asTenant(db, caller, (tx) => tx.select().from(imports).where(eq(imports.id, id)));
  return row;
}

/** Returns the progress of the account's latest import. @throws Problem 404 */
export async function telegramImportState(db: Database, caller: Caller, id: string): Promise<TelegramImportState> {
  const { row, trouble } = await asTenant(db, caller, async (tx) => {
    const integration = await getIntegrationRow(tx, caller, id);
    return { row: await latestImport(tx, id), trouble: integration.trouble };
  });
  if (row === undefined) return { status: "none", dialogs: 0, dialogsDone: 0, messages: 0, progress: 0, notice: null };
  const position = row.position as ShownPosition;
  const dialogs = row.chatIds?.length ?? 0;
  const done = row.status === "done";
  const within = position.wanted === 0 ? 0 : position.taken / position.wanted;
  const waiting = row.waitingUntil !== null && row.waitingUntil > new Date() ? row.waitingUntil : null;
  const notice =
    row.status === "running"
      ? waiting
        ? waitingNotice(waiting)
        : trouble
      : (row.error ?? (done ? skippedNotice(position.skipped ?? 0) : null));
  return {
    status: row.status === "reading" || row.status === "preview" ? "running" : row.status,
    dialogs,
    dialogsDone: done ? dialogs : position.dialog,
    messages: row.processed,
    progress: done ? 1 : dialogs === 0 ? 0 : Math.min(1, (position.dialog + within) / dialogs),
    notice,
    ...(done ? { stats: await statsOf(db, caller, row) } : {}),
  };
}

const clock = new Intl.DateTimeFormat("ru-RU", { hour: "2-digit", minute: "2-digit", timeZone: "Europe/Moscow" });
const waitingNotice = (until: Date): string =>
  `Telegram просит подождать до ${clock.format(until)} (Москва). Импорт продолжится сам.`;

const skippedNotice = (skipped: number): string | null =>
  skipped === 0 ? null : `Пропущено диалогов: ${skipped}. Их больше нет в аккаунте.`;

async function waitForTraining(db: Database, caller: Caller, twinId: string, signal: AbortSignal): Promise<void> {
  for (const until = Date.now() + TRAINING_MS; Date.now() < until && !signal.aborted; await pause(LOOK_MS)) {
    const [twin] = await asTenant(db, caller, (tx) =>
      tx
        .select({ behind: sql<boolean>`${twins.trainedRevision} < ${twins.knowledgeRevision}` })
        .from(twins)
        .where(eq(twins.id, twinId)),
    );
    if (twin?.behind !== true) return;
  }
}

async function statsOf(db: Database, caller: Caller, row: Row): Promise<ImportStats> {
  const twin = await asTenant(db, caller, (tx) => getTwinRow(tx, caller, row.twinId));
  const profile = StyleProfile.safeParse(twin.styleProfile);
  const { skipped = 0 } = row.position as ShownPosition;
  return {
    dialogsProcessed: (row.chatIds?.length ?? 0) - skipped,
    ...(skipped > 0 ? { dialogsSkipped: skipped } : {}),
    totalMessages: row.imported,
    analysis: {
      communicationStyle: profile.success ? describeStyle(profile.data) : twin.communicationStyle,
      personality: twin.personality,
      expertise: twin.expertise,
    },
  };
}
