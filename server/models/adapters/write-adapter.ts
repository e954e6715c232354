/**
 * Rewrites an adapter from checked values only. The model process parses files in C++ and serves all organisations, so it must not read an
 * uploaded header.
 */
import { createReadStream } from "node:fs";
import type { CheckedAdapter } from "./check-adapter.ts";
import { ALIGNMENT, alignUp, f32, GGUF_TYPE, ggufHead, text, u32, u64 } from "./gguf-bytes.ts";

const { u32: UINT32, f32: FLOAT32, text: STRING } = GGUF_TYPE;

/** @param write receives the new file's bytes @returns its length in bytes */
export async function writeAdapter(
  from: string,
  adapter: CheckedAdapter,
  write: (pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<number> {
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of piecesOf(from, adapter)) {
      bytes += piece.length;
      yield piece;
    }
  };
  await write(counted());
  return bytes;
}

async function* piecesOf(from: string, adapter: CheckedAdapter): AsyncGenerator<Buffer> {
  yield headOf(adapter);
  for (const { at, bytes } of adapter.tensors) {
    let read = 0;
    for await (const piece of createReadStream(from, { start: at, end: at + bytes - 1 })) {
      read += (piece as Buffer).length;
      yield piece as Buffer;
    }
    if (read !== bytes) throw new Error("the adapter has become shorter");
    yield Buffer.alloc(alignUp(bytes) - bytes);
  }
}

function headOf({ architecture, alpha, tensors }: CheckedAdapter): Buffer {
  const entries = [
    [text("general.architecture"), u32(STRING), text(architecture)],
    [text("general.type"), u32(STRING), text("adapter")],
    [text("general.alignment"), u32(UINT32), u32(ALIGNMENT)],
    [text("adapter.type"), u32(STRING), text("lora")],
    [text("adapter.lora.alpha"), u32(FLOAT32), f32(alpha)],
  ].map((parts) => Buffer.concat(parts));
  let offset = 0;
  const infos = tensors.map(({ name, shape, type, bytes }) => {
    const info = [text(name), u32(shape.length), ...shape.map(u64), u32(type), u64(offset)];
    offset += alignUp(bytes);
    return Buffer.concat(info);
  });
  return ggufHead(infos, entries);
}
