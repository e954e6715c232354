/** Uploaded and generated files, stored under random names in the data folder's `uploads`. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "#server/log.ts";

export const storedPath = (dataDir: string, storedName: string): string => join(dataDir, "uploads", storedName);

export interface FileDeps {
  config: { dataDir: string };
  log: Log;
}

/** Removes files; failures are logged, and such files are swept later. */
export async function removeFiles({ config, log }: FileDeps, storedNames: readonly string[]): Promise<void> {
  for (const storedName of storedNames) {
    await rm(storedPath(config.dataDir, storedName), { force: true, recursive: true }).catch((error: unknown) => {
      log.error({ err: error, storedName }, "a stored file could not be deleted");
    });
  }
}
