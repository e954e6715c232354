/** The files of a snapshot that lie in S3-compatible storage. */
import type { ClientBase } from "pg";
import type { StorageConfig } from "#server/platform/config.ts";
import { Bucket } from "#server/platform/object-storage/bucket.ts";
import { BACKUP_READS } from "#server/platform/object-storage/object-store.ts";
import { relationExists } from "./dump-database.ts";

export interface SnapshotFile {
  /** Its stored name. */
  path: string;
  pieces(): AsyncGenerator<Buffer, void, void>;
}

/**
 * Runs `work` while servers of this PostgreSQL delete no object: what is removed meanwhile goes with their next sweep. Call it before
 * the snapshot begins; the lock ends with the connection, so a backup that is killed holds nothing.
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
 * Files by the snapshot that the client reads. One that lacks an object ends there, which is said: on the embedded engine a file may be
 * removed while its copy is read.
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
      // An empty file is a file too.
      if (keys.length === 0) yield Buffer.alloc(0);
      for (const key of keys) {
        const bytes = await bucket.get(key);
        if (bytes === null) {
          say(`Файла ${name} в хранилище нет целиком: в копии он обрывается.`);
          return;
        }
        yield bytes;
      }
    },
  }));
}

/** Keys of the objects that a database knows, to be deleted once it holds something else. */
export async function knownObjects(client: ClientBase): Promise<string[]> {
  if (!(await relationExists(client, "public.stored_pieces"))) return [];
  const { rows } = await client.query("select key from stored_pieces");
  return rows.map(({ key }: { key: string }) => key);
}
