/** Opens one connection to a database as it is, without migrating, creating or checking anything. */
import { join } from "node:path";
import pg, { type Client } from "pg";
import { startPglite } from "#server/platform/db/database.ts";
import { pgliteStream } from "#server/platform/db/pglite-stream.ts";
import { lockDataFolder } from "#server/platform/files/data-folder-lock.ts";

export interface RawDatabase {
  client: Client;
  engine: "embedded" | "postgres";
  close(): Promise<void>;
}

async function openPostgres(databaseUrl: string): Promise<RawDatabase> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  return { client, engine: "postgres", close: () => client.end() };
}

/** @param folder of the embedded engine; the caller holds its lock */
export async function openPgliteFolder(folder: string): Promise<RawDatabase> {
  const pglite = await startPglite({ dataDir: folder });
  const client = new pg.Client({ user: "postgres", stream: () => pgliteStream(pglite) } as pg.ClientConfig);
  client.on("error", () => {});
  await client.connect();
  const close = async () => {
    await client.end();
    await pglite.close();
  };
  return { client, engine: "embedded", close };
}

/** Opens the database of the settings. @throws DataFolderInUse while a server has the embedded one open */
export async function openRawDatabase({
  databaseUrl,
  databaseDirectUrl = null,
  dataDir,
}: {
  databaseUrl: string | null;
  databaseDirectUrl?: string | null;
  dataDir: string;
}): Promise<RawDatabase> {
  if (databaseUrl !== null) return openPostgres(databaseDirectUrl ?? databaseUrl);
  const unlock = lockDataFolder(dataDir);
  try {
    const raw = await openPgliteFolder(join(dataDir, "database"));
    const close = async () => {
      await raw.close();
      unlock();
    };
    return { ...raw, close };
  } catch (error) {
    unlock();
    throw error;
  }
}
