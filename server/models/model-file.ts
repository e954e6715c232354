/** What the beginning of a GGUF file tells, read before anything loads it (ggml's docs/gguf.md, versions 2 and 3). */
import { type FileHandle, open } from "node:fs/promises";

export interface ModelFacts {
  /** Bytes of the file. */
  bytes: number;
  /** «llama», «qwen2», «bert» … */
  architecture: string;
  /** Tokens that it was trained to see at once; null where the file does not say. */
  contextTokens: number | null;
  /** What one token of a text takes in memory while it is seen, bytes; 0 where the file does not say. */
  tokenBytes: number;
}

/** The file cannot be a model; the message is Russian, for the person who set the path. */
export class NotAModel extends Error {
  override name = "NotAModel";
}

/** Of the file; the facts stand before the vocabulary, which may take megabytes. */
const READ_BYTES = 8 * 1024 ** 2;
const LEAST_BYTES = 24;

/** @throws NotAModel */
export async function readModelFile(path: string): Promise<ModelFacts> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new NotAModel(error.code === "ENOENT" ? `файла ${path} нет` : `файл ${path} не открывается (${error.code})`);
  });
  try {
    return await readFacts(file, path);
  } finally {
    await file.close();
  }
}

async function readFacts(file: FileHandle, path: string): Promise<ModelFacts> {
  const stat = await file.stat();
  if (!stat.isFile()) throw new NotAModel(`${path} — не файл`);
  const buffer = Buffer.alloc(Math.min(READ_BYTES, stat.size));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  const begun = buffer.subarray(0, bytesRead);
  if (begun.length < LEAST_BYTES || begun.toString("latin1", 0, 4) !== "GGUF")
    throw new NotAModel(`${path} — не модель в формате GGUF`);
  const version = begun.readUInt32LE(4);
  if (version !== 2 && version !== 3) throw new NotAModel(`${path} — GGUF версии ${version}: читаются версии 2 и 3`);
  const metadata = readMetadata(begun);
  const architecture = metadata.get("general.architecture");
  if (typeof architecture !== "string") throw new NotAModel(`${path} — повреждённая модель: не назван её вид`);
  const number = (key: string) => {
    const value = metadata.get(`${architecture}.${key}`);
    return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : null;
  };
  const heads = number("attention.head_count");
  const width = number("embedding_length");
  const headWidth = number("attention.key_length") ?? (heads && width ? width / heads : 0);
  const keptHeads = number("attention.head_count_kv") ?? heads ?? 0;
  return {
    bytes: stat.size,
    architecture,
    contextTokens: number("context_length"),
    // A key and a value of two bytes a dimension in each layer.
    tokenBytes: (number("block_count") ?? 0) * keptHeads * headWidth * 2 * 2,
  };
}

const STRING = 8;
const ARRAY = 9;
/** Bytes of the types of a value that have a length of their own; by the type's number. */
const WIDTHS: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

/** Strings and numbers by their keys, as far as the bytes reach: arrays are passed over. */
function readMetadata(bytes: Buffer): Map<string, string | number> {
  const found = new Map<string, string | number>();
  const entries = Number(bytes.readBigUInt64LE(16));
  let at = LEAST_BYTES;
  const length = () => {
    const value = Number(bytes.readBigUInt64LE(at));
    at += 8;
    return value;
  };
  const text = () => {
    const size = length();
    if (size > bytes.length - at) throw new RangeError("beyond the bytes");
    at += size;
    return bytes.toString("utf8", at - size, at);
  };
  const pass = (type: number, times: number) => {
    const width = WIDTHS[type];
    if (type === STRING) for (let one = 0; one < times; one++) text();
    else if (width === undefined) throw new RangeError("an unknown type");
    else at += width * times;
  };
  try {
    for (let entry = 0; entry < entries; entry++) {
      const key = text();
      const type = bytes.readUInt32LE(at);
      at += 4;
      if (type === ARRAY) {
        const inner = bytes.readUInt32LE(at);
        at += 4;
        pass(inner, length());
      } else if (type === STRING) found.set(key, text());
      else {
        const value = numberAt(bytes, at, type);
        pass(type, 1);
        if (value !== null) found.set(key, value);
      }
    }
  } catch (error) {
    // The rest lies beyond what was read, or is broken: whoever loads the file will tell.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

function numberAt(bytes: Buffer, at: number, type: number): number | null {
  if (type === 4) return bytes.readUInt32LE(at);
  if (type === 5) return bytes.readInt32LE(at);
  if (type === 6) return bytes.readFloatLE(at);
  if (type === 10) return Number(bytes.readBigUInt64LE(at));
  return null;
}
