/**
 * LoRA adapters of random weights for the chat model of tiny-model.ts, as llama.cpp's convert_lora_to_gguf.py writes them: of each matrix W of
 * the base (n outputs of m inputs) `W.lora_a` (r × m) and `W.lora_b` (n × r), the fastest dimension first.
 */
import { FEED, LAYERS, randomNumbers, type Tensor, type Value, WIDTH, writeGguf } from "./tiny-model.ts";

export interface TinyAdapter {
  seed?: number;
  rank?: number;
  /** Width of the base model's vectors; any width but the chat model's makes an adapter of another model. */
  width?: number;
  architecture?: string;
  /** Entries that replace or extend a LoRA adapter's usual metadata. */
  metadata?: Record<string, Value>;
  /** Beside those of every layer. */
  tensors?: readonly Tensor[];
}

export async function writeTinyAdapter(path: string, options: TinyAdapter = {}): Promise<void> {
  const { seed = 1, rank = 4, width = WIDTH, architecture = "llama", metadata = {}, tensors = [] } = options;
  const random = randomNumbers(seed);
  const pair = (base: string, inputs: number, outputs: number): Tensor[] => [
    { name: `${base}.weight.lora_a`, shape: [inputs, rank], values: filled(inputs * rank) },
    { name: `${base}.weight.lora_b`, shape: [rank, outputs], values: filled(rank * outputs) },
  ];
  const filled = (size: number) => Float32Array.from({ length: size }, () => random() * 0.3);
  const layers = Array.from({ length: LAYERS }, (_, layer) => [
    ...pair(`blk.${layer}.attn_q`, width, width),
    ...pair(`blk.${layer}.attn_v`, width, width),
    ...pair(`blk.${layer}.ffn_down`, FEED, width),
  ]).flat();
  await writeGguf(path, [...layers, ...tensors], {
    "general.architecture": { text: architecture },
    "general.type": { text: "adapter" },
    "adapter.type": { text: "lora" },
    "adapter.lora.alpha": { f32: rank * 4 },
    ...metadata,
  });
}
