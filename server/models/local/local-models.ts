/** The models that the settings name, checked before anything loads them. */
import { ConfigError, type ModelFiles } from "#server/platform/config.ts";
import type { Log } from "#server/platform/log.ts";
import { NotAModel, readModelFile } from "./model-file.ts";
import { ModelHost } from "./model-host.ts";
import { adapterBytes, BASE_BYTES, maxMemoryBytes } from "./model-memory.ts";
import type { ModelFile } from "./protocol.ts";

/** A text that is searched for is short, and what searches was trained on short ones. */
export const READER_TOKENS = 512;

interface CheckedModels {
  generator: ModelFile | null;
  embedder: ModelFile | null;
  reranker: ModelFile | null;
  /** Greatest memory in bytes that a process with all these models may take. */
  memoryBytes: number;
}

/** @throws ConfigError naming each setting whose file is no model */
export async function checkModelFiles(files: ModelFiles): Promise<CheckedModels> {
  const wrong: string[] = [];
  let memoryBytes = BASE_BYTES;
  const check = async (setting: string, path: string | null, most: number): Promise<ModelFile | null> => {
    if (path === null) return null;
    try {
      const facts = await readModelFile(path);
      const contextTokens = Math.min(most, facts.contextTokens ?? most);
      memoryBytes += maxMemoryBytes(facts, contextTokens);
      if (path === files.generator) memoryBytes += adapterBytes(facts, contextTokens);
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

/** The host of the models; it begins with the first task. Null: no file is to be loaded. @throws ConfigError */
export async function openLocalModels(files: ModelFiles | null, log: Log): Promise<ModelHost | null> {
  if (files === null) return null;
  const { memoryBytes, ...models } = await checkModelFiles(files);
  return new ModelHost({ load: { ...models, threads: files.threads }, memoryBytes, log });
}
