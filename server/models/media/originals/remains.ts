/** Removes the files of originals whose rows are gone, and those that no row has named: of a process that was killed in between. */
import { randomBytes } from "node:crypto";
import { inArray } from "drizzle-orm";
import { asPlatform, type Database } from "#server/platform/db/database.ts";
import { mediaFiles, mediaRemains } from "#server/platform/db/schema/media.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { Log } from "#server/platform/log.ts";

const AT_ONCE = 200;
/** Of a message, a row names its file before that is written; of a document, once the form with it has come whole. */
const YOUNG_MS = 3600_000;

/** The names of originals, so that no other sweep takes them for its own. */
export const newOriginalName = (): string => `original-${randomBytes(16).toString("hex")}`;
const ORIGINAL_NAME = /^original-[0-9a-f]{32}$/;

export interface RemainsDeps {
  db: Database;
  files: FileStore;
  log: Log;
}

/** What a deletion has left. A file that cannot be removed now is tried again. @returns the number of removed files */
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

/** @returns the number of removed files */
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
