/**
 * A model file of random weights with the shape of a real one, so that its speed and memory can be measured where the real one cannot be had. What it
 * says is rubbish. Its vocabulary is a real model's: a text has as many tokens as it would have. Format: ggml's docs/gguf.md, version 3, and its
 * k-quants; the tensors' names: llama.cpp's «qwen3» architecture. Everything is written in pieces: the file may be larger than the memory.
 */
import { type FileHandle, open, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { alignUp, f32, GGUF_TYPE, ggufHead, text, u32, u64 } from "#server/test/models/gguf-bytes.ts";
import { readVocabulary } from "./vocabulary.ts";

export interface Shape {
  layers: number;
  width: number;
  heads: number;
  /** Number of key and value heads. */
  keptHeads: number;
  headWidth: number;
  feed: number;
}

/** As the models' cards and configurations have them; all of them say a token with the same matrix that reads it. */
export const SHAPES = {
  "qwen3-0.6b": { layers: 28, width: 1024, heads: 16, keptHeads: 8, headWidth: 128, feed: 3072 },
  "qwen3-1.7b": { layers: 28, width: 2048, heads: 16, keptHeads: 8, headWidth: 128, feed: 6144 },
  "qwen3-4b": { layers: 36, width: 2560, heads: 32, keptHeads: 8, headWidth: 128, feed: 9728 },
} as const satisfies Record<string, Shape>;
export type ShapeName = keyof typeof SHAPES;

/** ggml's kinds of numbers: their number there, and the bytes of a block of `values`. */
const KINDS = {
  f32: { type: 0, bytes: 4, values: 1 },
  q4k: { type: 12, bytes: 144, values: 256 },
  q6k: { type: 14, bytes: 210, values: 256 },
} as const;

interface Tensor {
  name: string;
  /** Dimensions, the fastest-varying first. */
  shape: readonly number[];
  kind: keyof typeof KINDS;
  /** How many rows at the beginning and at the end of the last dimension are zeros. */
  zeroRows?: { first: number; last: number };
}

const CONTEXT = 40_960;
const LEFT_ON_DISK = 2 * 1024 ** 3;

/**
 * Writes about 4.6 bits a weight.
 * @param vocabularyOf a real model's file
 * @throws Error where the disk has too little room
 */
export async function writeShapedModel(path: string, shape: Shape, vocabularyOf: string): Promise<void> {
  const vocabulary = await readVocabulary(vocabularyOf);
  const tensors = tensorsOf(shape, vocabulary);
  const bytes = tensors.reduce((sum, tensor) => sum + alignUp(bytesOf(tensor)), 0);
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < bytes + LEFT_ON_DISK) throw new Error(`no room for ${bytes} bytes beside ${path}`);
  const file = await open(path, "w");
  try {
    await file.write(headOf(shape, tensors, vocabulary));
    for (const tensor of tensors) await writeTensor(file, tensor);
  } finally {
    await file.close();
  }
}

function tensorsOf(
  { layers, width, heads, keptHeads, headWidth, feed }: Shape,
  words: { size: number; marks: number },
): Tensor[] {
  const norm = (name: string, size: number): Tensor => ({ name: `${name}.weight`, shape: [size], kind: "f32" });
  const matrix = (name: string, inputs: number, outputs: number, kind: Tensor["kind"] = "q4k"): Tensor => ({
    ...{ name: `${name}.weight`, shape: [inputs, outputs], kind },
  });
  const of = (layer: number): Tensor[] => {
    const at = `blk.${layer}`;
    // As llama.cpp's Q4_K_M has it, half of these have six bits.
    const finer = layer < layers / 8 || layer >= (7 * layers) / 8 || layer % 3 === 2 ? "q6k" : "q4k";
    return [
      norm(`${at}.attn_norm`, width),
      matrix(`${at}.attn_q`, width, heads * headWidth),
      matrix(`${at}.attn_k`, width, keptHeads * headWidth),
      matrix(`${at}.attn_v`, width, keptHeads * headWidth, finer),
      norm(`${at}.attn_q_norm`, headWidth),
      norm(`${at}.attn_k_norm`, headWidth),
      matrix(`${at}.attn_output`, heads * headWidth, width),
      norm(`${at}.ffn_norm`, width),
      matrix(`${at}.ffn_gate`, width, feed),
      matrix(`${at}.ffn_up`, width, feed),
      matrix(`${at}.ffn_down`, feed, width, finer),
    ];
  };
  return [
    // Neither a mark, which would end the answer, nor a single byte, which makes no letter to be counted, is likelier than a word.
    {
      ...matrix("token_embd", width, words.size, "q6k"),
      zeroRows: { first: Math.min(BYTES, words.size - 1 - words.marks), last: words.marks },
    },
    norm("output_norm", width),
    ...Array.from({ length: layers }, (_, layer) => of(layer)).flat(),
  ];
}

