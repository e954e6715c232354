/**
 * Stores uploaded and generated files: in the data folder (folder-store.ts) or in S3-compatible storage (object-storage/). Files have
 * random names; a name may contain one `/`, for files that belong together. Do not call any function inside a transaction.
 */
import { Readable } from "node:stream";

/** Random access to the bytes of a file. */
export interface OpenedFile {
  /** Bytes. */
  readonly size: number;
  /** Returns `length` bytes from `at` on, fewer at the end of the file. The caller must not change them. */
  read(at: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface UploadPart {
  /** Announced size of the whole file. */
  bytes: number;
  /** Offset of the source in the file. */
  offset: number;
  source: Readable;
}

export interface FileStore {
  create(name: string): Promise<void>;
  /** Returns the number of stored bytes; null when there is no such file. */
  size(name: string): Promise<number | null>;
  /**
   * Appends the source's bytes. Bytes received before an interruption are kept. A newer call for the same file ends an older one, on any
   * machine.
   * @throws Problem 404 without a file; 409 when `offset` is not the file's length; 400 for more bytes than announced and for a broken
   *   connection; 503 when the storage does not answer; 507
   */
  append(name: string, arriving: UploadPart): Promise<void>;
  stopAppending(name: string): void;
  /**
   * Writes a complete new file. After an error, the caller removes what was written.
   * @throws Problem 503, 507; the source's errors; the signal's reason
   */
  write(name: string, source: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void>;
  /** @throws an error with the code ENOENT when there is no such file; Problem 503 */
  open(name: string): Promise<OpenedFile>;
  /**
   * Returns a path on this machine with the file's bytes, for programs that read only local files. The file must not change any more.
   * @throws as `open`; Problem 507 without space for a copy
   */
  localPath(name: string): Promise<string>;
  /** @throws an error with the code ENOENT when there is no such file */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file and everything below its name; a missing file is accepted. @throws Problem 503 */
  remove(name: string): Promise<void>;
  /** Returns the names, without the part after a `/`, of files that have not changed since the time. */
  unchangedSince(time: number): Promise<string[]>;
  /** @throws Problem 507 when storing `bytes` more would leave too little space */
  leaveFree(bytes: number): Promise<void>;
  /** Removes what killed processes have left, and local copies of deleted files. */
  sweep(now: number): Promise<void>;
  /** Checks that the storage answers. @throws Problem 503 */
  check(): Promise<void>;
}

/** Bytes read at once while a file is streamed. */
const BLOCK_BYTES = 1024 ** 2;

/** Yields a file's bytes; opens the file at the first read. @throws as `FileStore.open` */
export async function* contentOf(files: FileStore, name: string): AsyncGenerator<Buffer, void, void> {
  yield* bytesOf(await files.open(name));
}

/** Returns a stream of the file's bytes, which closes the file at its end. */
export const streamOf = (file: OpenedFile): Readable => bytesBetween(file, 0, file.size - 1);

/** Returns a stream of the bytes from `from` to `to`, both inclusive, which closes the file at its end. */
export function bytesBetween(file: OpenedFile, from: number, to: number): Readable {
  const stream = Readable.from(bytesOf(file, from, to + 1), { objectMode: false });
  // Closes the file even when the stream was never read.
  stream.once("close", () => void file.close());
  return stream;
}

async function* bytesOf(file: OpenedFile, from = 0, end = file.size): AsyncGenerator<Buffer, void, void> {
  try {
    for (let at = from; at < end; ) {
      const part = await file.read(at, Math.min(BLOCK_BYTES, end - at));
      if (part.length === 0) throw new Error("a stored file has become shorter");
      yield part;
      at += part.length;
    }
  } finally {
    await file.close();
  }
}
