import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Tarball of the embedded database, migrated and empty. Not there in a run on PostgreSQL. */
    dataFolder: string;
  }
}

/** An embedded database that is migrated already: for tests of anything but the first start, half of whose time that is. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  const database = join(dataDir, "database");
  await mkdir(database, { recursive: true, mode: 0o700 });
  await promisify(execFile)("tar", ["-xf", inject("dataFolder"), "-C", database]);
}
