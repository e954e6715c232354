/** Serves originals of recordings, pictures and documents. Only a session of a member of the organisation may read them. */
import { and, asc, eq, inArray, isNotNull, or } from "drizzle-orm";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { MessageMedia } from "#contract/media.ts";
import { shownMedia } from "#server/models/media/shown-media.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { messages } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound, Problem } from "#server/platform/errors.ts";
import { bytesBetween, type FileStore } from "#server/platform/files/file-store.ts";
import { readableBy } from "./access.ts";

export async function mediaOfMessages(tx: Tx, messageIds: readonly number[]): Promise<Map<number, MessageMedia[]>> {
  if (messageIds.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(mediaFiles)
    .where(inArray(mediaFiles.messageId, [...messageIds]))
    .orderBy(asc(mediaFiles.messageId), asc(mediaFiles.place));
  return new Map([...Map.groupBy(rows, (row) => row.messageId!)].map(([id, media]) => [id, media.map(shownMedia)]));
}

/** The file types that a browser receives, by the type detected in the bytes. Other types are never stored. */
const EXTENSIONS: Record<string, string> = {
  ...{ "audio/ogg": "ogg", "audio/wav": "wav", "audio/mpeg": "mp3", "audio/aac": "aac", "audio/amr": "amr" },
  ...{ "audio/mp4": "m4a", "audio/webm": "webm", "audio/flac": "flac", "image/png": "png", "image/jpeg": "jpg" },
  ...{ "image/webp": "webp", "image/gif": "gif" },
};

/**
 * Sends the original, or the part that `Range` requests. The response needs a session, and a browser cannot execute it.
 * @throws Problem 404 for another organisation's, a removed or a missing original; 416
 */
export async function sendOriginal(
  { db, files }: { db: Database; files: FileStore },
  caller: Tenant,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const isReadable = or(
    isNotNull(mediaFiles.documentId),
    and(isNotNull(conversations.id), readableBy(caller)),
    // Recordings and pictures of an imported history are for the twin's owner alone.
    eq(twins.ownerId, caller.userId),
  );
  const [row] = await asTenant(db, caller, (tx) =>
    tx
      .select({ name: mediaFiles.storedName, storedAt: mediaFiles.storedAt, mime: mediaFiles.mime })
      .from(mediaFiles)
      .leftJoin(conversationMessages, eq(conversationMessages.id, mediaFiles.messageId))
      .leftJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
      .leftJoin(messages, eq(messages.id, mediaFiles.importedMessageId))
      .leftJoin(twins, eq(twins.id, messages.twinId))
      .where(and(eq(mediaFiles.id, id), eq(mediaFiles.orgId, caller.organizationId), isReadable)),
  );
  const extension = EXTENSIONS[row?.mime ?? ""];
  if (row === undefined || row.name === null || row.storedAt === null || extension === undefined) throw mediaNotFound();
  const file = await files.open(row.name).catch((error: unknown) => {
    throw error instanceof Problem ? error : mediaNotFound();
  });
  const part = rangeOf(request.headers.range, file.size);
  if (part === "beyond") {
    await file.close();
    void reply.header("content-range", `bytes */${file.size}`);
    throw new Problem(416, "media_range", "Такой части у файла нет");
  }
  const { from, to } = part ?? { from: 0, to: file.size - 1 };
  if (part !== null) void reply.code(206).header("content-range", `bytes ${from}-${to}/${file.size}`);
  void reply
    .type(row.mime!)
    .header("content-length", to - from + 1)
    .header("accept-ranges", "bytes")
    .header("content-disposition", `inline; filename="${id}.${extension}"`)
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox");
  return bytesBetween(file, from, to);
}

const mediaNotFound = () => notFound("Запись или картинка не найдена", "media_not_found");

/** Returns the requested range; null: the whole file, also for several ranges; «beyond»: the range begins after the end. */
function rangeOf(header: string | undefined, size: number): { from: number; to: number } | "beyond" | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (found === null) return null;
  const [, first = "", last = ""] = found;
  if (first === "" && last === "") return null;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size - 1 : Math.min(size - 1, Number(last));
  return from >= size || (first === "" && last === "0") ? "beyond" : to < from ? null : { from, to };
}
