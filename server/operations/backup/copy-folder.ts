/** Copies a folder whose files keep changing: each pass copies what has changed, until a last pass while nothing is written. */
import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Milliseconds: a file system's clock is coarse, so a file changed this recently may change again without a new time. */
const FRESH_MS = 1000;

interface Facts {
  size: number;
  mtimeMs: number;
  /** Whether the file was modified so recently that its time proves nothing. */
  fresh: boolean;
}

export class FolderCopy {
  readonly #from: string;
  readonly #to: string;
  #known = new Map<string, Facts>();

  constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /** @returns the number of copied bytes */
  async update(): Promise<number> {
    const found = new Map<string, Facts>();
    let copied = 0;
    for (const entry of await readdir(this.#from, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(this.#from.length + 1);
      if (entry.isDirectory()) await mkdir(join(this.#to, path), { recursive: true, mode: 0o700 });
      if (!entry.isFile()) continue;
      const facts = await factsOf(join(this.#from, path));
      if (facts === null) continue;
      found.set(path, facts);
      if (isSame(facts, this.#known.get(path))) continue;
      await mkdir(dirname(join(this.#to, path)), { recursive: true, mode: 0o700 });
      await copyFile(join(this.#from, path), join(this.#to, path), constants.COPYFILE_FICLONE).catch(ifGone);
      copied += facts.size;
    }
    for (const path of this.#known.keys()) if (!found.has(path)) await rm(join(this.#to, path), { force: true });
    this.#known = found;
    return copied;
  }
}

const isSame = (now: Facts, before: Facts | undefined): boolean =>
  before !== undefined && !before.fresh && before.size === now.size && before.mtimeMs === now.mtimeMs;

async function factsOf(path: string): Promise<Facts | null> {
  const found = await stat(path).catch(ifGone);
  if (!found) return null;
  return { size: found.size, mtimeMs: found.mtimeMs, fresh: Date.now() - found.mtimeMs < FRESH_MS };
}

function ifGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
