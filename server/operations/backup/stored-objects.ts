/** The files of a snapshot that are in S3-compatible storage. */
import type { ClientBase } from "pg";
import type { StorageConfig } from "#server/platform/config/storage-config.ts";
import { Bucket } from "#server/platform/object-storage/bucket.ts";
import { BACKUP_READS } from "#server/platform/object-storage/object-store.ts";
import { relationExists } from "./dump-database.ts";

export interface SnapshotFile {
  path: string;
  pieces(): AsyncGenerator<Buffer, void, void>;
}

/**
 * Runs `work` while servers of this PostgreSQL delete no objects; their next sweep deletes them later. Call it before the snapshot begins.
 * The lock ends with the connection, so a killed backup blocks nothing.
 */
export async function withObjectDeletionPaused<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("select pg_advisory_lock($1)", [BACKUP_READS]);
  try {
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock($1)", [BACKUP_READS]).catch(() => {});
  }
}

/**
 * Yields files of the client's snapshot. A file with a missing object ends there and is reported: with the embedded engine a file may be
 * deleted while its copy is read.
 */
export async function objectFiles(
  client: ClientBase,
  storage: StorageConfig,
  say: (line: string) => void,
): Promise<SnapshotFile[]> {
  if (!(await relationExists(client, "public.stored_files"))) return [];
  const bucket = new Bucket(storage);
  const { rows } = await client.query(`
    select f.name, coalesce(array_agg(p.key order by p.place) filter (where p.place is not null), '{}') as keys
    from stored_files f left join stored_pieces p on p.name = f.name group by f.name order by f.name`);
  return rows.map(({ name, keys }: { name: string; keys: string[] }) => ({
    path: name,
    async *pieces() {
      // A file without bytes still needs an entry, or the backup would be refused as incomplete.
      if (keys.length === 0) yield Buffer.alloc(0);
      for (const key of keys) {
        const bytes = await bucket.get(key);
        if (bytes === null) {
          say(`Файла ${name} в хранилище нет целиком: в копии он обрывается.`);
          if (key === keys[0]) yield Buffer.alloc(0);
          return;
        }
        yield bytes;
      }
    },
  }));
}

/** Returns keys of the objects that a database knows, to be deleted once it is replaced. */
export async function knownObjects(client: ClientBase): Promise<string[]> {
  if (!(await relationExists(client, "public.stored_pieces"))) return [];
  const { rows } = await client.query("select key from stored_pieces");
  return rows.map(({ key }: { key: string }) => key);
}
