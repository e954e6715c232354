/**
 * Makes a snapshot of an embedded database that a server has open. Its one connection cannot be held for a whole backup, so the server
 * copies the database's folder and the backup's process reads the copy. The server blocks only while it copies changes since the first
 * pass. Both communicate by files in a folder of `DATA_DIR`, which only the server's OS user may enter.
 */
import { access, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { runInBackground } from "#server/platform/db/caller-priority.ts";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { DataFolderInUse, lockDataFolder } from "#server/platform/files/data-folder-lock.ts";
import type { Log } from "#server/platform/log.ts";
import { BackupError } from "./backup-error.ts";
import { FolderCopy } from "./copy-folder.ts";

const LOOK_MS = 1000;
/** Milliseconds after which a server that has not begun is stuck, or has another version. */
const BEGIN_MS = 60_000;

const folderOf = (dataDir: string): string => join(dataDir, "snapshot");
/** Paths of the files by which the two processes communicate; a rename makes each appear whole. */
const signs = (dataDir: string) => {
  const at = (name: string) => join(folderOf(dataDir), name);
  return { request: at("request"), begun: at("begun"), ready: at("ready"), failed: at("failed"), copy: at("database") };
};

interface EmbeddedSnapshot {
  /** Folder of an embedded engine that no other process has open. */
  folder: string;
  release(): Promise<void>;
}

/** Asks the server that has the folder open. @throws BackupError when it does not answer or cannot */
export async function requestSnapshot(dataDir: string, signal?: AbortSignal): Promise<EmbeddedSnapshot> {
  const { request, begun, ready, failed, copy } = signs(dataDir);
  let unlock: () => void;
  try {
    unlock = lockDataFolder(folderOf(dataDir));
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    throw new BackupError("Другая копия уже создаётся: дождитесь её.", { cause: error });
  }
  const release = async () => {
    for (const path of [request, begun, ready, failed, copy]) await rm(path, { recursive: true, force: true });
    unlock();
  };
  try {
    for (const path of [begun, ready, failed, copy]) await rm(path, { recursive: true, force: true });
    await sign(request, "");
    const deadline = Date.now() + BEGIN_MS;
    while (!(await isThere(ready))) {
      signal?.throwIfAborted();
      if (await isThere(failed)) throw new BackupError(await readFile(failed, "utf8"));
      if (Date.now() > deadline && !(await isThere(begun))) {
        throw new BackupError(`Сервер, который держит папку ${dataDir}, не отвечает. Остановите его и повторите.`);
      }
      await pause(100);
    }
    return { folder: copy, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Makes snapshots for other processes until the returned function is called. */
export function serveSnapshots(database: OpenDatabase, dataDir: string, log: Log): () => Promise<void> {
  const { request } = signs(dataDir);
  let working: Promise<void> | undefined;
  const look = async () => {
    if (!(await isThere(request))) return;
    await rm(request, { force: true });
    await makeSnapshot(database, dataDir, log);
  };
  const timer = setInterval(() => {
    working ??= look()
      .catch((error: unknown) => log.error({ err: error }, "a snapshot for a backup failed"))
      .finally(() => {
        working = undefined;
      });
  }, LOOK_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await working;
  };
}

async function makeSnapshot({ db }: OpenDatabase, dataDir: string, log: Log): Promise<void> {
  const { begun, ready, failed, copy } = signs(dataDir);
  try {
    await sign(begun, "");
    const folder = new FolderCopy(join(dataDir, "database"), copy);
    const bytes = await folder.update();
    const client = await runInBackground(() => db.$client.connect());
    const began = Date.now();
    try {
      // Flushes the engine's memory to disk. No other process can query it, so nothing is written after this.
      await client.query("checkpoint");
      const changed = await folder.update();
      log.info({ bytes, changed, heldMs: Date.now() - began }, "a snapshot for a backup was made");
    } finally {
      client.release();
    }
    await sign(ready, "");
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    const full = (error as { code?: string }).code === "ENOSPC";
    await sign(
      failed,
      full ? "Для снимка базы на диске DATA_DIR нет места." : "Сервер не смог сделать снимок базы: см. его журнал.",
    );
    throw error;
  }
}

async function sign(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
