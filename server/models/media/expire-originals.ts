/**
 * Removes expired originals of contacts' messages, by each organisation's setting; their recognised text stays in the conversation.
 * Originals of documents stay as long as their document.
 */
import { and, eq, isNotNull, isNull, lt, ne } from "drizzle-orm";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { mediaReaders } from "#server/platform/db/schema/models.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { RemainsDeps } from "./remains.ts";

const DAY_MS = 24 * 3600_000;

export async function expireOriginals(deps: RemainsDeps, now = Date.now()): Promise<number> {
  const rules = await asPlatform(deps.db, (tx) =>
    tx
      .select({
        orgId: mediaReaders.orgId,
        userId: mediaReaders.setBy,
        kind: mediaReaders.kind,
        days: mediaReaders.keptDays,
      })
      .from(mediaReaders)
      .where(isNotNull(mediaReaders.keptDays)),
  );
  let removed = 0;
  for (const { orgId, userId, kind, days } of rules) {
    const old = and(
      ...[eq(mediaFiles.orgId, orgId), eq(mediaFiles.kind, kind), ne(mediaFiles.state, "waiting")],
      ...[isNotNull(mediaFiles.storedName), lt(mediaFiles.createdAt, new Date(now - days! * DAY_MS))],
      isNull(mediaFiles.documentId),
    );
    const names = await asTenant(deps.db, { organizationId: orgId, userId }, async (tx) => {
      const rows = await tx.select({ name: mediaFiles.storedName }).from(mediaFiles).where(old).for("update");
      await tx.update(mediaFiles).set({ storedName: null, storedAt: null, bytes: 0 }).where(old);
      return rows.map(({ name }) => name!);
    });
    // A file whose removal fails has no row any more, and the sweep removes it.
    await removeFiles(deps, names);
    removed += names.length;
  }
  return removed;
}
