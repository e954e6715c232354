/** A zip that is written while it is being filled: one file after the other, of sources of any length, in bounded memory. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

/** Asked for before so many bytes are written. */
const STEP = 16 * 1024 ** 2;

export class ZipWriter {
  readonly #zip = new ZipFile();
  readonly #written: Promise<void>;
  #bytes = 0;

  /**
   * @param path a file that does not exist yet
   * @param reserve asked for room before the file grows to so many bytes; what it throws ends the writing
   */
  constructor(path: string, reserve: (bytes: number) => Promise<void>, signal: AbortSignal) {
    const zip = this.#zip;
    const out = zip.outputStream as Readable;
    zip.on("error", (error) => out.destroy(error));
    const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
    const counted = async function* (this: ZipWriter, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      let reserved = 0;
      for await (const piece of pieces) {
        this.#bytes += piece.length;
        if (this.#bytes > reserved) {
          reserved = this.#bytes + STEP;
          await reserve(reserved);
        }
        yield piece;
      }
    }.bind(this);
    this.#written = pipeline(out, counted, file, { signal });
    this.#written.catch(() => {});
  }

  /** Resolves when all of it was taken. @throws what the source, the disk or `reserve` throws */
  async add(name: string, source: AsyncIterable<string | Buffer>, { packed = false } = {}): Promise<void> {
    const stream = Readable.from(source, { objectMode: false, highWaterMark: 256 * 1024 });
    this.#zip.addReadStream(stream, name, { compress: !packed, mtime: new Date() });
    try {
      // Where nothing is written any more nothing is read either: that would never end.
      await Promise.race([finished(stream), this.#written.then(() => Promise.reject(new Error("The zip has ended")))]);
    } finally {
      stream.destroy();
    }
  }

  /** @returns how many bytes it has */
  async end(): Promise<number> {
    this.#zip.end();
    await this.#written;
    return this.#bytes;
  }

  /** Resolves when nothing is written any more. */
  async abort(): Promise<void> {
    (this.#zip.outputStream as Readable).destroy(new Error("The zip is given up"));
    await this.#written.catch(() => {});
  }
}
