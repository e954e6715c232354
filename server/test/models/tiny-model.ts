/**
 * Model files of random weights (about 0.5 MB) that llama.cpp loads and runs: they say rubbish, the same for the same seed, and quickly.
 * The format: ggml's docs/gguf.md, version 3; the tensors' names: llama.cpp's «llama» and «bert» architectures.
 */
import { writeFile } from "node:fs/promises";
import { alignUp, f32, GGUF_TYPE, ggufHead, text, u32, u64 } from "./gguf-bytes.ts";

export const WIDTH = 64;
const HEADS = 4;
export const FEED = 128;
export const LAYERS = 2;
const CONTEXT = 16_384;

export type Value =
  | { u32: number }
  | { f32: number }
  | { bool: boolean }
  | { text: string }
  | { texts: readonly string[] }
  | { f32s: readonly number[] }
  | { i32s: readonly number[] };

export interface Tensor {
  name: string;
  /** The first is the fastest. */
  shape: readonly number[];
  values: Float32Array;
}

const SYLLABLES = [
  "за",
  "ка",
  "по",
  "не",
  "ро",
  "та",
  "ли",
  "но",
  "ве",
  "ма",
  "ру",
  "сти",
  "ди",
  "го",
  "лу",
  "ме",
  "вас",
  "дом",
];
const WORDS = SYLLABLES.flatMap((one) => SYLLABLES.slice(0, 6).map((two, at) => `${one}${two}${at === 5 ? "." : ""}`));
/** Letters first, or every other word would be read byte by byte; then what it says: words, some of which end a sentence. */
const LETTERS = [..."▁абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЭЮЯ.,:;!?«»—"];
const PIECES = WORDS.flatMap((word) => [`▁${word}`, word]);
/** llama.cpp's kinds of tokens. */
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];

/** Control marks first, a token for each byte (so that any text can be read), then pieces of Cyrillic. */
function vocabulary(marks: readonly string[]): { tokens: string[]; types: number[]; scores: number[] } {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
  const types = [
    ...marks.map((_, at) => (at === 0 ? UNKNOWN : CONTROL)),
    ...bytes.map(() => BYTE),
    ...[...LETTERS, ...PIECES].map(() => NORMAL),
  ];
  return {
    tokens: [...marks, ...bytes, ...LETTERS, ...PIECES],
    types,
    scores: types.map((type, at) => (type === NORMAL ? -at : 0)),
  };
}

/** Numbers between −1 and 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/**
 * A chat model. It never ends on its own, so that a test may stop it midway: its marks and bytes are as likely as anything at its worst.
 */
export async function writeTinyChatModel(path: string, seed = 1): Promise<void> {
  const { tokens, types, scores } = vocabulary(["<unk>", "<s>", "</s>"]);
  const random = randomNumbers(seed);
  const filled = (size: number, scale: number) => Float32Array.from({ length: size }, () => random() * scale);
  // About 1, and another model's others: by them two models of one shape are told apart.
  const norm = randomNumbers(seed + 1000);
  const ones = () => Float32Array.from({ length: WIDTH }, () => 1 + norm() / 100);
  const output = filled(WIDTH * tokens.length, 1);
  // A row of zeros has a likelihood of zero: another is likelier always, of which half are above it.
  output.fill(0, 0, WIDTH * (tokens.length - PIECES.length));
  const tensors: Tensor[] = [
    { name: "token_embd.weight", shape: [WIDTH, tokens.length], values: filled(WIDTH * tokens.length, 1) },
    { name: "output_norm.weight", shape: [WIDTH], values: ones() },
    { name: "output.weight", shape: [WIDTH, tokens.length], values: output },
  ];
  for (let layer = 0; layer < LAYERS; layer++) {
    const of = (name: string, ...shape: number[]): Tensor => ({
      name: `blk.${layer}.${name}.weight`,
      shape,
      values: shape.length === 1 ? ones() : filled(shape[0]! * shape[1]!, 0.3),
    });
    tensors.push(of("attn_norm", WIDTH), of("ffn_norm", WIDTH));
    for (const name of ["attn_q", "attn_k", "attn_v", "attn_output"]) tensors.push(of(name, WIDTH, WIDTH));
    tensors.push(of("ffn_gate", WIDTH, FEED), of("ffn_up", WIDTH, FEED), of("ffn_down", FEED, WIDTH));
  }
  await writeGguf(path, tensors, {
    "general.architecture": { text: "llama" },
    "general.name": { text: "tiny-chat" },
    ...shapeOf("llama"),
    "llama.attention.layer_norm_rms_epsilon": { f32: 1e-5 },
    "llama.rope.dimension_count": { u32: WIDTH / HEADS },
    "tokenizer.ggml.model": { text: "llama" },
    "tokenizer.ggml.tokens": { texts: tokens },
    "tokenizer.ggml.scores": { f32s: scores },
    "tokenizer.ggml.token_type": { i32s: types },
    "tokenizer.ggml.unknown_token_id": { u32: 0 },
    "tokenizer.ggml.bos_token_id": { u32: 1 },
    "tokenizer.ggml.eos_token_id": { u32: 2 },
    "tokenizer.chat_template": { text: CHAT_TEMPLATE },
  });
}

