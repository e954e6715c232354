/** Uploaded and generated files, stored under random names. */
import { join } from "node:path";
import type { Log } from "#server/platform/log.ts";
import type { FileStore } from "./file-store.ts";
import { uploadsFolder } from "./folder-store.ts";

/** Where a file lies in the data folder, if files lie there. */
export const storedPath = (dataDir: string, storedName: string): string => join(uploadsFolder(dataDir), storedName);

export interface FileDeps {
  files: FileStore;
  log: Log;
}

/** Removes files; failures are logged, and such files are swept later. */
export async function removeFiles({ files, log }: FileDeps, storedNames: readonly string[]): Promise<void> {
  for (const storedName of storedNames) {
    await files.remove(storedName).catch((error: unknown) => {
      log.error({ err: error, storedName }, "a stored file could not be deleted");
    });
  }
}
