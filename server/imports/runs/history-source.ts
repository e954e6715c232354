import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { PLATFORM_NAMES, SOURCE_NAMES } from "#contract/integrations/platform-names.ts";
import { incrementKnowledgeVersion } from "#server/accounts/twins/training.ts";
import type { ImportPreview } from "#server/imports/export-reader/preview.ts";
import { platformOf } from "#server/imports/export-reader/read-export.ts";
import { ensureChat, ensureSource } from "#server/knowledge/messages/messages.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { chats, indexSegments, messages, sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { ImportRun } from "./job-deps.ts";

export interface OpenedHistory {
  sourceId: string;
  platform: string;
  /** Maps ids of the chosen chats in the export to ids in the database. */
  chats: ReadonlyMap<string, number>;
}

const NAMES: Record<string, string> = { ...PLATFORM_NAMES, ...SOURCE_NAMES, email: "Почта" };

/**
 * Finds or creates the source and the chats that an import writes to. There is one source per twin, platform and owner (identified by a
 * number, an address or only a name), so a newer export continues the older one.
 * @returns null when the twin or the import was deleted
 */
export function openHistory(
  { job, row, transact }: ImportRun,
  ownerId: string,
  chatIds: string[],
): Promise<OpenedHistory | null> {
  const platform = platformOf(row.format!);
  const preview = row.preview as ImportPreview;
  const asked = new Set(chatIds);
  const chosen = preview.chats.filter((chat) => asked.has(chat.id));
  const owner = preview.people.find((person) => person.id === ownerId)!;
  const externalId = ownerId;
  const name = `${NAMES[platform] ?? platform}: ${owner.name}`;
  return transact(async (tx) => {
    const [twin] = await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, row.twinId)).for("no key update");
    if (twin === undefined) return null;
    const sourceId = await ensureSource(tx, job, twin.id, { kind: "export", platform, externalId, name });
    const known = await tx
      .update(imports)
      .set({ sourceId })
      .where(eq(imports.id, row.id))
      .returning({ id: imports.id });
    if (known.length === 0) return null;
    const externalIds = chosen.map((chat) => chat.id);
    await dropOthersView(tx, twin.id, { platform, sourceId, externalIds });
    const found = new Map<string, number>();
    for (const { id, kind, name } of chosen) {
      found.set(id, await ensureChat(tx, job, { twinId: twin.id, sourceId, platform }, { externalId: id, kind, name }));
    }
    return { sourceId, platform, chats: found };
  });
}

/**
 * Removes chats that were imported before with another person as the owner. The new choice is a correction, and all their messages are
 * attributed to the wrong side.
 */
async function dropOthersView(
  tx: Tx,
  twinId: string,
  { platform, sourceId, externalIds }: { platform: string; sourceId: string; externalIds: string[] },
): Promise<void> {
  const wrong = await tx
    .select({ id: chats.id, sourceId: chats.sourceId })
    .from(chats)
    .innerJoin(sources, eq(sources.id, chats.sourceId))
    .where(
      and(
        eq(chats.twinId, twinId),
        eq(chats.platform, platform),
        inArray(chats.externalId, externalIds),
        eq(sources.kind, "export"),
        ne(sources.id, sourceId),
      ),
    );
  if (wrong.length === 0) return;
  const wrongChats = wrong.map((chat) => chat.id);
  const wrongSources = [...new Set(wrong.map((chat) => chat.sourceId))];
  await tx.delete(chats).where(inArray(chats.id, wrongChats));
  for (const id of wrongSources) {
    const [left] = await tx
      .select({ chats: sql<number>`count(distinct ${chats.id})`, messages: sql<number>`count(${messages.id})` })
      .from(chats)
      .leftJoin(messages, eq(messages.chatId, chats.id))
      .where(eq(chats.sourceId, id));
    if (left!.chats === 0) await tx.delete(sources).where(eq(sources.id, id));
    else await tx.update(sources).set({ messageCount: left!.messages }).where(eq(sources.id, id));
  }
  // Index segments contain ids of deleted rows, so they are rebuilt.
  await tx
    .delete(indexSegments)
    .where(and(eq(indexSegments.twinId, twinId), inArray(indexSegments.kind, ["message", "example"])));
  await incrementKnowledgeVersion(tx, twinId);
}
