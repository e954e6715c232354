/** Export files that wait for their import: random names in the data folder, readable by this server's user alone. */
import { randomBytes } from "node:crypto";
import type { WriteStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { inArray } from "drizzle-orm";
import { asPlatform, type Database } from "#server/db/database.ts";
import { imports } from "#server/db/schema.ts";

/** The largest export file, bytes. */
export const MAX_EXPORT_BYTES = 2 * 1024 ** 3;

const DAY = 24 * 3600 * 1000;
const STORED_NAME = /^export-[0-9a-f]{32}$/;

export const uploadPath = (dataDir: string, storedName: string): string => join(dataDir, "uploads", storedName);

/** A new empty file; the stream is flushed to the disk before it closes, since an answered upload must survive. */
export async function createUpload(dataDir: string): Promise<{ storedName: string; stream: WriteStream }> {
  await mkdir(join(dataDir, "uploads"), { recursive: true, mode: 0o700 });
  const storedName = `export-${randomBytes(16).toString("hex")}`;
  // Opened before anything can fail: a stream that opens by itself may do so after a refusal has removed the file.
  const file = await open(uploadPath(dataDir, storedName), "wx", 0o600);
  return { storedName, stream: file.createWriteStream({ flush: true }) as WriteStream };
}

/** A file that is gone already, or null, is fine. */
export async function removeUpload(dataDir: string, storedName: string | null): Promise<void> {
  if (storedName !== null) await rm(uploadPath(dataDir, storedName), { force: true });
}

/**
 * Removes files older than a day that no import knows: of uploads cut by a crash and of imports deleted with their twin.
 * @returns how many
 */
export async function sweepUploads(db: Database, dataDir: string, now = Date.now()): Promise<number> {
  const names = await readdir(join(dataDir, "uploads")).catch(() => []);
  const old: string[] = [];
  for (const name of names) {
    if (!STORED_NAME.test(name)) continue;
    const facts = await stat(uploadPath(dataDir, name)).catch(() => null);
    if (facts !== null && now - facts.mtimeMs > DAY) old.push(name);
  }
  if (old.length === 0) return 0;
  const known = await asPlatform(db, (tx) =>
    tx.select({ storedName: imports.storedName }).from(imports).where(inArray(imports.storedName, old)),
  );
  const kept = new Set(known.map((row) => row.storedName));
  const left = old.filter((name) => !kept.has(name));
  for (const name of left) await removeUpload(dataDir, name);
  return left.length;
}
