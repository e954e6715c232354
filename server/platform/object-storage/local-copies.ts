/** Local copies of stored files, for programs that read only local files: recordings for the speech model. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Disk, writeWithFreeSpace } from "#server/platform/files/disk.ts";
import { type OpenedFile, streamOf } from "#server/platform/files/file-store.ts";

const HOUR = 3600_000;
/** A copy that is not used within this time is removed. */
const KEPT_MS = 24 * HOUR;
const PART = /\.part-[0-9a-f]+$/;

export class LocalCopies {
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #coming = new Map<string, Promise<string>>();

  constructor(dataDir: string, disk: Disk) {
    this.#folder = join(dataDir, "copies");
    this.#disk = disk;
  }

  /** @throws the errors of `open`; Problem 507 without space */
  pathOf(name: string, open: () => Promise<OpenedFile>): Promise<string> {
    const coming = this.#coming.get(name) ?? this.#make(name, open).finally(() => this.#coming.delete(name));
    this.#coming.set(name, coming);
    return coming;
  }

  async #make(name: string, openStored: () => Promise<OpenedFile>): Promise<string> {
    const path = join(this.#folder, name);
    const now = new Date();
    const known = await utimes(path, now, now).then(
      () => true,
      () => false,
    );
    if (known) return path;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const stored = await openStored();
    const part = `${path}.part-${randomBytes(4).toString("hex")}`;
    try {
      await this.#disk.leaveFree(stored.size);
      const file = await open(part, "wx", 0o600);
      try {
        for await (const bytes of writeWithFreeSpace(this.#disk, streamOf(stored))) await file.writeFile(bytes);
      } finally {
        await file.close();
      }
      await rename(part, path);
      return path;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    } finally {
      await stored.close();
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  /** @param known returns those of the names that are still stored */
  async sweep(now: number, known: (names: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const found = await readdir(this.#folder).catch(() => []);
    if (found.length === 0) return;
    const stored = await known(found);
    for (const name of found) {
      const facts = await stat(join(this.#folder, name)).catch(() => null);
      const age = facts === null ? 0 : now - facts.mtimeMs;
      const left = PART.test(name) ? age > HOUR : !stored.has(name) || age > KEPT_MS;
      if (left) await this.remove(name);
    }
  }
}
