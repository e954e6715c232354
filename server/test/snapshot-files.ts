/**
 * The run's snapshot as a PGlite file system in memory. The folder is read once in each worker: unpacking PGlite's tarball is half of
 * opening a database.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { MemoryFS } from "@electric-sql/pglite";

interface SnapshotFile {
  /** Under the data folder. */
  name: string;
  /** In bytes. */
  size: number;
  /** Without the zeros at its end; null: a folder. */
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
    const nodes = new Map<string, MemoryNode>([[".", FS.lookupPath(DATA).node as MemoryNode]]);
    for (const { name, size, data } of this.#files) {
      const parent = nodes.get(dirname(name))!;
      // Writing by path would look each folder of the path up again: a third of the time of all.
      const node = parent.node_ops.mknod(parent, basename(name), data === null ? FOLDER : FILE, 0);
      if (data === null) nodes.set(name, node);
      else {
        // What ends in zeros, as a segment of the log, takes no memory there until it is written.
        node.contents = new Uint8Array(size);
        node.contents.set(data);
        node.usedBytes = size;
      }
    }
  }
}

const FOLDER = 0o040700;
const FILE = 0o100600;

/** A node of Emscripten's MEMFS. */
interface MemoryNode {
  node_ops: { mknod(parent: MemoryNode, name: string, mode: number, device: number): MemoryNode };
  contents: Uint8Array;
  usedBytes: number;
}

/** A folder stands before what is in it. */
function readFolder(folder: string): SnapshotFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path);
      if (entry.isDirectory()) return { name, size: 0, data: null };
      const data = new Uint8Array(readFileSync(path));
      let length = data.length;
      while (length > 0 && data[length - 1] === 0) length--;
      return { name, size: data.length, data: data.slice(0, length) };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
