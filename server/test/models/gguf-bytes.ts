/** Writes the parts of a GGUF file's head (ggml's docs/gguf.md): version 3, little-endian. */

/** GGUF's numbers of the value types that are written here. */
export const GGUF_TYPE = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, array: 9 } as const;
/** Default alignment: every tensor begins at a multiple of this many bytes. */
export const ALIGNMENT = 32;

function written(length: number, write: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.alloc(length);
  write(bytes);
  return bytes;
}

export const u32 = (value: number): Buffer => written(4, (bytes) => bytes.writeUInt32LE(value));
export const u64 = (value: number): Buffer => written(8, (bytes) => bytes.writeBigUInt64LE(BigInt(value)));
export const f32 = (value: number): Buffer => written(4, (bytes) => bytes.writeFloatLE(value));

/** A GGUF string: its length, then its bytes. */
export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

/** Rounds up to the next offset at which a tensor may begin. */
export const alignUp = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** Builds the head: magic number, version and counts, metadata, tensor descriptions, and padding up to the first tensor. */
export function ggufHead(tensors: readonly Buffer[], entries: readonly Buffer[], count = entries.length): Buffer {
  const head = Buffer.concat([Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(count), ...entries, ...tensors]);
  return Buffer.concat([head, Buffer.alloc(alignUp(head.length) - head.length)]);
}
