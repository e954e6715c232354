/** Random access to the bytes of an export: on disk, or from the server when a reading process asks. */
import { Readable } from "node:stream";
import { RandomAccessReader } from "yauzl";
import type { OpenedFile } from "#server/platform/files/file-store.ts";

export type ExportFile = Pick<OpenedFile, "size" | "read">;

export const BLOCK_BYTES = 256 * 1024;
/** Archives are read at a few positions in turn: their directory, and the current file. */
const BLOCKS_KEPT = 4;

/** Returns the same file, read in blocks with a cache of the latest ones. */
export function inKeptBlocks(file: ExportFile): ExportFile {
  const kept = new Map<number, Promise<Buffer>>();
  const block = (number: number) => {
    const known = kept.get(number) ?? file.read(number * BLOCK_BYTES, BLOCK_BYTES);
    kept.delete(number);
    kept.set(number, known);
    if (kept.size > BLOCKS_KEPT) kept.delete(kept.keys().next().value!);
    return known;
  };
  return {
    size: file.size,
    async read(at, length) {
      const end = Math.min(at + length, file.size);
      const parts: Buffer[] = [];
      for (let from = at; from < end; ) {
        const number = Math.floor(from / BLOCK_BYTES);
        const begin = number * BLOCK_BYTES;
        const part = (await block(number)).subarray(from - begin, end - begin);
        if (part.length === 0) break;
        parts.push(part);
        from += part.length;
      }
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    },
  };
}

export async function* bytesOf(file: ExportFile, start = 0, end = file.size): AsyncGenerator<Buffer, void, void> {
  for (let at = start; at < end; ) {
    const part = await file.read(at, Math.min(BLOCK_BYTES - (at % BLOCK_BYTES), end - at));
    if (part.length === 0) return;
    yield part;
    at += part.length;
  }
}

export class ArchiveReader extends RandomAccessReader {
  readonly #file: ExportFile;

  constructor(file: ExportFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(bytesOf(this.#file, start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#file.read(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error: Error) => callback(error),
    );
  }
}
