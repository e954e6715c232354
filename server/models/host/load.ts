import { getLlama, type Llama, LlamaLogLevel, type LlamaModel, NoBinaryFoundError } from "node-llama-cpp";
import { prefixesFor } from "../embedding-prefixes.ts";
import type { HostAnswer, HostFacts, HostTask, LoadRequest, ModelFile, TaskAnswer } from "../protocol.ts";
import { type Generate, openGenerator } from "./generate.ts";
import { type Embed, openEmbedder, openReranker, type Rerank } from "./vectors.ts";

type Bare<T> = T extends unknown ? Omit<T, "id"> : never;
/** What comes of a task, without its number. */
export type Outcome = Bare<Exclude<TaskAnswer, { kind: "delta" }>>;

export interface LoadedModels {
  facts: HostFacts;
  run(task: HostTask, signal: AbortSignal, delta: (text: string) => void): Promise<Outcome>;
}

type Unable = Extract<HostAnswer, { kind: "unable" }>;

/** Never builds and never downloads: what is not installed is not there. */
export async function loadModels(request: LoadRequest): Promise<LoadedModels | { unable: Unable }> {
  let llama: Llama;
  try {
    llama = await getLlama({
      gpu: false,
      build: "never",
      skipDownload: true,
      logLevel: LlamaLogLevel.disabled,
      progressLogs: false,
    });
  } catch (error) {
    return { unable: { kind: "unable", missing: error instanceof NoBinaryFoundError, detail: detailOf(error) } };
  }
  // The last core is for whoever else works here: with all of them a busy machine makes every token wait for the slowest thread.
  const threads = request.threads ?? Math.max(1, llama.cpuMathCores - 1);
  llama.maxThreads = threads;
  try {
    const open = (file: ModelFile | null) =>
      file && llama.loadModel({ modelPath: file.path, gpuLayers: 0, useMmap: true });
    return await serving(llama, request, threads, {
      generator: await open(request.generator),
      embedder: await open(request.embedder),
      reranker: await open(request.reranker),
    });
  } catch (error) {
    return { unable: { kind: "unable", missing: false, detail: detailOf(error) } };
  }
}

const detailOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);

type Opened = Record<"generator" | "embedder" | "reranker", LlamaModel | null>;

async function serving(llama: Llama, request: LoadRequest, threads: number, opened: Opened): Promise<LoadedModels> {
  const sizeOf = (file: ModelFile, model: LlamaModel) => Math.min(file.contextTokens, model.trainContextSize);
  const { generator, embedder, reranker } = opened;
  let generate: Generate | null = null;
  let embed: Embed | null = null;
  let rerank: Rerank | null = null;
  const facts: HostFacts = { threads, generator: null, embedder: null, reranker: null };
  if (generator !== null) {
    const contextTokens = sizeOf(request.generator!, generator);
    generate = await openGenerator(llama, generator, { contextTokens, threads });
    facts.generator = { contextTokens };
  }
  if (embedder !== null) {
    const contextTokens = sizeOf(request.embedder!, embedder);
    const prefixes = prefixesFor(nameOf(embedder));
    embed = await openEmbedder(embedder, { contextTokens, threads, prefixes });
    facts.embedder = { contextTokens, dimensions: embedder.embeddingVectorSize };
  }
  if (reranker !== null) {
    const contextTokens = sizeOf(request.reranker!, reranker);
    rerank = await openReranker(reranker, { contextTokens, threads });
    facts.reranker = { contextTokens };
  }
  return {
    facts,
    async run(task, signal, delta) {
      if (task.kind === "generate" && generate !== null) return generate(task, signal, delta);
      if (task.kind === "embed" && embed !== null) return embed(task);
      if (task.kind === "rerank" && rerank !== null) return rerank(task);
      throw new Error(`no model for ${task.kind}`);
    },
  };
}

const nameOf = ({ fileInfo, filename }: LlamaModel): string =>
  `${fileInfo.metadata.general?.name ?? ""} ${filename ?? ""}`;
