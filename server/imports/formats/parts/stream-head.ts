import { encodingOf } from "#server/knowledge/documents/decode-text.ts";
import { HEAD_BYTES } from "../message.ts";

/** Returns the first 64 KiB (or the whole, if shorter), and the whole stream again. */
export async function peekHead(
  source: AsyncIterable<Uint8Array>,
): Promise<{ head: Buffer; all: AsyncGenerator<Uint8Array, void, void> }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const iterator = source[Symbol.asyncIterator]();
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    pieces.push(next.value);
    length += next.value.length;
  }
  async function* all() {
    try {
      yield* pieces;
      pieces.length = 0;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(pieces).subarray(0, HEAD_BYTES), all: all() };
}

/** Decodes a file by the encoding of its head; a byte order mark is left out. */
export async function* decodeStream(source: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const { head, all } = await peekHead(source);
  const decoder = new TextDecoder(encodingOf(head) ?? "utf-8");
  for await (const block of all) yield decoder.decode(block, { stream: true });
  yield decoder.decode();
}
