/** Writes a zip as a stream: one file after another, from sources of any length, in bounded memory. */
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";

/** Bytes of disk space reserved at a time. */
const STEP = 16 * 1024 ** 2;

export class ZipWriter {
  readonly #zip = new ZipFile();
  readonly #written: Promise<void>;
  #bytes = 0;

  /**
   * @param write takes the zip's bytes and resolves when they are stored
   * @param reserve reserves disk space before the file grows to this many bytes; its errors end the writing
   */
  constructor(write: (pieces: AsyncIterable<Buffer>) => Promise<void>, reserve: (bytes: number) => Promise<void>) {
    const zip = this.#zip;
    const out = zip.outputStream as Readable;
    zip.on("error", (error) => out.destroy(error));
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
    this.#written = write(counted(out));
    this.#written.catch(() => {});
  }

  /** Resolves when the whole source was written. @throws errors of the source, the disk or `reserve` */
  async add(name: string, source: AsyncIterable<string | Buffer>, { packed = false } = {}): Promise<void> {
    const stream = Readable.from(source, { objectMode: false, highWaterMark: 256 * 1024 });
    this.#zip.addReadStream(stream, name, { compress: !packed, mtime: new Date() });
    try {
      // After a write error nothing reads the source any more, so waiting for the source alone would never end.
      await Promise.race([finished(stream), this.#written.then(() => Promise.reject(new Error("The zip has ended")))]);
    } finally {
      stream.destroy();
    }
  }

  /** @returns the size of the zip in bytes */
  async end(): Promise<number> {
    this.#zip.end();
    await this.#written;
    return this.#bytes;
  }

  async abort(): Promise<void> {
    (this.#zip.outputStream as Readable).destroy(new Error("The zip is given up"));
    await this.#written.catch(() => {});
  }
}
