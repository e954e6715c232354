/** Checks the models that the settings name before anything loads them. */

import { ModelHost } from "#server/models/host/model-host.ts";
import type { ModelFile } from "#server/models/host/protocol.ts";
import { ConfigError, type ModelFiles } from "#server/platform/config.ts";
import type { Log } from "#server/platform/log.ts";
import { NotAModel, readModelFile } from "./model-file.ts";
import { BASE_BYTES, maxMemoryBytes } from "./model-memory.ts";

/** Queries and chunks are short, and search models are trained on short texts. */
export const READER_TOKENS = 512;

interface CheckedModels {
  generator: ModelFile | null;
  embedder: ModelFile | null;
  reranker: ModelFile | null;
  /** Memory limit in bytes of a process with all these models. */
  memoryBytes: number;
}

/** @throws ConfigError naming each setting whose file is not a model */
export async function checkModelFiles(files: ModelFiles): Promise<CheckedModels> {
  const wrong: string[] = [];
  let memoryBytes = BASE_BYTES;
  const check = async (setting: string, path: string | null, most: number): Promise<ModelFile | null> => {
    if (path === null) return null;
    try {
      const facts = await readModelFile(path);
      const contextTokens = Math.min(most, facts.contextTokens ?? most);
      memoryBytes += maxMemoryBytes(facts, contextTokens);
      return { path, contextTokens };
    } catch (error) {
      if (!(error instanceof NotAModel)) throw error;
      wrong.push(`${setting}: ${error.message}`);
      return null;
    }
  };
  const generator = await check("MODEL_PATH", files.generator, files.contextTokens);
  const embedder = await check("EMBEDDING_MODEL_PATH", files.embedder, READER_TOKENS);
  const reranker = await check("RERANKER_MODEL_PATH", files.reranker, READER_TOKENS);
  if (wrong.length > 0) throw new ConfigError(wrong.join("\n"));
  return { generator, embedder, reranker, memoryBytes };
}

/** Returns the host of the models, whose process starts with the first task. Null: the settings name no file. @throws ConfigError */
export async function openLocalModels(files: ModelFiles | null, log: Log): Promise<ModelHost | null> {
  if (files === null) return null;
  const { memoryBytes, ...models } = await checkModelFiles(files);
  return new ModelHost({ load: { ...models, threads: files.threads }, memoryBytes, log });
}
