/** Reads facts from the head of a GGUF file before anything loads the model (ggml's docs/gguf.md, versions 2 and 3). */
import { type FileHandle, open } from "node:fs/promises";
import { readHead } from "./gguf-head.ts";

export interface ModelFacts {
  bytes: number;
  architecture: string;
  /** The authors' name of the model; null when the file has none. */
  name: string | null;
  /** Pooling of token vectors into one (llama.cpp's `llama_pooling_type`); null when the file does not state it. */
  pooling: number | null;
  /** Context length of the model's training, in tokens; null when the file does not state it. */
  contextTokens: number | null;
  /** Memory of the context per token, in bytes; 0 when the file does not state it. */
  tokenBytes: number;
}

/** The file is not a model; the message is Russian, for the person who set the path. */
export class NotAModel extends Error {
  override name = "NotAModel";
}

/** Bytes read from the beginning of the file; the facts precede the vocabulary, which may take megabytes. */
const READ_BYTES = 8 * 1024 ** 2;

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
  const head = readHead(buffer.subarray(0, bytesRead));
  if (head === null) throw new NotAModel(`${path} — не модель в формате GGUF`);
  const { version, metadata, lengths } = head;
  if (version !== 2 && version !== 3) throw new NotAModel(`${path} — GGUF версии ${version}: читаются версии 2 и 3`);
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
  const pooling = number("pooling_type");
  // For a model with pooling, llama.cpp keeps a four-byte likelihood per vocabulary entry for each token of a text.
  const unread = pooling === null ? 0 : (lengths.get("tokenizer.ggml.tokens") ?? 0) * 4;
  return {
    bytes: stat.size,
    architecture,
    name: typeof metadata.get("general.name") === "string" ? String(metadata.get("general.name")) : null,
    pooling,
    contextTokens: number("context_length"),
    // The KV cache holds a key and a value of two bytes per dimension in each layer.
    tokenBytes: (number("block_count") ?? 0) * keptHeads * headWidth * 2 * 2 + unread,
  };
}
