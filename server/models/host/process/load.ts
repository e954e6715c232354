import { availableParallelism } from "node:os";
import { getLlama, type Llama, LlamaLogLevel, type LlamaModel, NoBinaryFoundError } from "node-llama-cpp";
import { prefixesFor } from "../embedding-prefixes.ts";
import type { HostAnswer, HostFacts, HostTask, LoadRequest, ModelFile } from "../protocol.ts";
import { type Generator, openGenerator } from "./generate.ts";
import type { TaskOutcome } from "./outcome.ts";
import { adaptThreadsToLoad } from "./spare-cores.ts";
import { type Embed, openEmbedder, openReranker, type Rerank } from "./vectors.ts";

export interface LoadedModels {
  facts: HostFacts;
  run(task: HostTask, signal: AbortSignal, delta: (text: string) => void): Promise<TaskOutcome>;
}

type Unable = Extract<HostAnswer, { kind: "unable" }>;

/** Loads the models; never builds or downloads anything. */
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
  // The maximum for contexts; spare-cores.ts decides before each batch how many threads are used.
  const threads = request.threads ?? Math.max(1, Math.min(llama.cpuMathCores, availableParallelism()));
  llama.maxThreads = threads;
  try {
    const open = (file: ModelFile | null) =>
      file && llama.loadModel({ modelPath: file.path, gpuLayers: 0, useMmap: true });
    const models = await serving(llama, request, threads, {
      generator: await open(request.generator),
      embedder: await open(request.embedder),
      reranker: await open(request.reranker),
    });
    if (request.threads === null) adaptThreadsToLoad(llama, threads);
    return models;
  } catch (error) {
    return { unable: { kind: "unable", missing: false, detail: detailOf(error) } };
  }
}

/** Counts the parameters from the tensors' shapes, because the name in a file proves nothing. */
function parametersOf({ fileInfo }: LlamaModel): number {
  const tensors = fileInfo.fullTensorInfo ?? fileInfo.tensorInfo ?? [];
  return tensors.reduce(
    (sum, { dimensions }) => sum + dimensions.reduce<number>((all, one) => all * Number(one), 1),
    0,
  );
}

const detailOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);

type Opened = Record<"generator" | "embedder" | "reranker", LlamaModel | null>;

async function serving(llama: Llama, request: LoadRequest, threads: number, opened: Opened): Promise<LoadedModels> {
  const sizeOf = (file: ModelFile, model: LlamaModel) => Math.min(file.contextTokens, model.trainContextSize);
  const { generator: writer, embedder, reranker } = opened;
  let generator: Generator | null = null;
  let embed: Embed | null = null;
  let rerank: Rerank | null = null;
  const facts: HostFacts = { threads, generator: null, embedder: null, reranker: null };
  if (writer !== null) {
    const contextTokens = sizeOf(request.generator!, writer);
    generator = await openGenerator(llama, writer, { contextTokens, threads });
    facts.generator = { contextTokens, parameters: parametersOf(writer) };
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
      if (task.kind === "generate" && generator !== null) return generator.generate(task, signal, delta);
      if (task.kind === "prefill" && generator !== null) return generator.prefill(task, signal);
      if (task.kind === "embed" && embed !== null) return embed(task);
      if (task.kind === "rerank" && rerank !== null) return rerank(task);
      throw new Error(`no model for ${task.kind}`);
    },
  };
}

const nameOf = ({ fileInfo, filename }: LlamaModel): string =>
  `${fileInfo.metadata.general?.name ?? ""} ${filename ?? ""}`;
