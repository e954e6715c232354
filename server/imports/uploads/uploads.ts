/** Stores export files until their import, under random names. */
import { randomBytes } from "node:crypto";
import { inArray } from "drizzle-orm";
import { asPlatform, type Database } from "#server/platform/db/database.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { conflict } from "#server/platform/errors.ts";
import { contentOf, type FileStore } from "#server/platform/files/file-store.ts";

const HOUR = 3600 * 1000;
const STORED_NAME = /^export-[0-9a-f]{32}$/;

export const newName = () => `export-${randomBytes(16).toString("hex")}`;

/** The file that lists the original names of several files in order. */
const namesOf = (folder: string) => `${folder}/names.json`;

interface Gathered {
  storedName: string;
  fileName: string;
}

/**
 * Puts files under one name. Their order determines the order of the messages.
 * @returns a function that undoes it
 * @throws Problem 409 when another request has taken one of them
 */
export async function gatherUploads(
  files: FileStore,
  folder: string,
  gathered: readonly Gathered[],
): Promise<() => Promise<void>> {
  const moved: [from: string, to: string][] = [];
  const takeBack = async () => {
    for (const [from, to] of moved) await files.rename(to, from);
    await files.remove(folder);
  };
  try {
    await files.write(namesOf(folder), listOf(gathered));
    for (const [place, { storedName }] of gathered.entries()) {
      await files.rename(storedName, `${folder}/${place}`);
      moved.push([storedName, `${folder}/${place}`]);
    }
    return takeBack;
  } catch (error) {
    await takeBack();
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
    throw uploadTaken();
  }
}

export const uploadTaken = () => conflict("upload_taken", "Эти файлы уже читаются");

async function* listOf(gathered: readonly Gathered[]): AsyncGenerator<Buffer> {
  yield Buffer.from(JSON.stringify(gathered.map(({ fileName }) => fileName)));
}

interface StoredFile {
  name: string;
  /** Original name; null for a single file, whose name the import has. */
  fileName: string | null;
}

/** Lists the files behind a stored name, in order. @throws Problem 503 */
export async function storedFiles(files: FileStore, storedName: string): Promise<StoredFile[]> {
  if ((await files.size(namesOf(storedName))) === null) return [{ name: storedName, fileName: null }];
  const parts: Buffer[] = [];
  for await (const part of contentOf(files, namesOf(storedName))) parts.push(part);
  const names = JSON.parse(Buffer.concat(parts).toString("utf8")) as string[];
  return names.map((fileName, place) => ({ name: `${storedName}/${place}`, fileName }));
}

/** Removes a file; null and a missing file are accepted. @throws Problem 503 */
export async function removeUpload(files: FileStore, storedName: string | null): Promise<void> {
  if (storedName !== null) await files.remove(storedName);
}

/**
 * Removes files older than an hour to which no import and no upload refers: the upload crashed, or the twin was deleted.
 * @returns how many files were removed
 */
export async function sweepUploads(db: Database, files: FileStore, now = Date.now()): Promise<number> {
  const old = (await files.unchangedSince(now - HOUR)).filter((name) => STORED_NAME.test(name));
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
  for (const name of left) await removeUpload(files, name);
  return left.length;
}
