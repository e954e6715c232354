/** Adds an uploaded recording or picture as a document: the file is kept unchanged, and a job reads its text. */
import { createHash } from "node:crypto";
import { extname } from "node:path";
import { innerQuotes } from "#contract/inner-quotes.ts";
import type { KnowledgeDocument, OriginalFields } from "#contract/knowledge/knowledge.ts";
import type { MediaKind } from "#contract/models/media-readers.ts";
import { claimStorage } from "#server/accounts/organizations/storage.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { LARGEST_BYTES } from "#server/models/media/limits.ts";
import { readKinds } from "#server/models/media/reader-rows.ts";
import { mediaKindOf } from "#server/models/media/recognizer.ts";
import { newOriginalName } from "#server/models/media/remains.ts";
import { secondsOf, typeByBytes } from "#server/models/media/type-by-bytes.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { conflict, type Problem, tooLarge, unsupported } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { DOCUMENT_EXTENSIONS } from "../document-kinds.ts";
import { type DocumentDeps, documentColumns, documentExists, toDocument } from "../documents.ts";

/** Types that are read; other types known to `typeByBytes` rarely contain text. */
const READ_TYPES: ReadonlySet<string> = new Set([
  ...["image/png", "image/jpeg", "image/webp"],
  ...["audio/ogg", "audio/wav", "audio/mpeg", "audio/mp4", "audio/aac", "audio/flac"],
]);
const HEAD_BYTES = 64;
/** Photo formats (HEIC, AVIF) that use the same container as recordings. */
const PICTURE_BRANDS = /^(?:hei[cfmsx]|he[cv]x|hevc|mif1|msf1|avif)$/;

/** A stored file without a row so far. */
export interface KeptOriginal {
  storedName: string;
  kind: MediaKind;
  mime: string;
  bytes: number;
  seconds: number | null;
  hash: string;
}

/**
 * Whether a file is a recording or a picture, by its bytes. One with a text extension is left to the document readers, which reject it.
 * @throws Problem 415 for a picture type that cannot be opened
 */
export function isOriginal(name: string, pieces: readonly Uint8Array[]): boolean {
  if (extname(name).toLowerCase() in DOCUMENT_EXTENSIONS) return false;
  const head = headOf(pieces);
  const mime = typeByBytes(head);
  if (mime === "audio/mp4" && PICTURE_BRANDS.test(head.toString("latin1", 8, 12)))
    throw unsupported("document_type_unsupported", "Картинки HEIC и AVIF не читаются: сохраните файл как JPEG или PNG");
  return mime !== null && READ_TYPES.has(mime);
}

function headOf(pieces: readonly Uint8Array[]): Buffer {
  const parts: Uint8Array[] = [];
  for (let [at, length] = [0, 0]; at < pieces.length && length < HEAD_BYTES; length += pieces[at++]!.length)
    parts.push(pieces[at]!);
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

/**
 * Stores a recording or a picture; the caller must call `addOriginal` with its name or remove it.
 * @throws Problem 409 when no reader handles such files, 413, 507
 */
export async function keepOriginal(
  { db, files, config }: DocumentDeps,
  caller: Caller,
  pieces: readonly Uint8Array[],
): Promise<KeptOriginal> {
  const whole = Buffer.concat(pieces);
  if (whole.length > LARGEST_BYTES) throw tooLarge("document_too_large", "Запись или картинка больше 20 МБ");
  const mime = typeByBytes(whole)!;
  const kind = mediaKindOf(mime)!;
  await asTenant(db, caller, async (tx) => {
    if (!(await readKinds(tx, caller.organizationId)).has(kind)) throw readingDisabled(kind);
    await claimStorage(tx, { files, config }, caller, whole.length);
  });
  const storedName = newOriginalName();
  const hash = createHash("sha256").update(whole).digest("hex");
  try {
    await files.write(storedName, once(whole));
  } catch (error) {
    await files.remove(storedName);
    throw error;
  }
  return { storedName, kind, mime, bytes: whole.length, seconds: secondsOf(whole, mime), hash };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

export const readingDisabled = (kind: MediaKind): Problem =>
  conflict(
    "media_reading_off",
    kind === "speech"
      ? "Чтение записей голоса выключено: администратор включает его на странице «Модель» в разделе «Голос и картинки»"
      : "Чтение картинок выключено: администратор включает его на странице «Модель» в разделе «Голос и картинки»",
  );

/** Stores the document without text, and the job that reads it. @throws Problem like `addDocument` */
export function addOriginal(
  { db, jobs, ...storage }: DocumentDeps,
  caller: Caller,
  { digitalTwinId, name, type, tags = [] }: OriginalFields,
  { hash, mime, ...original }: KeptOriginal,
): Promise<KnowledgeDocument> {
  const { organizationId, userId } = caller;
  return asTenant(db, caller, async (tx) => {
    const twin = await getChangeableTwin(tx, caller, digitalTwinId);
    await claimStorage(tx, storage, caller, original.bytes);
    const [row] = await tx
      .insert(documents)
      .values({
        ...{ orgId: organizationId, twinId: twin.id, name, type, mime, contentHash: hash },
        ...{ status: "processing", content: "", tags: [...new Set(tags.filter((tag) => tag !== ""))] },
      })
      .onConflictDoNothing({ target: [documents.twinId, documents.contentHash] })
      .returning({ ...documentColumns, content: documents.content });
    if (row === undefined) throw documentExists();
    const [media] = await tx
      .insert(mediaFiles)
      .values({
        ...{ orgId: organizationId, documentId: row.id, place: 0, name, source: {} },
        ...{ ...original, mime, storedAt: new Date() },
      })
      .returning({ id: mediaFiles.id });
    await recordActivity(tx, caller, twin, "document_added", `Добавлен документ «${innerQuotes(name)}»`);
    await jobs.enqueue(tx, "read-original", { organizationId, userId, mediaId: media!.id });
    return toDocument(row);
  });
}
