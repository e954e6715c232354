/**
 * The stored files of a snapshot. A file is written before its row and deleted after it. So hard links made before and after the snapshot
 * begins keep every file that a row names, without copying a byte.
 */
import { link, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { storedPath } from "#server/platform/files/stored-files.ts";
import { isPlainName } from "./archive.ts";

export async function linkUploads(dataDir: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await linkFolder(storedPath(dataDir, ""), folder);
}

/** Returns sorted paths of the files, relative to `folder`. */
export async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

export const dropLinks = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

async function linkFolder(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // No file was ever uploaded, or the folder was removed meanwhile.
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const { name, isDirectory, isFile } of entries.map(facts)) {
    // The server uses only plain names, so other files are not its own.
    if (!isPlainName(name)) continue;
    if (isDirectory) {
      await mkdir(join(to, name), { recursive: true, mode: 0o700 });
      await linkFolder(join(from, name), join(to, name));
    } else if (isFile) {
      await link(join(from, name), join(to, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST" && error.code !== "ENOENT") throw error;
      });
    }
  }
}

const facts = (entry: { name: string; isDirectory(): boolean; isFile(): boolean }) => ({
  name: entry.name,
  isDirectory: entry.isDirectory(),
  isFile: entry.isFile(),
});
