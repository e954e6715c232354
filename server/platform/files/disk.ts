/** Measures free space on the data folder's disk, and keeps a minimum free for the database and its journal. */
import { mkdir, statfs } from "node:fs/promises";
import type { Config } from "#server/platform/config.ts";
import { outOfSpace } from "#server/platform/errors.ts";

const GIGABYTE = 1024 ** 3;
/** Share of the disk that uploads must leave free, but at least a gigabyte. */
const FLOOR_SHARE = 0.05;
/** Space counts as short below this multiple of the minimum. */
const SHORT_FLOORS = 2;

export interface DiskState {
  totalBytes: number;
  /** Bytes available to the server's OS user. */
  freeBytes: number;
  floorBytes: number;
}

export class Disk {
  /** Reads the disk's figures from the operating system; replaced in tests. */
  measure: () => Promise<{ totalBytes: number; freeBytes: number }>;
  readonly #floorBytes: number | null;

  constructor({ dataDir, diskFloorBytes }: Pick<Config, "dataDir" | "diskFloorBytes">) {
    this.#floorBytes = diskFloorBytes;
    this.measure = async () => {
      // With PostgreSQL the data folder does not exist before the first upload.
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

  /** @throws Problem 507 when storing `bytes` more would leave less than the minimum */
  async leaveFree(bytes: number): Promise<void> {
    const { freeBytes, floorBytes } = await this.look();
    if (freeBytes - bytes < floorBytes) throw outOfSpace("no_space", NO_SPACE);
  }
}

export const NO_SPACE =
  "На сервере почти не осталось места, поэтому загрузки приостановлены. Повторите позже или напишите администратору платформы";

/** Whether space is short: uploads still work, but abandoned files are removed sooner. */
export const isDiskSpaceLow = ({ freeBytes, floorBytes }: DiskState): boolean => freeBytes < floorBytes * SHORT_FLOORS;

/** Free space is checked again after this many bytes of an upload. */
const LOOKED_AFTER = 16 * 1024 ** 2;

/** Passes the chunks through until the disk is full. @throws Problem 507 */
export async function* writeWithFreeSpace(disk: Disk, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
