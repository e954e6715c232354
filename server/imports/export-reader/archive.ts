// Opens an archive: checks it before anything is unpacked, then streams one file at a time. Nothing is written to disk, and no file is in
// memory whole. Limits and reasons: docs/decisions/019-imports.md.
import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, validateFileName, type ZipFile } from "yauzl";
import { MEDIA_KINDS, type MediaKind } from "#contract/media-kinds.ts";
import type { AttachedFile, BundledFile } from "#server/imports/formats/message.ts";
import { LARGEST_BYTES } from "#server/models/media/limits.ts";
import { Problem, tooLarge, unprocessable } from "#server/platform/errors.ts";
import { ArchiveReader, type ExportFile } from "./export-file.ts";

export const EXPORT_ARCHIVE_LIMITS = { entries: 100_000, ratio: 100, bytes: 4 * 1024 ** 3 };

export interface ExportArchive {
  files: BundledFile[];
  /** Recordings and pictures of a readable size, by their full names. They are not opened before a message names one. */
  attached: ReadonlyMap<string, BundledAttached>;
  /** Returns whether a file differed from its headers; its readable part was still read. */
  damaged(): boolean;
  close(): void;
}

export interface BundledAttached extends AttachedFile {
  /** Returns the bytes; null when they are damaged or differ from the archive's headers. */
  read(): Promise<Buffer | null>;
}

const ENDINGS: Record<MediaKind, RegExp> = {
  speech: /\.(?:ogg|oga|opus|mp3|m4a|aac|amr|wav)$/i,
  picture: /\.(?:jpe?g|png|webp)$/i,
};

/** Media files, which no format reads: their unpacked size does not matter until a message names one. */
const MEDIA =
  /\.(?:jpe?g|png|gif|webp|heic|mp4|mov|avi|mkv|webm|3gp|mp3|ogg|opus|oga|m4a|aac|wav|pdf|docx?|xlsx?|pptx?|tgs|vcf|zip|rar|7z|apk|css|js|svg|ico)$/i;

/** @throws Problem 413 or 422 for an archive that is not safe to read, or not readable */
export async function openArchive(file: ExportFile): Promise<ExportArchive> {
  let zip: ZipFile;
  try {
    // Names are decoded here, because archivers on phones and Windows do not declare their encoding.
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
  // Files that share their compressed bytes are each within the ratio and together beyond it.
  if (total > Math.max(zip.fileSize, 10 * 1024) * ratio) throw tooTight();
  return { entries, media };
}

/** Maximum compression ratio of recordings and pictures: they are compressed already, so a higher one is suspicious. */
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
    // The unpacker compares the size with the header's, so no more bytes come.
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

/** Decodes UTF-8 if the entry declares it or is valid UTF-8; otherwise the encoding of a Russian Windows. */
function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const utf8 = (entry.generalPurposeBitFlag & 0x800) !== 0 || isUtf8(raw);
  return new TextDecoder(utf8 ? "utf-8" : "ibm866").decode(raw).normalize("NFC").replaceAll("\\", "/");
}

/**
 * Yields the content. Damaged content ends at the damage; content longer than its header declares is refused.
 * @throws Problem 422 for longer content
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
