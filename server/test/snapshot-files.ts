/**
 * The run's snapshot as a PGlite file system in memory. The folder is read once in each worker: unpacking PGlite's tarball is half of
 * opening a database.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { MemoryFS } from "@electric-sql/pglite";

interface SnapshotFile {
  /** Under the data folder. */
  name: string;
  /** null: a folder. */
  data: Uint8Array | null;
}

let kept: SnapshotFile[] | undefined;

/** @param folder of a data folder, `PG_VERSION` in it */
export function snapshotFiles(folder: string): MemoryFS {
  kept ??= readFolder(folder);
  return new SnapshotFiles(kept);
}

const DATA = "/pglite/data";

class SnapshotFiles extends MemoryFS {
  readonly #files: readonly SnapshotFile[];

  constructor(files: readonly SnapshotFile[]) {
    super();
    this.#files = files;
  }

  override async initialSyncFs(): Promise<void> {
    const { FS } = this.pg!.Module;
    FS.mkdirTree(DATA, 0o700);
    for (const { name, data } of this.#files) {
      if (data === null) FS.mkdir(`${DATA}/${name}`);
      else FS.writeFile(`${DATA}/${name}`, data);
    }
  }
}

/** A folder stands before what is in it. */
function readFolder(folder: string): SnapshotFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: relative(folder, path), data: entry.isDirectory() ? null : new Uint8Array(readFileSync(path)) };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
