import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writtenSize } from "#contract/written-size.ts";

const MEGABYTE = 2 ** 20;
/** The embedded engine's start writes to its journal, whose next segment may be 16 MB, and runs migrations. */
const START_BYTES = 48 * MEGABYTE;
const LOOK_MS = 2000;

interface Wait {
  /** Says once, for the operator, why the start waits. */
  say(line: string): void;
  /** Reads the free bytes of the disk; replaced in tests. */
  freeBytes?: (dataDir: string) => Promise<number>;
  lookMs?: number;
}

/** Waits until the disk of the data folder has room for a start, because an engine that starts without room may break. */
export async function waitForRoom(dataDir: string, { say, freeBytes = freeOn, lookMs = LOOK_MS }: Wait): Promise<void> {
  let told = false;
  for (;;) {
    const free = await freeBytes(dataDir);
    if (free >= START_BYTES) return;
    if (!told)
      say(
        `На диске с ${dataDir} свободно ${writtenSize(free)}, для запуска нужно ${writtenSize(START_BYTES)}. ` +
          "Освободите место: запуск продолжится сам.",
      );
    told = true;
    await pause(lookMs);
  }
}

/** The folder may not exist before the first start. */
async function freeOn(folder: string): Promise<number> {
  try {
    const { bsize, bavail } = await statfs(folder);
    return bsize * bavail;
  } catch (error) {
    const above = dirname(folder);
    if (above === folder) throw error;
    return freeOn(above);
  }
}
