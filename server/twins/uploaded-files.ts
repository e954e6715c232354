import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "#server/log.ts";

/** Removes exports from the data folder; what cannot be removed is logged, and swept a day later. */
export async function removeFiles(
  { config, log }: { config: { dataDir: string }; log: Log },
  storedNames: readonly string[],
): Promise<void> {
  for (const storedName of storedNames) {
    await rm(join(config.dataDir, "uploads", storedName), { force: true, recursive: true }).catch((error: unknown) => {
      log.error({ err: error, storedName }, "an import's file could not be deleted");
    });
  }
}
