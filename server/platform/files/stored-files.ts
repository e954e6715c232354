import { join } from "node:path";
import type { Log } from "#server/platform/log.ts";
import type { FileStore } from "./file-store.ts";
import { uploadsFolder } from "./folder-store.ts";

/** Returns the path of a file in the data folder, for installations without object storage. */
export const storedPath = (dataDir: string, storedName: string): string => join(uploadsFolder(dataDir), storedName);

export interface FileDeps {
  files: FileStore;
  log: Log;
}

/** Removes files; failures are logged, and a later sweep removes such files. */
export async function removeFiles({ files, log }: FileDeps, storedNames: readonly string[]): Promise<void> {
  for (const storedName of storedNames) {
    await files.remove(storedName).catch((error: unknown) => {
      log.error({ err: error, storedName }, "a stored file could not be deleted");
    });
  }
}