function headOf(shape: Shape, tensors: readonly Tensor[], words: { entries: Buffer; count: number }): Buffer {
  const number = (key: string, value: number) => Buffer.concat([text(`qwen3.${key}`), u32(GGUF_TYPE.u32), u32(value)]);
  const real = (key: string, value: number) => Buffer.concat([text(`qwen3.${key}`), u32(GGUF_TYPE.f32), f32(value)]);
  const said = (key: string, value: string) => Buffer.concat([text(key), u32(GGUF_TYPE.text), text(value)]);
  const own = [
    said("general.architecture", "qwen3"),
    said("general.name", "random weights"),
    number("context_length", CONTEXT),
    number("embedding_length", shape.width),
    number("block_count", shape.layers),
    number("feed_forward_length", shape.feed),
    number("attention.head_count", shape.heads),
    number("attention.head_count_kv", shape.keptHeads),
    number("attention.key_length", shape.headWidth),
    number("attention.value_length", shape.headWidth),
    real("attention.layer_norm_rms_epsilon", 1e-6),
    real("rope.freq_base", 1e6),
  ];
  const infos: Buffer[] = [];
  let offset = 0;
  for (const tensor of tensors) {
    const { shape: dimensions, kind } = tensor;
    const place = [u32(dimensions.length), ...dimensions.map(u64), u32(KINDS[kind].type), u64(offset)];
    infos.push(Buffer.concat([text(tensor.name), ...place]));
    offset += alignUp(bytesOf(tensor));
  }
  return ggufHead(infos, [...own, words.entries], own.length + words.count);
}

/** With these a vocabulary of byte pairs begins. */
const BYTES = 256;
const AT_ONCE = 4096;
const pools = new Map<Tensor["kind"], Buffer>();

async function writeTensor(file: FileHandle, tensor: Tensor): Promise<void> {
  const { kind, shape, zeroRows = { first: 0, last: 0 } } = tensor;
  const all = bytesOf(tensor);
  const row = all / shape.at(-1)!;
  const [before, behind] = [zeroRows.first * row, zeroRows.last * row];
  const pool = pools.get(kind) ?? randomBlocks(kind);
  pools.set(kind, pool);
  await file.write(Buffer.alloc(before));
  for (let left = all - before - behind; left > 0; left -= pool.length)
    await file.write(pool, 0, Math.min(left, pool.length));
  await file.write(Buffer.alloc(behind + alignUp(all) - all));
}

/** Weights of about ±.02, as trained ones have them, the same again after so many blocks. */
function randomBlocks(kind: Tensor["kind"]): Buffer {
  const { bytes } = KINDS[kind];
  const blocks = Buffer.alloc(bytes * AT_ONCE);
  if (kind === "f32") {
    for (let at = 0; at < blocks.length; at += 4) blocks.writeFloatLE(1, at);
    return blocks;
  }
  const random = seededRandom(`blocks of ${kind}`);
  for (let at = 0; at < blocks.length; at++) blocks[at] = Math.floor(random() * 256);
  for (let at = 0; at < blocks.length; at += bytes) {
    // The scale of a block's scales, and for four bits that of its least values, which put the middle at zero.
    if (kind === "q4k") {
      blocks.writeUInt16LE(half(1.4e-4), at);
      blocks.writeUInt16LE(half(7.5 * 1.4e-4), at + 2);
    } else blocks.writeUInt16LE(half(1.5e-5), at + bytes - 2);
  }
  return blocks;
}

/** Encodes a number between 2⁻²⁴ and 1 as IEEE 754 binary16. */
function half(value: number): number {
  const exponent = Math.max(-14, Math.floor(Math.log2(value)));
  const fraction = value / 2 ** exponent;
  return fraction < 1 ? Math.round(fraction * 1024) : ((exponent + 15) << 10) | Math.round((fraction - 1) * 1024);
}

const bytesOf = ({ shape, kind }: Tensor) =>
  (shape.reduce((product, one) => product * one, 1) / KINDS[kind].values) * KINDS[kind].bytes;
