/** Stores export files until their import under random names in the data folder, readable only by the server's OS user. */
import { randomBytes } from "node:crypto";
import type { WriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inArray } from "drizzle-orm";
import { asPlatform, type Database } from "#server/db/database.ts";
import { exportUploads, imports } from "#server/db/schema.ts";

const HOUR = 3600 * 1000;
const STORED_NAME = /^export-[0-9a-f]{32}$/;

export const uploadPath = (dataDir: string, storedName: string): string => join(dataDir, "uploads", storedName);

export const newName = () => `export-${randomBytes(16).toString("hex")}`;

/** Creates an empty file; the stream is flushed to disk before it closes, because an acknowledged upload must survive a crash. */
export async function createUpload(dataDir: string): Promise<{ storedName: string; stream: WriteStream }> {
  await mkdir(join(dataDir, "uploads"), { recursive: true, mode: 0o700 });
  const storedName = newName();
  // Opened before anything can fail: a stream that opens the file lazily might do so after a refusal has removed it.
  const file = await open(uploadPath(dataDir, storedName), "wx", 0o600);
  return { storedName, stream: file.createWriteStream({ flush: true }) as WriteStream };
}

/** Name of the file, in a folder of several files, that lists their original names in order. */
const NAMES = "names.json";

/** Moves files into a folder named `folder`. Their order determines the order of the messages. */
export async function gatherUploads(
  dataDir: string,
  folder: string,
  files: readonly { storedName: string; fileName: string }[],
): Promise<void> {
  await mkdir(uploadPath(dataDir, folder), { mode: 0o700 });
  await writeFile(join(uploadPath(dataDir, folder), NAMES), JSON.stringify(files.map((file) => file.fileName)));
  for (const [place, { storedName }] of files.entries()) {
    await rename(uploadPath(dataDir, storedName), join(uploadPath(dataDir, folder), String(place)));
  }
}

export interface StoredFile {
  path: string;
  /** Original name; null for a single file, whose name the import has. */
  fileName: string | null;
}

/** Lists the files behind a stored name, in order. */
export async function storedFiles(dataDir: string, storedName: string): Promise<StoredFile[]> {
  const path = uploadPath(dataDir, storedName);
  if (!(await stat(path)).isDirectory()) return [{ path, fileName: null }];
  const names = JSON.parse(await readFile(join(path, NAMES), "utf8")) as string[];
  return names.map((fileName, place) => ({ path: join(path, String(place)), fileName }));
}

/** Removes a file; null and a missing file are accepted. */
export async function removeUpload(dataDir: string, storedName: string | null): Promise<void> {
  if (storedName !== null) await rm(uploadPath(dataDir, storedName), { force: true, recursive: true });
}

/**
 * Removes files older than an hour that no import and no upload refers to: a crash has cut the upload, or the twin was deleted.
 * @returns how many files were removed
 */
export async function sweepUploads(db: Database, dataDir: string, now = Date.now()): Promise<number> {
  const names = await readdir(join(dataDir, "uploads")).catch(() => []);
  const old: string[] = [];
  for (const name of names) {
    if (!STORED_NAME.test(name)) continue;
    const facts = await stat(uploadPath(dataDir, name)).catch(() => null);
    if (facts !== null && now - facts.mtimeMs > HOUR) old.push(name);
  }
  if (old.length === 0) return 0;
  const known = await asPlatform(db, async (tx) => [
    ...(await tx.select({ storedName: imports.storedName }).from(imports).where(inArray(imports.storedName, old))),
    ...(await tx
      .select({ storedName: exportUploads.storedName })
      .from(exportUploads)
      .where(inArray(exportUploads.storedName, old))),
  ]);
  const kept = new Set(known.map((row) => row.storedName));
  const left = old.filter((name) => !kept.has(name));
  for (const name of left) await removeUpload(dataDir, name);
  return left.length;
}
