/** Reads a stored file piece by piece: the memory is bounded, and nothing is written to this machine's disk. */
import type { OpenedFile } from "#server/platform/files/file-store.ts";

export interface FilePiece {
  key: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** Number of cached pieces: an archive is read at two places in turn, its directory and the present file. */
const PIECES_KEPT = 2;

export class PiecedFile implements OpenedFile {
  readonly size: number;
  readonly #fetch: (piece: FilePiece) => Promise<Buffer>;
  readonly #pieces: { piece: FilePiece; begin: number }[] = [];
  readonly #kept = new Map<string, Promise<Buffer>>();

  constructor(pieces: readonly FilePiece[], fetch: (piece: FilePiece) => Promise<Buffer>) {
    let begin = 0;
    for (const piece of pieces) {
      this.#pieces.push({ piece, begin });
      begin += piece.bytes;
    }
    this.size = begin;
    this.#fetch = fetch;
  }

  async read(at: number, length: number): Promise<Buffer> {
    const end = Math.min(at + length, this.size);
    const parts: Buffer[] = [];
    for (const { piece, begin } of this.#pieces) {
      if (begin + piece.bytes <= at) continue;
      if (begin >= end) break;
      const bytes = await this.#bytesOf(piece);
      parts.push(bytes.subarray(Math.max(at, begin) - begin, end - begin));
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  async close(): Promise<void> {
    this.#kept.clear();
  }

  #bytesOf(piece: FilePiece): Promise<Buffer> {
    const known = this.#kept.get(piece.key) ?? this.#fetch(piece);
    this.#kept.delete(piece.key);
    this.#kept.set(piece.key, known);
    if (this.#kept.size > PIECES_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    // A failure is not cached: the next read tries again.
    known.catch(() => this.#kept.delete(piece.key));
    return known;
  }
}
