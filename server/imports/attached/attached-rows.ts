/** Rows of an import's recordings and pictures: created with their messages, with the progress of recognition. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { ImportState } from "#contract/knowledge/imports.ts";
import type { MediaKind } from "#contract/media-kinds.ts";
import { CONFIDENCE_THRESHOLD } from "#server/models/media/confidence-threshold.ts";
import { MOST_PER_MESSAGE } from "#server/models/media/limits.ts";
import { bigints, texts } from "#server/platform/db/binary-arrays.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { messages } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import type { AttachedFile } from "../formats/message.ts";

/** Maximum number of recordings and pictures of one import; the first ones are taken. */
const MOST_ATTACHED = 10_000;

/** The location of an attached file: index of the import's file, and the name in it. */
export interface AttachedPlace {
  file: number;
  name: string;
}

const NAMES: Record<MediaKind, string> = { speech: "Голосовое сообщение", picture: "Фото" };

export interface WithAttached {
  chatId: number;
  externalId: string;
  attached: readonly AttachedFile[];
}

/** Runs in the transaction that stores the messages. A message of an earlier import that has its files keeps them. */
export async function recordAttachedFiles(
  tx: Tx,
  { organizationId: orgId }: Tenant,
  { importId, kinds }: { importId: string; kinds: ReadonlySet<MediaKind> },
  batch: readonly WithAttached[],
): Promise<void> {
  const wanted = batch.flatMap(({ chatId, externalId, attached }) =>
    attached
      .filter(({ kind }) => kinds.has(kind))
      .slice(0, MOST_PER_MESSAGE)
      .map((file, place) => ({ key: keyOf(chatId, externalId), chatId, externalId, place, ...file })),
  );
  if (wanted.length === 0) return;
  const [named] = await tx
    .select({ files: sql<number>`count(*)::int` })
    .from(mediaFiles)
    .where(eq(mediaFiles.importId, importId));
  const taken = wanted.slice(0, Math.max(0, MOST_ATTACHED - named!.files));
  if (taken.length === 0) return;
  const found = await tx
    .select({ id: messages.id, chatId: messages.chatId, externalId: messages.externalId })
    .from(messages)
    .where(
      sql`(${messages.chatId}, ${messages.externalId}) in (select * from unnest(
        ${bigints(taken.map(({ chatId }) => chatId))}, ${texts(taken.map(({ externalId }) => externalId))}))`,
    );
  const idOf = new Map(found.map(({ id, chatId, externalId }) => [keyOf(chatId, externalId), id]));
  const rows = taken.flatMap(({ key, kind, place, name, file = 0 }) => {
    const importedMessageId = idOf.get(key);
    if (importedMessageId === undefined) return [];
    const source = { file, name } satisfies AttachedPlace;
    return [{ orgId, importedMessageId, importId, place, kind, name: NAMES[kind], source }];
  });
  if (rows.length > 0) await tx.insert(mediaFiles).values(rows).onConflictDoNothing();
}

const keyOf = (chatId: number, externalId: string): string => `${chatId} ${externalId}`;

const ofImport = (importId: string) => eq(mediaFiles.importId, importId);
/** SQL condition: the row exists, but its bytes have not been stored yet. */
export const untakenFilesSql = (importId: string) =>
  and(ofImport(importId), eq(mediaFiles.state, "waiting"), isNull(mediaFiles.storedAt));

/** Deletes rows without bytes when an import ends, or starts with another choice: their bytes can no longer come. */
export async function deleteUntakenFiles(tx: Tx, importId: string): Promise<void> {
  await tx.delete(mediaFiles).where(untakenFilesSql(importId));
}

type Attached = NonNullable<ImportState["attached"]>;

export async function countAttached(tx: Tx, importIds: readonly string[]): Promise<Map<string, Attached>> {
  if (importIds.length === 0) return new Map();
  const rows = await tx
    .select({
      importId: mediaFiles.importId,
      total: sql<number>`count(*)::int`,
      read: sql<number>`count(*) filter (where ${mediaFiles.state} <> 'waiting')::int`,
      unsure: sql<number>`count(*) filter (where ${mediaFiles.state} = 'done' and ${mediaFiles.confidence} < ${CONFIDENCE_THRESHOLD})::int`,
      failed: sql<number>`count(*) filter (where ${mediaFiles.state} = 'failed')::int`,
    })
    .from(mediaFiles)
    .where(inArray(mediaFiles.importId, [...importIds]))
    .groupBy(mediaFiles.importId);
  return new Map(rows.map(({ importId, ...counts }) => [importId!, counts]));
}
