/** The parts that a GGUF file's head is made of, as ggml's docs/gguf.md has them: version 3, little-endian. */

/** The kinds of a value, by the name of what is written. */
export const GGUF_TYPE = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, array: 9 } as const;
/** Where nothing else is said, every tensor begins at a multiple of so many bytes. */
export const ALIGNMENT = 32;

function written(length: number, write: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.alloc(length);
  write(bytes);
  return bytes;
}

export const u32 = (value: number): Buffer => written(4, (bytes) => bytes.writeUInt32LE(value));
export const u64 = (value: number): Buffer => written(8, (bytes) => bytes.writeBigUInt64LE(BigInt(value)));
export const f32 = (value: number): Buffer => written(4, (bytes) => bytes.writeFloatLE(value));

/** Its length, then itself. */
export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

/** The next place where a tensor may begin. */
export const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** Mark, version and counts, then the entries and the tensors' descriptions, filled up to where the first tensor begins. */
export function ggufHead(tensors: readonly Buffer[], entries: readonly Buffer[], count = entries.length): Buffer {
  const head = Buffer.concat([Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(count), ...entries, ...tensors]);
  return Buffer.concat([head, Buffer.alloc(aligned(head.length) - head.length)]);
}
