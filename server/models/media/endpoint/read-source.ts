import type { FileStore } from "#server/platform/files/file-store.ts";
import { LARGEST_BYTES } from "../limits.ts";
import type { MediaSource } from "../recognizer.ts";

/** Reads the bytes of the original. @throws RangeError above the size limit; as `FileStore.open` */
export async function readSource(files: Pick<FileStore, "open">, source: MediaSource): Promise<Buffer> {
  if (source.kind === "bytes") return source.bytes;
  const file = await files.open(source.name);
  try {
    if (file.size > LARGEST_BYTES) throw new RangeError("an original is longer than any that is kept");
    const parts: Buffer[] = [];
    for (let at = 0; at < file.size; ) {
      const part = await file.read(at, file.size - at);
      if (part.length === 0) break;
      parts.push(part);
      at += part.length;
    }
    return Buffer.concat(parts);
  } finally {
    await file.close();
  }
}
