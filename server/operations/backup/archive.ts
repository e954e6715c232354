/**
 * The archive inside a backup: a plain tar (POSIX ustar) of small entries, which `age -d` and `tar` can open without this program. Data of
 * unknown length (a table, a growing file) is split into numbered pieces of one entry each. The reader accepts only what the writer writes:
 * regular files with plain relative names.
 */
import { BackupError } from "./backup-error.ts";

export interface Entry {
  /** Segments of letters, digits, `.`, `_` and `-`, joined by `/`; none begins with a dot. */
  name: string;
  bytes: Buffer;
}

/** A piece is written once it has this many bytes; a single row may be longer. */
export const PIECE_BYTES = 1024 ** 2;
/** Maximum bytes of an entry. PostgreSQL's maximum of a gigabyte cannot occur, because upload limits bound a row. */
const LONGEST = 512 * 1024 ** 2;
const BLOCK = 512;
const NAME_BYTES = 100;
const MAGIC = "ustar\x0000";
const SUM_AT = 148;

export const isPlainName = (name: string): boolean =>
  name.split("/").every((segment) => /^[A-Za-z0-9_-][\w.-]*$/.test(segment));

export const pieceName = (of: string, number: number): string => `${of}/${String(number).padStart(8, "0")}`;

export async function* packEntries(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { name, bytes } of entries) {
    yield headerOf(name, bytes.length);
    yield bytes;
    yield Buffer.alloc(paddingOf(bytes.length));
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** @throws BackupError for anything that `packEntries` does not write */
export async function* unpackEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const reader = new ByteReader(source);
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header.every((byte) => byte === 0)) {
      await reader.take(BLOCK);
      if (!(await reader.isOver())) throw damagedBackup();
      return;
    }
    const name = textOf(header, 0, NAME_BYTES);
    const size = Number.parseInt(textOf(header, 124, 12), 8);
    if (!isPlainName(name) || !Number.isSafeInteger(size) || size < 0 || size > LONGEST) throw damagedBackup();
    if (!headerOf(name, size).equals(header)) throw damagedBackup();
    const bytes = await reader.take(size);
    await reader.take(paddingOf(size));
    yield { name, bytes };
  }
}

export const damagedBackup = (cause?: unknown): BackupError =>
  new BackupError("Файл повреждён или обрезан: восстановить из него нельзя. Возьмите другую копию.", { cause });

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function headerOf(name: string, size: number): Buffer {
  if (!isPlainName(name) || name.length > NAME_BYTES) throw new Error(`${name} cannot be named in the archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  header.write(name, 0, "latin1");
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write(" ".repeat(8), SUM_AT, "latin1");
  header.write("0", 156, "latin1");
  header.write(MAGIC, 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, SUM_AT, "latin1");
  return header;
}

const textOf = (header: Buffer, at: number, length: number): string => {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString("latin1", 0, end === -1 ? length : end);
};

/** Reads exact lengths from a stream of chunks. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** @throws BackupError when the stream ends earlier */
  async take(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#held.length === 0 && !(await this.#more())) throw damagedBackup();
      const part = this.#held.subarray(0, missing);
      this.#held = this.#held.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts, length);
  }

  async isOver(): Promise<boolean> {
    return this.#held.length === 0 && !(await this.#more());
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#source.next();
      if (done === true) return false;
      this.#held = value;
      if (value.length > 0) return true;
    }
  }
}
