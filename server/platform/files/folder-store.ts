import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Disk, writeWithFreeSpace } from "./disk.ts";
import type { FileStore, OpenedFile, UploadPart } from "./file-store.ts";
import { appendToFile, stopAppending } from "./resumable-file.ts";

export const uploadsFolder = (dataDir: string): string => join(dataDir, "uploads");

/** @throws the disk's error */
export async function openLocalFile(path: string): Promise<OpenedFile> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return {
      size,
      async read(at, length) {
        const wanted = Math.max(0, Math.min(length, size - at));
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
        return buffer.subarray(0, bytesRead);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Files in the data folder's `uploads`, readable only by the server's OS user. */
export class FolderStore implements FileStore {
  readonly #folder: string;
  readonly #disk: Disk;

  constructor({ dataDir }: { dataDir: string }, disk: Disk) {
    this.#folder = uploadsFolder(dataDir);
    this.#disk = disk;
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  async #create(name: string) {
    const path = this.#path(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, "wx", 0o600);
  }

  async create(name: string): Promise<void> {
    await (await this.#create(name)).close();
  }

  async size(name: string): Promise<number | null> {
    const facts = await stat(this.#path(name)).catch(() => null);
    return facts?.size ?? null;
  }

  append(name: string, arriving: UploadPart): Promise<void> {
    return appendToFile({ path: this.#path(name), disk: this.#disk, ...arriving });
  }

  stopAppending(name: string): void {
    stopAppending(this.#path(name));
  }

  async write(name: string, source: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void> {
    // Opened before anything can fail: a stream that opens the file lazily might do so after the caller has removed it.
    const file = await this.#create(name);
    // Flushed to the disk before it closes, because an acknowledged file must survive a crash.
    const target = file.createWriteStream({ flush: true });
    await pipeline(writeWithFreeSpace(this.#disk, source), target, signal === undefined ? {} : { signal });
  }

  open(name: string): Promise<OpenedFile> {
    return openLocalFile(this.#path(name));
  }

  async localPath(name: string): Promise<string> {
    return this.#path(name);
  }

  async rename(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.#path(to)), { recursive: true, mode: 0o700 });
    await rename(this.#path(from), this.#path(to));
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true, recursive: true });
  }

  async unchangedSince(time: number): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const old: string[] = [];
    for (const name of names) {
      const facts = await stat(this.#path(name)).catch(() => null);
      if (facts !== null && facts.mtimeMs < time) old.push(name);
    }
    return old;
  }

  leaveFree(bytes: number): Promise<void> {
    return this.#disk.leaveFree(bytes);
  }

  /** There is nothing to do: the features' own sweepers find all abandoned files in a folder. */
  async sweep(): Promise<void> {}

  /** There is nothing to do: the data folder's disk is checked separately. */
  async check(): Promise<void> {}
}
