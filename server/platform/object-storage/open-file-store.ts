import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { Disk } from "#server/platform/files/disk.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { FolderStore } from "#server/platform/files/folder-store.ts";
import { ObjectStore } from "./object-store.ts";

type FilesConfig = Pick<Config, "dataDir" | "diskFloorBytes" | "storage">;

/** Opens the storage that the settings choose: the bucket of STORAGE_URL, or the data folder. */
export function openFileStore({ storage, ...local }: FilesConfig, db: Database, disk = new Disk(local)): FileStore {
  return storage === null
    ? new FolderStore(local, disk)
    : new ObjectStore({ db, disk, storage, dataDir: local.dataDir });
}
