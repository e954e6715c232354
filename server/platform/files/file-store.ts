/**
 * Where uploaded and generated files lie: in the data folder (folder-store.ts) or in S3-compatible storage (object-storage/). Files have
 * random names; a name may have one `/`, for files that belong together. No function may be called inside a transaction.
 */
import { Readable } from "node:stream";

/** The bytes of a file at any place. */
export interface OpenedFile {
  /** Bytes. */
  readonly size: number;
  /** What is there from `at` on: `length` bytes, or fewer where the file ends. Nobody may change them. */
  read(at: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Bytes that arrive from a client for a file that grows. */
export interface Arriving {
  /** Announced size of the whole file. */
  bytes: number;
  /** Offset of the source in the file. */
  offset: number;
  source: Readable;
}

export interface FileStore {
  /** Creates an empty file, which then grows by `append`. */
  create(name: string): Promise<void>;
  /** Bytes that have arrived; null without such a file. */
  size(name: string): Promise<number | null>;
  /**
   * Appends the source's bytes; those that arrived before an interruption are kept, and a newer call for the same file ends an older
   * one, on whichever machine.
   * @throws Problem 404 without a file; 409 when `offset` is not where it ends; 400 for more than was announced and for a broken
   * connection; 503 when the storage does not answer; 507
   */
  append(name: string, arriving: Arriving): Promise<void>;
  /** Ends a running `append` of this process. */
  stopAppending(name: string): void;
  /**
   * Writes a new file whole. Where it throws, the caller removes what was written.
   * @throws Problem 503, 507; what the source throws; the signal's reason
   */
  write(name: string, source: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void>;
  /** @throws an error with the code ENOENT without such a file; Problem 503 */
  open(name: string): Promise<OpenedFile>;
  /**
   * A path on this machine with the file's bytes, for programs that read nothing else. The file may not change any more.
   * @throws as `open`; Problem 507 without room for a copy
   */
  localPath(name: string): Promise<string>;
  /** @throws an error with the code ENOENT without such a file */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file and what lies under its name; a missing file is accepted. @throws Problem 503 */
  remove(name: string): Promise<void>;
  /** Names, without what stands after a `/`, of files that nobody has changed since. */
  unchangedSince(time: number): Promise<string[]>;
  /** @throws Problem 507 when storing `bytes` more would leave too little room */
  leaveFree(bytes: number): Promise<void>;
  /** Removes what processes that were killed have left behind, and local copies of files that are gone. */
  sweep(now: number): Promise<void>;
  /** Whether the storage answers. @throws Problem 503 */
  check(): Promise<void>;
}

/** Bytes that are read at once while a file is streamed. */
const BLOCK_BYTES = 1024 ** 2;

/** The bytes of a file that is opened once somebody reads them. @throws as `FileStore.open` */
export async function* contentOf(files: FileStore, name: string): AsyncGenerator<Buffer, void, void> {
  yield* bytesOf(await files.open(name));
}

/** A stream of the file's bytes, which closes the file. */
export const streamOf = (file: OpenedFile): Readable => bytesBetween(file, 0, file.size - 1);

/** A stream of the bytes from `from` to `to`, both of them with it, which closes the file. */
export function bytesBetween(file: OpenedFile, from: number, to: number): Readable {
  const stream = Readable.from(bytesOf(file, from, to + 1), { objectMode: false });
  // Also where nobody has begun to read.
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
