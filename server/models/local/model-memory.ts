/** How much memory a model's process needs, known before anything is loaded. */
import { availableParallelism, totalmem } from "node:os";
import type { ModelKind } from "#contract/models/local-models.ts";
import type { ModelFacts } from "./model-file.ts";

/** Node itself, the program of the models and what it calculates in. */
export const BASE_BYTES = 768 * 1024 ** 2;
/** Greatest memory relative to the size of the files: some models are unpacked while they are loaded. */
const FILE_SHARE = 1.5;
/** What a file mostly takes: it is read where it lies. */
const TYPICAL_SHARE = 1.15;
/** Memory of a conversation, where the file is not here yet to tell it. */
const CONTEXT_BYTES = 400 * 1024 ** 2;

/** Most that a model may add to a process before it is ended for its size. */
export const maxMemoryBytes = (
  { bytes, tokenBytes }: Pick<ModelFacts, "bytes" | "tokenBytes">,
  tokens: number,
): number => bytes * FILE_SHARE + tokenBytes * tokens;

/** The largest adapter that is taken; one of rank 16 for a model of eight billion weights has a third of it. */
const MAX_ADAPTER_BYTES = 512 * 1024 ** 2;

/** Most that an adapter may add beside a model that writes: itself, and a context of its own. */
export const adapterBytes = ({ tokenBytes }: Pick<ModelFacts, "tokenBytes">, tokens: number): number =>
  MAX_ADAPTER_BYTES + tokenBytes * tokens;

/**
 * What a model that searches takes beside its file, where the file is not here yet to tell it: a vocabulary of 250,000 pieces as a tree (0.4 GB) and
 * a likelihood of each for every token of a text. Measured with multilingual-e5-small: 570 MB once loaded, 1,010 MB after texts of 512 tokens.
 */
const SEARCH_BYTES = 750 * 1024 ** 2;

/** What a model of speech calculates with while it hears twenty seconds. */
const SPEECH_BYTES = 300 * 1024 ** 2;

/** What a model that is not here yet is likely to take. */
export const neededByCard = ({ kind, bytes }: { kind: ModelKind; bytes: number }): number =>
  neededBytes(
    bytes,
    { chat: CONTEXT_BYTES, speech: SPEECH_BYTES, embedder: SEARCH_BYTES, reranker: SEARCH_BYTES }[kind],
  );

/** What it is likely to take, in a process of its own. */
export const neededBytes = (bytes: number, contextBytes: number = CONTEXT_BYTES): number =>
  Math.round(Math.min(BASE_BYTES / 3, bytes) + bytes * TYPICAL_SHARE + contextBytes);

export interface Machine {
  /** For this server: a container's limit counts. */
  memoryBytes: number;
  cores: number;
}

export function thisMachine(): Machine {
  const limit = process.constrainedMemory();
  const all = totalmem();
  return { memoryBytes: limit > 0 && limit < all ? limit : all, cores: availableParallelism() };
}

/** For a sentence. */
export const gigabytes = (bytes: number): string =>
  `${(bytes / 1024 ** 3).toLocaleString("ru-RU", { maximumFractionDigits: 1 })} ГБ`;

/** The system, the server and the database have the rest. */
const FOR_MODELS = 0.75;

export const forModels = ({ memoryBytes }: Pick<Machine, "memoryBytes">): number => memoryBytes * FOR_MODELS;
