/** Removes files of originals whose rows were deleted, and files that a killed process has left without a row. */
import { randomBytes } from "node:crypto";
import { inArray } from "drizzle-orm";
import { asPlatform, type Database } from "#server/platform/db/database.ts";
import { mediaFiles, mediaRemains } from "#server/platform/db/schema/media.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Log } from "#server/platform/log.ts";

const AT_ONCE = 200;
/** A younger file is kept: a document's file gets its row only after the whole form has arrived. */
const YOUNG_MS = 3600_000;

/** The prefix distinguishes originals from the files of other sweeps. */
export const newOriginalName = (): string => `original-${randomBytes(16).toString("hex")}`;
const ORIGINAL_NAME = /^original-[0-9a-f]{32}$/;

export interface RemainsDeps {
  db: Database;
  files: FileStore;
  log: Log;
}

/** Removes the files that a deletion has left. A file that cannot be removed now is tried again. @returns the number of removed files */
export async function removeMediaRemains({ db, files, log }: RemainsDeps): Promise<number> {
  let removed = 0;
  for (;;) {
    const names = (await db.select().from(mediaRemains).limit(AT_ONCE)).map(({ storedName }) => storedName);
    if (names.length === 0) return removed;
    const gone: string[] = [];
    for (const name of names) {
      await files.remove(name).then(
        () => gone.push(name),
        (error: unknown) => log.error({ err: error, name }, "an original could not be deleted"),
      );
    }
    if (gone.length > 0) await db.delete(mediaRemains).where(inArray(mediaRemains.storedName, gone));
    removed += gone.length;
    if (gone.length < names.length) return removed;
  }
}

export async function sweepOriginals(deps: RemainsDeps, now = Date.now()): Promise<number> {
  const removed = await removeMediaRemains(deps);
  const names = (await deps.files.unchangedSince(now - YOUNG_MS)).filter((name) => ORIGINAL_NAME.test(name));
  let nameless = 0;
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const rows = await asPlatform(deps.db, (tx) =>
      tx.select({ storedName: mediaFiles.storedName }).from(mediaFiles).where(inArray(mediaFiles.storedName, some)),
    );
    const known = new Set(rows.map(({ storedName }) => storedName));
    for (const name of some.filter((one) => !known.has(one))) {
      await deps.files.remove(name);
      nameless++;
    }
  }
  return removed + nameless;
}
