/** The disk under the data folder: how much is free, and the floor that uploads must leave free for the database and its journal. */
import { mkdir, statfs } from "node:fs/promises";
import type { Config } from "./config.ts";
import { outOfSpace } from "./errors.ts";

const GIGABYTE = 1024 ** 3;
/** The floor where none is set: a share of the disk, and never less than a gigabyte. */
const FLOOR_SHARE = 0.05;
/** Space is short below so many floors. */
const SHORT_FLOORS = 2;

export interface DiskState {
  totalBytes: number;
  /** For this server's user. */
  freeBytes: number;
  floorBytes: number;
}

export class Disk {
  /** What the system says of the data folder's disk; tests put their own in its place. */
  measure: () => Promise<{ totalBytes: number; freeBytes: number }>;
  readonly #floorBytes: number | null;

  constructor({ dataDir, diskFloorBytes }: Pick<Config, "dataDir" | "diskFloorBytes">) {
    this.#floorBytes = diskFloorBytes;
    this.measure = async () => {
      // With PostgreSQL nothing is in it, nor is it there, before the first upload.
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const { bsize, blocks, bavail } = await statfs(dataDir);
      return { totalBytes: bsize * blocks, freeBytes: bsize * bavail };
    };
  }

  async look(): Promise<DiskState> {
    const { totalBytes, freeBytes } = await this.measure();
    const floorBytes = this.#floorBytes ?? Math.max(GIGABYTE, Math.round(totalBytes * FLOOR_SHARE));
    return { totalBytes, freeBytes, floorBytes };
  }

  /** @throws Problem 507 when `bytes` more would leave less than the floor */
  async leaveFree(bytes: number): Promise<void> {
    const { freeBytes, floorBytes } = await this.look();
    if (freeBytes - bytes < floorBytes) throw outOfSpace("no_space", NO_SPACE);
  }
}

export const NO_SPACE =
  "На сервере почти не осталось места, поэтому загрузки приостановлены. Повторите позже или напишите администратору платформы";

/** Uploads still go, and soon may not: what nobody needs is removed sooner. */
export const isShort = ({ freeBytes, floorBytes }: DiskState): boolean => freeBytes < floorBytes * SHORT_FLOORS;

/** Looked at again after so many bytes of an upload. */
const LOOKED_AFTER = 16 * 1024 ** 2;

/** The same pieces, until the disk has no more room for them. @throws Problem 507 */
export async function* whileThereIsRoom(disk: Disk, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let since = 0;
  for await (const piece of pieces) {
    since += piece.length;
    if (since >= LOOKED_AFTER) {
      since = 0;
      await disk.leaveFree(0);
    }
    yield piece;
  }
}
