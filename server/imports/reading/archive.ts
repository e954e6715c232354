// An archive that exports come in: looked over before anything is unpacked, then read a file at a time as it streams out of
// the zip. Nothing is written to the disk, and no file is held whole. Limits and why: docs/decisions/019-imports.md.
import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, validateFileName, type ZipFile } from "yauzl";
import { MEDIA_KINDS, type MediaKind } from "#contract/media-kinds.ts";
import { LARGEST_BYTES } from "#server/models/media/limits.ts";
import { Problem, tooLarge, unprocessable } from "#server/platform/errors.ts";
import type { AttachedFile, BundledFile } from "../formats/message.ts";
import { ArchiveReader, type ExportFile } from "./export-file.ts";

export const EXPORT_ARCHIVE_LIMITS = { entries: 100_000, ratio: 100, bytes: 4 * 1024 ** 3 };

export interface ExportArchive {
  files: BundledFile[];
  /** Recordings and pictures of a size that is read, by their full names. Not looked into before a message names one. */
  attached: ReadonlyMap<string, BundledAttached>;
  /** A file was not what its headers say; what could be read of it was. */
  damaged(): boolean;
  close(): void;
}

export interface BundledAttached extends AttachedFile {
  /** Its bytes; null where they are damaged, or not what the archive says of them. */
  read(): Promise<Buffer | null>;
}

const ENDINGS: Record<MediaKind, RegExp> = {
  speech: /\.(?:ogg|oga|opus|mp3|m4a|aac|amr|wav)$/i,
  picture: /\.(?:jpe?g|png|webp)$/i,
};

/** Photos, voices and the like, which no format reads: what they unpack to does not matter until a message names one. */
const MEDIA =
  /\.(?:jpe?g|png|gif|webp|heic|mp4|mov|avi|mkv|webm|3gp|mp3|ogg|opus|oga|m4a|aac|wav|pdf|docx?|xlsx?|pptx?|tgs|vcf|zip|rar|7z|apk|css|js|svg|ico)$/i;

/** @throws Problem 413 or 422 for an archive that is not safe to read, or not readable */
export async function openArchive(file: ExportFile): Promise<ExportArchive> {
  let zip: ZipFile;
  try {
    // Names are decoded here: archivers of phones and of Windows do not say in what letters they are.
    const options = { autoClose: false, lazyEntries: true, decodeStrings: false };
    zip = await fromRandomAccessReaderPromise(new ArchiveReader(file), file.size, options);
  } catch (error) {
    throw unreadable(error);
  }
  try {
    const { entries, media } = await readEntries(zip);
    let damaged = false;
    const onDamage = () => {
      damaged = true;
    };
    const files = entries.map(({ entry, name }) => ({
      name,
      size: entry.uncompressedSize,
      open: () => contentOf(zip, entry, onDamage),
    }));
    const attached = new Map(
      media.map(({ entry, name, kind }) => {
        const bytes = entry.uncompressedSize;
        return [name, { kind, name, bytes, read: () => bytesOf(zip, entry) }];
      }),
    );
    return { files, attached, damaged: () => damaged, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

interface NamedEntry {
  entry: Entry;
  name: string;
}

async function readEntries(
  zip: ZipFile,
): Promise<{ entries: NamedEntry[]; media: (NamedEntry & { kind: MediaKind })[] }> {
  const { entries: most, ratio, bytes } = EXPORT_ARCHIVE_LIMITS;
  if (zip.entryCount > most) throw tooLarge("archive_too_large", "В архиве больше 100 000 файлов");
  const entries: NamedEntry[] = [];
  const media: (NamedEntry & { kind: MediaKind })[] = [];
  let [total, count] = [0, 0];
  try {
    for await (const entry of zip.eachEntry()) {
      if (++count > most) throw tooLarge("archive_too_large", "В архиве больше 100 000 файлов");
      const name = nameOf(entry);
      if (validateFileName(name) !== null || name.includes("\0")) {
        throw unprocessable("archive_unsafe", "Архив содержит недопустимые имена файлов", { detail: name });
      }
      if (name.endsWith("/") || /(?:^|\/)(?:__MACOSX\/|\.)/.test(name)) continue;
      if (MEDIA.test(name)) {
        const kind = MEDIA_KINDS.find((each) => ENDINGS[each].test(name));
        if (kind !== undefined && isWithinBounds(entry)) media.push({ entry, name, kind });
        continue;
      }
      if (entry.isEncrypted()) {
        throw unprocessable("archive_encrypted", "Архив защищён паролем: снимите защиту и загрузите его снова");
      }
      const { compressedSize, uncompressedSize } = entry;
      total += uncompressedSize;
      if (uncompressedSize > 1024 * 1024 && uncompressedSize > compressedSize * ratio) throw tooTight();
      if (total > bytes) throw tooLarge("archive_too_large", "В архиве больше 4 ГБ переписки: выгрузите её по частям");
      entries.push({ entry, name });
    }
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(error);
  }
  // Files that share their packed bytes are each within the ratio and together beyond it.
  if (total > Math.max(zip.fileSize, 10 * 1024) * ratio) throw tooTight();
  return { entries, media };
}

/** Recordings and pictures are packed already: one that unpacks to much more is none. */
const PACKED_AT_MOST = 10;

const isWithinBounds = (entry: Entry): boolean =>
  !entry.isEncrypted() &&
  entry.uncompressedSize > 0 &&
  entry.uncompressedSize <= LARGEST_BYTES &&
  entry.uncompressedSize <= 64 * 1024 + entry.compressedSize * PACKED_AT_MOST;

async function bytesOf(zip: ZipFile, entry: Entry): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let [length, damaged] = [0, false];
  try {
    // No more than the size in its header comes: the unpacker compares.
    for await (const part of contentOf(zip, entry, () => {
      damaged = true;
    })) {
      parts.push(part);
      length += part.length;
      if (length > LARGEST_BYTES) return null;
    }
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
  return damaged || length === 0 ? null : Buffer.concat(parts);
}

/** UTF-8 when it says so or is so; else the letters of a Russian Windows. */
function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const utf8 = (entry.generalPurposeBitFlag & 0x800) !== 0 || isUtf8(raw);
  return new TextDecoder(utf8 ? "utf-8" : "ibm866").decode(raw).normalize("NFC").replaceAll("\\", "/");
}

/**
 * A content that breaks off or is not what was packed ends there. One that goes on beyond the size in its header lies.
 * @throws Problem 422 for a lie
 */
async function* contentOf(zip: ZipFile, entry: Entry, onDamage: () => void): AsyncGenerator<Buffer, void, void> {
  let sum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sum !== entry.crc32) onDamage();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("too many bytes")) {
      throw unprocessable("archive_unsafe", "Заголовки архива не совпадают с его содержимым", { cause: error });
    }
    onDamage();
  }
}

const unreadable = (cause: unknown) =>
  unprocessable("archive_damaged", "Архив повреждён или загружен не целиком: выгрузите переписку снова", { cause });
const tooTight = () => tooLarge("archive_too_large", "Архив сжат подозрительно сильно: он похож на «zip-бомбу»");
