/** Estimates how much memory a model's process needs, before anything is loaded. */
import { availableParallelism, totalmem } from "node:os";
import type { ModelKind } from "#contract/models/local-models.ts";
import type { ModelFacts } from "./model-file.ts";

/** Memory of Node, llama.cpp and their working buffers. */
export const BASE_BYTES = 768 * 1024 ** 2;
/** Maximum memory relative to the files' size: some models are unpacked while they are loaded. */
const FILE_SHARE = 1.5;
/** Typical memory relative to the files' size: files are memory-mapped. */
const TYPICAL_SHARE = 1.15;
/** Memory of a conversation's context, for a model whose file is not downloaded yet. */
const CONTEXT_BYTES = 400 * 1024 ** 2;

/** Maximum memory that a model may add to a process before the process is killed. */
export const maxMemoryBytes = (
  { bytes, tokenBytes }: Pick<ModelFacts, "bytes" | "tokenBytes">,
  tokens: number,
): number => bytes * FILE_SHARE + tokenBytes * tokens;

/**
 * Memory of a search model beside its file, for one that is not downloaded yet. It holds a vocabulary tree of 250,000 entries (0.4 GB), and
 * a likelihood of each entry for every token of a text. Measured with multilingual-e5-small: 570 MB once loaded, 1,010 MB after texts of
 * 512 tokens.
 */
const SEARCH_BYTES = 750 * 1024 ** 2;

/** Working memory of a speech model for twenty seconds of audio. */
const SPEECH_BYTES = 300 * 1024 ** 2;

/** Estimates the memory of a model that is not downloaded yet, from its catalogue entry. */
export const neededByCard = ({ kind, bytes }: { kind: ModelKind; bytes: number }): number =>
  neededBytes(
    bytes,
    { chat: CONTEXT_BYTES, speech: SPEECH_BYTES, embedder: SEARCH_BYTES, reranker: SEARCH_BYTES }[kind],
  );

export const neededBytes = (bytes: number, contextBytes: number = CONTEXT_BYTES): number =>
  Math.round(Math.min(BASE_BYTES / 3, bytes) + bytes * TYPICAL_SHARE + contextBytes);

export interface Machine {
  /** Memory available to this server, including a container's limit. */
  memoryBytes: number;
  cores: number;
}

export function thisMachine(): Machine {
  const limit = process.constrainedMemory();
  const all = totalmem();
  return { memoryBytes: limit > 0 && limit < all ? limit : all, cores: availableParallelism() };
}

export const gigabytes = (bytes: number): string =>
  `${(bytes / 1024 ** 3).toLocaleString("ru-RU", { maximumFractionDigits: 1 })} ГБ`;

/** Share of memory for models; the rest is for the system, the server and the database. */
const FOR_MODELS = 0.75;

export const forModels = ({ memoryBytes }: Pick<Machine, "memoryBytes">): number => memoryBytes * FOR_MODELS;
