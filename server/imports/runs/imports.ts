import { and, desc, eq, getTableColumns, isNull } from "drizzle-orm";
import { type ImportState, importConsent, type StartImportInput } from "#contract/knowledge/imports.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { countAttached, deleteUntakenFiles } from "#server/imports/attached/attached-rows.ts";
import type { ImportPreview } from "#server/imports/export-reader/preview.ts";
import type { ReceivedExport } from "#server/imports/uploads/receive-export.ts";
import { removeUpload } from "#server/imports/uploads/uploads.ts";
import { readKinds } from "#server/models/media/reader-rows.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { conflict, notFound, unprocessable } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

export type ImportRow = typeof imports.$inferSelect;

const LIST_LIMIT = 50;
// Lists omit the preview, which may be a megabyte.
const { preview: _preview, ...listColumns } = getTableColumns(imports);

interface Deps {
  db: Database;
  jobs: Jobs;
}

/**
 * Creates an import of received files and enqueues its preview.
 * @param before runs in the same transaction
 * @throws Problem 404 when the twin was deleted meanwhile, 403
 */
export async function createImport(
  deps: Deps,
  caller: Caller,
  received: ReceivedExport,
  before?: (tx: Tx) => Promise<void>,
): Promise<ImportState> {
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, received.digitalTwinId);
    await before?.(tx);
    const [row] = await tx
      .insert(imports)
      .values({
        orgId: caller.organizationId,
        twinId: received.digitalTwinId,
        userId: caller.userId,
        fileName: received.fileName,
        storedName: received.storedName,
        bytes: received.bytes,
        status: "reading",
        format: received.format,
      })
      .returning();
    await deps.jobs.enqueue(tx, "preview-import", jobData(caller, row!.id));
    return toState(row!);
  });
}

/** @throws Problem 404 */
export async function getImport(db: Database, caller: Tenant, id: string): Promise<ImportState> {
  return asTenant(db, caller, async (tx) => stateOf(tx, await getRow(tx, caller, id)));
}

/** An export contains private messages and names, so only the member who uploaded it sees it. */
const mine = ({ organizationId, userId }: Tenant) => and(eq(imports.orgId, organizationId), eq(imports.userId, userId));

/** Lists the caller's latest imports, newest first, without their chats, people and rejected lines. */
export async function listImports(db: Database, caller: Tenant): Promise<ImportState[]> {
  return asTenant(db, caller, async (tx) => {
    const rows = await tx
      .select(listColumns)
      .from(imports)
      // Imports of accounts are shown with their integrations.
      .where(and(mine(caller), isNull(imports.integrationId)))
      .orderBy(desc(imports.createdAt), desc(imports.id))
      .limit(LIST_LIMIT);
    const attached = await countAttached(
      tx,
      rows.filter((row) => row.withAttached).map(({ id }) => id),
    );
    return rows.map((row) => toState({ ...row, preview: null }, attached.get(row.id)));
  });
}

/**
 * Stores the user's choice and enqueues the import; after a failure the same file may be tried again.
 * @throws Problem 404; 403; 409 in another state or when the consent is to an older text; 422 for a choice that the file does not have
 */
export async function startImport(
  deps: Deps,
  caller: Caller,
  id: string,
  input: StartImportInput,
): Promise<ImportState> {
  if ((input.consentVersion ?? importConsent.version) !== importConsent.version) {
    throw conflict("consent_changed", "Условия импорта изменились. Обновите страницу и прочитайте их снова.");
  }
  return asTenant(deps.db, caller, async (tx) => {
    const row = await lockRow(tx, caller, id);
    const preview = row.preview as ImportPreview | null;
    if ((row.status !== "preview" && row.status !== "failed") || preview === null || row.storedName === null) {
      throw conflict("import_not_ready", START_REFUSALS[row.status]);
    }
    if (!preview.people.some((person) => person.id === input.ownerId)) {
      throw unprocessable("unknown_owner", "Выберите себя среди участников переписки");
    }
    const asked = new Set(input.chatIds ?? privateChats(preview));
    const chatIds = [...asked];
    const chosen = preview.chats.filter((chat) => asked.has(chat.id));
    if (chosen.length < chatIds.length) throw unprocessable("unknown_chat", "Такого чата нет в файле");
    if (chosen.length === 0) {
      throw unprocessable("no_chats", "В файле нет личных чатов. Отметьте, какие чаты взять");
    }
    const withAttached = input.attached === true;
    const sameChoice =
      row.ownerId === input.ownerId && row.chatIds?.join() === chatIds.join() && row.withAttached === withAttached;
    if (!sameChoice) await deleteUntakenFiles(tx, row.id);
    const [started] = await tx
      .update(imports)
      .set({
        status: "running",
        ownerId: input.ownerId,
        chatIds,
        withAttached,
        consentAt: new Date(),
        total: chosen.reduce((sum, chat) => sum + chat.messages, 0),
        error: null,
        cutOff: 0,
        updatedAt: new Date(),
        ...(sameChoice ? {} : { processed: 0, imported: 0, duplicates: 0 }),
      })
      .where(eq(imports.id, id))
      .returning();
    await auditInTenant(tx, {
      action: "import-consent",
      userId: caller.userId,
      organizationId: caller.organizationId,
      subject: row.id,
      detail: {
        version: importConsent.version,
        twinId: row.twinId,
        bytes: row.bytes,
        ownerId: input.ownerId,
        chats: chosen.length,
        ...(withAttached && { attached: true }),
      },
    });
    await deps.jobs.enqueue(tx, "run-import", jobData(caller, id));
    return stateOf(tx, started!);
  });
}

