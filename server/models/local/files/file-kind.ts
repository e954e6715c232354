import type { ModelKind } from "#contract/models/local-models.ts";
import type { ModelFacts } from "../model-file.ts";

/** llama.cpp architectures that embed or score texts and do not generate. */
const READERS: ReadonlySet<string> = new Set([
  "bert",
  "modern-bert",
  "nomic-bert",
  "nomic-bert-moe",
  "neo-bert",
  "jina-bert-v2",
  "jina-bert-v3",
  "eurobert",
  "gemma-embedding",
]);
/** Architectures that generate text; those for images, speech or parts of other models are excluded. */
const WRITERS: ReadonlySet<string> = new Set([
  ...["llama", "llama4", "qwen2", "qwen2moe", "qwen3", "qwen3moe", "qwen3next", "qwen35", "qwen35moe"],
  ...["gemma", "gemma2", "gemma3", "gemma3n", "gemma4", "phi2", "phi3", "phimoe", "mistral3", "deepseek", "deepseek2"],
  ...["granite", "granitemoe", "granitehybrid", "exaone", "exaone4", "smollm3", "olmo2", "command-r", "cohere2"],
  ...[
    "falcon",
    "falcon-h1",
    "stablelm",
    "internlm2",
    "glm4",
    "minicpm",
    "minicpm3",
    "lfm2",
    "hunyuan-dense",
    "ernie4_5",
  ],
]);
/** `LLAMA_POOLING_TYPE_RANK`: the model scores a pair of texts with one number. */
const RANK = 4;

/** null: this server cannot run the model. */
export function kindOfFile({ architecture, pooling, name }: ModelFacts, fileName: string): ModelKind | null {
  if (!READERS.has(architecture) && !WRITERS.has(architecture)) return null;
  // Rerankers older than that pooling type are recognised only by their name.
  if (pooling === RANK || (READERS.has(architecture) && /rerank/i.test(`${name ?? ""} ${fileName}`))) return "reranker";
  return READERS.has(architecture) || pooling !== null ? "embedder" : "chat";
}
