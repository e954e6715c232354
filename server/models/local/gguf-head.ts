/** Reads the metadata of a GGUF file (ggml's docs/gguf.md, versions 2 and 3). */

interface GgufHead {
  version: number;
  /** Strings and numbers by key, as far as the bytes that were read reach; arrays are skipped. */
  metadata: Map<string, string | number>;
  /** Number of elements of each array, by key. */
  lengths: Map<string, number>;
}

const MIN_BYTES = 24;

/** Parses the head from the first bytes of a file; null: not GGUF. The time is linear in the bytes, whatever lengths the file declares. */
export function readHead(bytes: Buffer): GgufHead | null {
  if (bytes.length < MIN_BYTES || bytes.toString("latin1", 0, 4) !== "GGUF") return null;
  const version = bytes.readUInt32LE(4);
  const head: GgufHead = { version, metadata: new Map(), lengths: new Map() };
  if (head.version !== 2 && head.version !== 3) return head;
  const cursor = new Cursor(bytes, MIN_BYTES);
  try {
    for (let left = Number(bytes.readBigUInt64LE(16)); left > 0; left--) readEntry(cursor, head);
  } catch (error) {
    // The rest lies beyond the bytes that were read, or is corrupt: the caller sees that it is missing.
    if (!(error instanceof RangeError)) throw error;
  }
  return head;
}

const STRING = 8;
const ARRAY = 9;
/** Sizes in bytes of the fixed-length value types, by type number. */
const WIDTHS: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

function readEntry(cursor: Cursor, { metadata, lengths }: GgufHead): void {
  const key = cursor.text();
  const type = cursor.u32();
  if (type === ARRAY) {
    const inner = cursor.u32();
    const length = cursor.u64();
    lengths.set(key, length);
    cursor.pass(inner, length);
  } else if (type === STRING) metadata.set(key, cursor.text());
  else {
    const value = cursor.number(type);
    cursor.pass(type, 1);
    if (value !== null) metadata.set(key, value);
  }
}

/** A reader that throws a RangeError beyond the end of the bytes. */
class Cursor {
  at: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  u32(): number {
    const value = this.#bytes.readUInt32LE(this.at);
    this.at += 4;
    return value;
  }

  u64(): number {
    const value = Number(this.#bytes.readBigUInt64LE(this.at));
    this.at += 8;
    return value;
  }

  text(): string {
    const from = this.at + 8;
    this.#passText();
    return this.#bytes.toString("utf8", from, this.at);
  }

  /** Returns the number at the present position without advancing; null: the value is no number of a type used here. */
  number(type: number): number | null {
    if (type === 4) return this.#bytes.readUInt32LE(this.at);
    if (type === 5) return this.#bytes.readInt32LE(this.at);
    if (type === 6) return this.#bytes.readFloatLE(this.at);
    if (type === 10) return Number(this.#bytes.readBigUInt64LE(this.at));
    return null;
  }

  pass(type: number, times: number): void {
    const width = WIDTHS[type];
    if (type === STRING) for (let one = 0; one < times; one++) this.#passText();
    else if (width === undefined) throw new RangeError("an unknown type");
    else this.at += width * times;
  }

  #passText(): void {
    const size = this.u64();
    if (size > this.#bytes.length - this.at) throw new RangeError("beyond the bytes");
    this.at += size;
  }
}