/**
 * Cancels an import; imported messages stay, its file is deleted. Repeating the call changes nothing.
 * @throws Problem 404; 403; 409 when it is done
 */
export async function cancelImport(
  deps: Deps & { files: FileStore },
  caller: Caller,
  id: string,
): Promise<ImportState> {
  const { cancelled, storedName } = await asTenant(deps.db, caller, async (tx) => {
    const row = await lockRow(tx, caller, id);
    if (row.status === "done") throw conflict("import_done", "Импорт уже завершён");
    const ended = await cancelRow(tx, deps.jobs, caller, row);
    return { cancelled: await stateOf(tx, ended), storedName: row.storedName };
  });
  await removeUpload(deps.files, storedName);
  return cancelled;
}

/** Runs in the transaction that locks the row; the caller must remove the file after the commit. */
export async function cancelRow(tx: Tx, jobs: Jobs, tenant: Tenant, row: ImportRow): Promise<ImportRow> {
  await deleteUntakenFiles(tx, row.id);
  const [cancelled] = await tx
    .update(imports)
    .set({
      status: "cancelled",
      storedName: null,
      // The finishing job reads and shortens the preview; without such a job, nothing of the file is kept.
      preview: row.imported > 0 ? row.preview : null,
      updatedAt: new Date(),
    })
    .where(eq(imports.id, row.id))
    .returning();
  // The job still pairs and learns the messages that were stored before the cancellation.
  if (row.status !== "cancelled" && row.imported > 0) await jobs.enqueue(tx, "run-import", jobData(tenant, row.id));
  return cancelled!;
}

export const jobData = ({ organizationId, userId }: Tenant, importId: string) => ({ organizationId, userId, importId });

const START_REFUSALS: Record<ImportRow["status"], string> = {
  reading: "Файл ещё читается",
  preview: "Файла этого импорта больше нет: загрузите его снова",
  running: "Импорт уже идёт",
  done: "Импорт уже завершён",
  failed: "Файл не удалось прочитать: загрузите его снова",
  cancelled: "Импорт отменён: загрузите файл снова",
};

const privateChats = (preview: ImportPreview): string[] =>
  preview.chats.filter((chat) => chat.kind === "private").map((chat) => chat.id);

async function getRow(tx: Tx, tenant: Tenant, id: string): Promise<ImportRow> {
  const [row] = await tx
    .select()
    .from(imports)
    .where(and(eq(imports.id, id), mine(tenant)));
  if (row === undefined) throw notFound("Импорт не найден", "import_not_found");
  return row;
}

/** Locks the import's row for a change. Every transaction locks the twin first, so that no deadlock occurs. */
async function lockRow(tx: Tx, caller: Caller, id: string): Promise<ImportRow> {
  const { twinId } = await getRow(tx, caller, id);
  await getChangeableTwin(tx, caller, twinId);
  const [row] = await tx.select().from(imports).where(eq(imports.id, id)).for("update");
  if (row === undefined) throw notFound("Импорт не найден", "import_not_found");
  return row;
}

/** Adds the progress of the attached files, without kinds that no configured reader handles. */
async function stateOf(tx: Tx, row: ImportRow): Promise<ImportState> {
  const counted = row.withAttached ? await countAttached(tx, [row.id]) : null;
  const state = toState(row, counted?.get(row.id));
  if (!state.chats.some((chat) => chat.attached !== undefined)) return state;
  const kinds = await readKinds(tx, row.orgId);
  const chats = state.chats.map(({ attached, ...chat }) => {
    const readHere = attached?.filter(({ kind }) => kinds.has(kind)) ?? [];
    return readHere.length === 0 ? chat : { ...chat, attached: readHere };
  });
  return { ...state, chats };
}

function toState(row: ImportRow, attached?: ImportState["attached"]): ImportState {
  const preview = row.preview as ImportPreview | null;
  return {
    id: row.id,
    digitalTwinId: row.twinId,
    fileName: row.fileName,
    status: row.status,
    format: row.format,
    incomplete: row.incomplete,
    chats: preview?.chats ?? [],
    people: preview?.people ?? [],
    suggestedOwner: preview?.suggestedOwner ?? null,
    rejected: preview?.rejected ?? [],
    rejectedCount: preview?.rejectedCount ?? 0,
    total: row.total,
    processed: row.processed,
    imported: row.imported,
    duplicates: row.duplicates,
    ...(attached === undefined ? {} : { attached }),
    ...(row.error === null ? {} : { error: row.error }),
    createdAt: row.createdAt.toISOString(),
  };
}
