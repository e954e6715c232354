/** Yields the same bytes in blocks of at least `size` (except the last). The blocks may share memory with the source's. */
export async function* readBlocks(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer, void, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
    if (part.length === 0) continue;
    parts.push(part);
    length += part.length;
    if (length < size) continue;
    yield joined(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield joined(parts);
}

function joined(parts: Uint8Array[]): Buffer {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only ? Buffer.from(only.buffer, only.byteOffset, only.byteLength) : Buffer.concat(parts);
}
