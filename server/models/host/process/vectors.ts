import type { LlamaModel } from "node-llama-cpp";
import type { EmbeddingPrefixes } from "../embedding-prefixes.ts";
import type { EmbedTask, RerankTask } from "../protocol.ts";
import type { TaskOutcome } from "./outcome.ts";

export type Embed = (task: EmbedTask) => Promise<TaskOutcome>;
export type Rerank = (task: RerankTask) => Promise<TaskOutcome>;

interface Opening {
  contextTokens: number;
  threads: number;
}

/** Returns vectors of length 1; only the beginning of a text that exceeds the model's context counts. */
export async function openEmbedder(
  model: LlamaModel,
  { contextTokens, threads, prefixes }: Opening & { prefixes: EmbeddingPrefixes },
): Promise<Embed> {
  // The batch is as large as the context, because an embedding model reads a text in one batch.
  const context = await model.createEmbeddingContext({ contextSize: contextTokens, batchSize: contextTokens, threads });
  return async ({ text, role }) => {
    const tokens = model.tokenize(`${prefixes[role]}${text}`).slice(0, contextTokens - ENDS);
    const { vector } = await context.getEmbeddingFor(tokens);
    return { kind: "vector", vector: unit(vector), tokens: tokens.length };
  };
}

/** Number of tokens that the library adds at the beginning and end of a text. */
const ENDS = 4;

function unit(vector: readonly number[]): Float32Array<ArrayBuffer> {
  const length = Math.hypot(...vector);
  if (!(length > 0) || !Number.isFinite(length)) throw new Error("a vector without a direction");
  return Float32Array.from(vector, (value) => value / length);
}

/** Scores how likely a document answers a query, 0..1; for a long document, the best part's score counts. */
export async function openReranker(model: LlamaModel, { contextTokens, threads }: Opening): Promise<Rerank> {
  const context = await model.createRankingContext({ contextSize: contextTokens, batchSize: contextTokens, threads });
  return async ({ query, document }) => {
    const asked = model.tokenize(query).slice(0, Math.floor(contextTokens / 2));
    return { kind: "score", score: await context.rank(asked, document, { onOverflow: "maxChunk" }) };
  };
}
