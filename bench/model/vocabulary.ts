// A model file's vocabulary as its bytes have it: every entry of its head that begins with «tokenizer.» (ggml's docs/gguf.md).
import { open } from "node:fs/promises";

interface Vocabulary {
  /** Key, type and value of each, as they stand in the file. */
  entries: Buffer;
  count: number;
  /** Tokens. */
  size: number;
  /** So many tokens at its end are marks of a talk, or nothing. */
  marks: number;
}

const READ_BYTES = 64 * 1024 ** 2;
const HEAD_BYTES = 24;
const [STRING, ARRAY, NORMAL] = [8, 9, 1];
const WIDTHS: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

export async function readVocabulary(path: string): Promise<Vocabulary> {
  const file = await open(path);
  const bytes = Buffer.alloc(Math.min(READ_BYTES, (await file.stat()).size));
  await file.read(bytes, 0, bytes.length, 0);
  await file.close();
  let at = HEAD_BYTES;
  const length = () => {
    at += 8;
    return Number(bytes.readBigUInt64LE(at - 8));
  };
  const pass = (type: number): void => {
    if (type === STRING) {
      const size = length();
      at += size;
    } else if (type === ARRAY) {
      const inner = bytes.readUInt32LE(at);
      at += 4;
      const items = length();
      if (inner === STRING) for (let item = 0; item < items; item++) pass(inner);
      else at += items * WIDTHS[inner]!;
    } else at += WIDTHS[type]!;
  };
  const kept: Buffer[] = [];
  let [size, marks] = [0, 0];
  for (let entry = Number(bytes.readBigUInt64LE(16)); entry > 0; entry--) {
    const from = at;
    const name = length();
    at += name;
    const key = bytes.toString("utf8", at - name, at);
    const type = bytes.readUInt32LE(at);
    at += 4;
    const value = at;
    pass(type);
    if (!key.startsWith("tokenizer.")) continue;
    kept.push(bytes.subarray(from, at));
    if (key !== "tokenizer.ggml.token_type") continue;
    size = Number(bytes.readBigUInt64LE(value + 4));
    const kindOf = (token: number) => bytes.readInt32LE(value + 12 + 4 * token);
    while (marks < size && kindOf(size - 1 - marks) !== NORMAL) marks++;
  }
  if (size === 0) throw new Error(`${path} tells no vocabulary`);
  return { entries: Buffer.concat(kept), count: kept.length, size, marks };
}
