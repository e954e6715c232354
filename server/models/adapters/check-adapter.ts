/**
 * Checks that a file is an adapter of the chat model before llama.cpp parses any of it. A file with anything that an adapter may not
 * contain is refused, and only checked values are written to the new file (write-adapter.ts).
 */
import { stat } from "node:fs/promises";
import type { GgufHead, GgufTensor } from "#server/models/local/gguf-head.ts";
import type { AdapterProblem } from "./adapter-problems.ts";
import { type BaseShapes, readWholeHead } from "./base-shapes.ts";

export interface CheckedAdapter {
  architecture: string;
  alpha: number;
  /** The greatest rank among its matrix pairs. */
  rank: number;
  tensors: CheckedTensor[];
}

interface CheckedTensor extends GgufTensor {
  /** Bytes from the beginning of the file. */
  at: number;
  bytes: number;
}

/** In bytes: enough for names and shapes of a few thousand tensors. */
const MAX_HEAD_BYTES = 4 * 1024 ** 2;
const MAX_TENSORS = 8192;
const MAX_RANK = 512;
const MAX_ALPHA = 10_000;
/** Metadata key of `BaseShapes.weights` of the base model. Our training program writes it; adapters of other programs have none. */
const BASE_WEIGHTS = "adapter.base.weights";
const PART = /^([a-z0-9_.]{1,100})\.lora_([ab])$/;
/** ggml types allowed in an adapter: number of values in a block, and bytes of a block. */
const TYPES: Record<number, { values: number; bytes: number }> = {
  0: { values: 1, bytes: 4 }, // F32
  1: { values: 1, bytes: 2 }, // F16
  30: { values: 1, bytes: 2 }, // BF16
  8: { values: 32, bytes: 34 }, // Q8_0
};

export async function checkAdapter(path: string, base: BaseShapes): Promise<CheckedAdapter | AdapterProblem> {
  const head = await readWholeHead(path, MAX_HEAD_BYTES);
  if (head === null) return "not-gguf";
  const kind = kindProblem(head);
  if (kind !== null) return kind;
  if (head.metadata.get("general.architecture") !== base.architecture) return "another-architecture";
  const trainedOn = head.metadata.get(BASE_WEIGHTS);
  if (trainedOn !== undefined && trainedOn !== base.weights) return "another-base";
  if (head.tensors === null || head.dataAt === null || head.alignment === null) return "damaged";
  const alpha = head.metadata.get("adapter.lora.alpha") ?? 0;
  if (typeof alpha !== "number" || !(Math.abs(alpha) <= MAX_ALPHA)) return "damaged";
  const tensors = inOrder(head.tensors, { dataAt: head.dataAt, alignment: head.alignment }, await stat(path));
  if (tensors === null) return "damaged";
  const rank = fittingRank(tensors, base);
  return typeof rank === "string" ? rank : { architecture: base.architecture, alpha, rank, tensors };
}

function kindProblem({ metadata }: GgufHead): AdapterProblem | null {
  const type = metadata.get("general.type");
  if (type !== "adapter") return type === undefined || type === "model" ? "whole-model" : "another-addition";
  if (metadata.get("adapter.type") !== "lora") return "another-addition";
  // Adapters that are activated by a certain word are not supported.
  return [...metadata.keys()].some((key) => key.startsWith("adapter.alora.")) ? "another-addition" : null;
}

/**
 * Returns the tensors with their offsets; null when one is of an unknown type, exceeds the file or does not begin where the previous one
 * ends. llama.cpp demands this order too. It also keeps tensors from overlapping: thousands that share bytes would turn a small file into a
 * huge one when it is rewritten.
 */
function inOrder(
  all: readonly GgufTensor[],
  { dataAt, alignment }: { dataAt: number; alignment: number },
  { size }: { size: number },
): CheckedTensor[] | null {
  if (all.length === 0 || all.length > MAX_TENSORS) return null;
  const placed: CheckedTensor[] = [];
  let next = 0;
  for (const tensor of all) {
    const type = TYPES[tensor.type];
    const [across = 0, down = 0] = tensor.shape;
    if (type === undefined || tensor.shape.length !== 2 || across % type.values !== 0) return null;
    const bytes = (across / type.values) * type.bytes * down;
    const at = dataAt + tensor.offset;
    if (!Number.isSafeInteger(bytes) || bytes === 0 || !Number.isSafeInteger(at) || at + bytes > size) return null;
    if (tensor.offset !== next) return null;
    next += Math.ceil(bytes / alignment) * alignment;
    placed.push({ ...tensor, at, bytes });
  }
  return placed;
}

/** Returns the greatest rank of the adapter. Every matrix must have both LoRA parts in the shape that the model requires. */
function fittingRank(tensors: readonly CheckedTensor[], { shapes }: BaseShapes): number | AdapterProblem {
  const pairs = new Map<string, { a?: readonly number[]; b?: readonly number[] }>();
  for (const { name, shape } of tensors) {
    const [, base, part] = PART.exec(name) ?? [];
    if (base === undefined) return "damaged";
    const pair = pairs.get(base) ?? {};
    if (pair[part as "a" | "b"] !== undefined) return "damaged";
    pair[part as "a" | "b"] = shape;
    pairs.set(base, pair);
  }
  let most = 0;
  for (const [name, { a, b }] of pairs) {
    if (a === undefined || b === undefined) return "damaged";
    const [inputs, outputs, ...further] = shapes.get(name) ?? [];
    if (inputs === undefined || outputs === undefined || further.length > 0) return "another-size";
    // llama.cpp stores the two parts of the word embedding matrix transposed.
    const turned = name === "token_embd.weight";
    const [rank, from, to] = turned ? [a[0]!, b[1]!, a[1]!] : [a[1]!, a[0]!, b[1]!];
    if (from !== inputs || to !== outputs) return "another-size";
    if (b[0] !== rank || rank > MAX_RANK) return "damaged";
    most = Math.max(most, rank);
  }
  return most;
}
