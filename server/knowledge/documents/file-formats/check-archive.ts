import { createInflateRaw } from "node:zlib";
import { tooLarge, unprocessable, unsupported } from "#server/platform/errors.ts";

const ARCHIVE_LIMITS = { ratio: 100, bytes: 200 * 1024 * 1024, entries: 1000 };

interface ArchiveEntry {
  name: string;
  compressed: number;
  size: number;
}

interface Located extends ArchiveEntry {
  method: number;
  /** Offset of the local file header in the archive. */
  offset: number;
}

const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;

/**
 * Rejects an unsafe zip before it is unpacked: too many entries, too large, compressed too much, names outside the folder, contradictory
 * headers or false sizes (each entry is inflated once without keeping the data). Throws `tooLarge` or `unprocessable`; returns the
 * entries. Layout: PKWARE APPNOTE 4.3. Zip64 and encryption are rejected, because documents do not need them.
 */
export async function checkArchive(zip: Buffer): Promise<ArchiveEntry[]> {
  const entries = readDirectory(zip);
  let total = 0;
  for (const { name, compressed, size } of entries) {
    total += size;
    if (isUnsafeName(name))
      throw unprocessable("archive_unsafe", "Архив содержит недопустимые имена файлов", { detail: name });
    if (total > ARCHIVE_LIMITS.bytes) throw tooLarge("archive_too_large", "Содержимое архива больше 200 МБ");
    // Small parts of documents may consist of repetition only; a zip bomb is large.
    if (size > 1024 * 1024 && size > compressed * ARCHIVE_LIMITS.ratio) throw tooTight();
  }
  if (total > Math.max(zip.length, 10 * 1024) * ARCHIVE_LIMITS.ratio) throw tooTight();
  for (const entry of entries) await checkContent(zip, entry);
  return entries.map(({ name, compressed, size }) => ({ name, compressed, size }));
}

const damaged = (detail: string) => unprocessable("document_damaged", "Файл повреждён: архив не читается", { detail });
const tooTight = () => tooLarge("archive_too_large", "Архив сжат подозрительно сильно: он похож на «zip-бомбу»");

function readDirectory(zip: Buffer): Located[] {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0 || end + 22 > zip.length || zip.readUInt32LE(end) !== END_SIGNATURE)
    throw damaged("no end of central directory");
  const count = zip.readUInt16LE(end + 10);
  const size = zip.readUInt32LE(end + 12);
  const start = zip.readUInt32LE(end + 16);
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff)
    throw unsupported("archive_unsupported", "Архивы Zip64 не поддерживаются");
  if (count > ARCHIVE_LIMITS.entries) throw tooLarge("archive_too_large", "В архиве больше 1 000 файлов");
  if (zip.readUInt16LE(end + 8) !== count || start + size !== end)
    throw damaged("the central directory is not where it should be");
  const entries: Located[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || zip.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw damaged("broken central directory");
    const nameLength = zip.readUInt16LE(at + 28);
    const next = at + 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    if (next > end) throw damaged("broken central directory entry");
    if (zip.readUInt16LE(at + 8) & 1)
      throw unprocessable("document_encrypted", "Файл защищён паролем: снимите защиту и загрузите его снова");
    entries.push({
      name: zip.toString("utf8", at + 46, at + 46 + nameLength),
      method: zip.readUInt16LE(at + 10),
      compressed: zip.readUInt32LE(at + 20),
      size: zip.readUInt32LE(at + 24),
      offset: zip.readUInt32LE(at + 42),
    });
    at = next;
  }
  if (at !== end) throw damaged("the central directory holds more than it says");
  return entries;
}

function isUnsafeName(name: string): boolean {
  return (
    name === "" ||
    name.startsWith("/") ||
    /^[a-z]:/i.test(name) ||
    /[\\\0]/.test(name) ||
    name.split("/").includes("..")
  );
}

async function checkContent(zip: Buffer, { name, method, compressed, size, offset }: Located): Promise<void> {
  if (offset + 30 > zip.length || zip.readUInt32LE(offset) !== LOCAL_SIGNATURE)
    throw damaged(`no local header: ${name}`);
  const begin = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  if (begin + compressed > zip.length) throw damaged(`cut short: ${name}`);
  if (zip.toString("utf8", offset + 30, offset + 30 + zip.readUInt16LE(offset + 26)) !== name)
    throw damaged(`two names: ${name}`);
  if (method === 0) {
    if (compressed !== size) throw damaged(`stored with two sizes: ${name}`);
    return;
  }
  if (method !== 8) throw unsupported("archive_unsupported", "Архив сжат неподдерживаемым способом");
  const inflated = await inflatedSize(zip.subarray(begin, begin + compressed), size);
  if (inflated !== size) throw damaged(`says ${size} bytes, holds ${inflated}: ${name}`);
}

/** Counts the inflated bytes without keeping them; stops soon after `limit`. −1 when the stream is corrupt. */
function inflatedSize(deflated: Buffer, limit: number): Promise<number> {
  return new Promise((resolve) => {
    let length = 0;
    const inflate = createInflateRaw();
    const finish = (result: number) => {
      inflate.destroy();
      resolve(result);
    };
    inflate.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) finish(length);
    });
    inflate.on("end", () => finish(length));
    inflate.on("error", () => finish(-1));
    inflate.end(deflated);
  });
}