const CHAT_TEMPLATE =
  "{{ bos_token }}{% for message in messages %}[{{ message['role'] }}] {{ message['content'] }}\n{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}";

/** A reranker, which gives vectors as well: a «bert» with a head of one number. */
export async function writeTinyReader(path: string, name = "multilingual-e5-tiny", seed = 2): Promise<void> {
  const { tokens, types, scores } = vocabulary(["<unk>", "<s>", "</s>", "<pad>"]);
  const random = randomNumbers(seed);
  const tensor = (tensorName: string, ...shape: number[]): Tensor => {
    const size = shape.reduce((product, one) => product * one, 1);
    const constant = tensorName.endsWith("norm.weight") ? 1 : tensorName.endsWith(".bias") ? 0 : null;
    const values = Float32Array.from({ length: size }, () => constant ?? random() * 0.5);
    return { name: tensorName, shape, values };
  };
  const tensors = [
    tensor("token_embd.weight", WIDTH, tokens.length),
    tensor("token_types.weight", WIDTH, 1),
    tensor("position_embd.weight", WIDTH, 512),
    tensor("token_embd_norm.weight", WIDTH),
    tensor("token_embd_norm.bias", WIDTH),
    tensor("cls.weight", WIDTH, WIDTH),
    tensor("cls.bias", WIDTH),
    tensor("cls.output.weight", WIDTH, 1),
    tensor("cls.output.bias", 1),
  ];
  for (let layer = 0; layer < LAYERS; layer++) {
    const of = (part: string, ...shape: number[]) => tensor(`blk.${layer}.${part}`, ...shape);
    for (const part of ["attn_q", "attn_k", "attn_v", "attn_output"])
      tensors.push(of(`${part}.weight`, WIDTH, WIDTH), of(`${part}.bias`, WIDTH));
    for (const part of ["attn_output_norm", "layer_output_norm"])
      tensors.push(of(`${part}.weight`, WIDTH), of(`${part}.bias`, WIDTH));
    tensors.push(of("ffn_up.weight", WIDTH, FEED), of("ffn_up.bias", FEED));
    tensors.push(of("ffn_down.weight", FEED, WIDTH), of("ffn_down.bias", WIDTH));
  }
  await writeGguf(path, tensors, {
    "general.architecture": { text: "bert" },
    "general.name": { text: name },
    ...shapeOf("bert", 512),
    "bert.attention.layer_norm_epsilon": { f32: 1e-5 },
    "bert.attention.causal": { bool: false },
    "bert.pooling_type": { u32: 1 },
    "tokenizer.ggml.model": { text: "llama" },
    "tokenizer.ggml.tokens": { texts: tokens },
    "tokenizer.ggml.scores": { f32s: scores },
    "tokenizer.ggml.token_type": { i32s: types },
    "tokenizer.ggml.token_type_count": { u32: 1 },
    "tokenizer.ggml.unknown_token_id": { u32: 0 },
    "tokenizer.ggml.bos_token_id": { u32: 1 },
    "tokenizer.ggml.eos_token_id": { u32: 2 },
    "tokenizer.ggml.seperator_token_id": { u32: 2 },
    "tokenizer.ggml.padding_token_id": { u32: 3 },
  });
}

const shapeOf = (architecture: string, context = CONTEXT): Record<string, Value> => ({
  [`${architecture}.context_length`]: { u32: context },
  [`${architecture}.embedding_length`]: { u32: WIDTH },
  [`${architecture}.block_count`]: { u32: LAYERS },
  [`${architecture}.feed_forward_length`]: { u32: FEED },
  [`${architecture}.attention.head_count`]: { u32: HEADS },
  [`${architecture}.attention.head_count_kv`]: { u32: HEADS },
});

export async function writeGguf(
  path: string,
  tensors: readonly Tensor[],
  metadata: Record<string, Value>,
): Promise<void> {
  const infos: Buffer[] = [];
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    // Its name, its dimensions, type 0 (F32) and where it lies behind the head.
    infos.push(Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]));
    offset += alignUp(values.byteLength);
  }
  const entries = Object.entries(metadata).map(([key, value]) => Buffer.concat([text(key), ...encoded(value)]));
  const parts: Buffer[] = [ggufHead(infos, entries)];
  for (const { values } of tensors) {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    parts.push(bytes, Buffer.alloc(alignUp(bytes.length) - bytes.length));
  }
  await writeFile(path, Buffer.concat(parts));
}

function encoded(value: Value): Buffer[] {
  if ("u32" in value) return [u32(GGUF_TYPE.u32), u32(value.u32)];
  if ("f32" in value) return [u32(GGUF_TYPE.f32), f32(value.f32)];
  if ("bool" in value) return [u32(GGUF_TYPE.bool), Buffer.from([value.bool ? 1 : 0])];
  if ("text" in value) return [u32(GGUF_TYPE.text), text(value.text)];
  const many = (type: number, items: readonly Buffer[]) => [
    u32(GGUF_TYPE.array),
    u32(type),
    u64(items.length),
    ...items,
  ];
  if ("texts" in value) return many(GGUF_TYPE.text, value.texts.map(text));
  if ("f32s" in value) return many(GGUF_TYPE.f32, value.f32s.map(f32));
  return many(GGUF_TYPE.i32, value.i32s.map(u32));
}
