/**
 * Locks the data folder, because PGlite takes no lock and two processes on one folder lose acknowledged rows. The lock is a file with the
 * holder's pid, created exclusively; if the holder has died, the next start replaces the stale file.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** Another process uses the folder; the message is for the person who started the second process. */
export class DataFolderInUse extends Error {}

/**
 * Locks the folder for this process, creating it if it is missing (mode 0700).
 * @returns a function that releases the lock
 * @throws DataFolderInUse when a living process holds it
 */
export function lockDataFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "lock");
  const mine = `${process.pid} ${hostname()}\n`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, mine, { flag: "wx", mode: 0o600 });
      return () => {
        if (readLock(file) === mine) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const [pid = "", host = ""] = readLock(file).trim().split(" ");
    if (host === hostname() ? isAlive(Number(pid)) : host !== "") {
      throw new DataFolderInUse(
        `Папка ${folder} занята процессом ${pid} (${host}). Остановите его или задайте другую папку в DATA_DIR. ` +
          `Если такого процесса нет, удалите файл ${file}.`,
      );
    }
    rmSync(file, { force: true });
  }
  throw new DataFolderInUse(`Папку ${folder} только что занял другой процесс.`);
}

function readLock(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  // In a container every start may have the same pid: a lock with our own pid comes from an earlier run.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
