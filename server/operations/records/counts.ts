import { and, count, eq, isNotNull, type SQL, sum } from "drizzle-orm";
import type { DeletedCounts } from "#contract/organizations/records.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { exportUploads, imports } from "#server/platform/db/schema/imports.ts";
import { documents, sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

/** Counts the data of all twins of the organisation, or of one owner in it. Called in the organisation's transaction. */
export async function countsOf(tx: Tx, orgId: string, ownerId?: string): Promise<DeletedCounts> {
  const own = and(eq(twins.orgId, orgId), ownerId === undefined ? undefined : eq(twins.ownerId, ownerId));
  const ofTwins = async (table: typeof documents | typeof conversations | typeof exportUploads, which?: SQL) => {
    const [row] = await tx
      .select({ value: count() })
      .from(table)
      .innerJoin(twins, eq(twins.id, table.twinId))
      .where(and(own, which));
    return row!.value;
  };
  const [twin] = await tx.select({ value: count() }).from(twins).where(own);
  const [told] = await tx
    .select({ value: sum(sources.messageCount).mapWith(Number) })
    .from(sources)
    .innerJoin(twins, eq(twins.id, sources.twinId))
    .where(own);
  const [imported] = await tx
    .select({ value: count() })
    .from(imports)
    .innerJoin(twins, eq(twins.id, imports.twinId))
    .where(and(own, isNotNull(imports.storedName)));
  return {
    twins: twin!.value,
    documents: await ofTwins(documents),
    messages: told?.value ?? 0,
    conversations: await ofTwins(conversations),
    files: imported!.value + (await ofTwins(exportUploads)),
  };
}

export const NO_DELETIONS: DeletedCounts = { twins: 0, documents: 0, messages: 0, conversations: 0, files: 0 };

export function addCounts(one: DeletedCounts, other: DeletedCounts): DeletedCounts {
  return {
    twins: one.twins + other.twins,
    documents: one.documents + other.documents,
    messages: one.messages + other.messages,
    conversations: one.conversations + other.conversations,
    files: one.files + other.files,
  };
}
