/** Which models serve whom. Whoever asks one goes through `withModels`: an organisation may allow local ones alone. */
import type { ModelRule } from "#contract/model-rule.ts";
import type { Config } from "#server/config.ts";
import type { Database, Tenant } from "#server/db/database.ts";
import { readModelRule } from "#server/organizations/model-rule.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import type { Generator } from "./generators/generator.ts";

export interface Models {
  generator: Generator;
  /** null: search goes by words alone. */
  meanings: Meanings | null;
}

interface Deps extends Partial<Models> {
  db: Database;
  /** What serves organisations that allow local models alone; null where all models are local. */
  localModels: Models | null;
}

/** The same with the models that may be asked for this organisation. Read anew for each answer: a change holds at once. */
export async function withModels<D extends Deps>(deps: D, tenant: Tenant): Promise<D> {
  const { db, localModels } = deps;
  if (localModels === null || !(await readModelRule(db, tenant))) return deps;
  return { ...deps, ...localModels };
}

interface SetUp {
  config: Pick<Config, "llm" | "embedding" | "localModelHosts" | "modelFiles">;
}

/** As the organisation's screen shows it. */
export async function modelRule(deps: Deps & SetUp & { generator: Generator }, tenant: Tenant): Promise<ModelRule> {
  const { llm, embedding, localModelHosts, modelFiles } = deps.config;
  const shown = (model: { baseUrl: string } | null, file: string | null | undefined) => {
    if (model === null) return file ? { host: null, local: true } : null;
    return { host: hostOf(model.baseUrl), local: isLocalModel(model.baseUrl, localModelHosts) };
  };
  const { generator } = await withModels(deps, tenant);
  return {
    localOnly: await readModelRule(deps.db, tenant),
    model: shown(llm, modelFiles?.generator),
    search: shown(embedding, modelFiles?.embedder),
    engine: generator.name,
  };
}

const hostOf = (baseUrl: string): string => new URL(baseUrl).hostname.replace(/^\[|\]$/g, "").toLowerCase();

/** @param baseUrl of a model; @param hosts config.localModelHosts */
export const isLocalModel = (baseUrl: string, hosts: readonly string[]): boolean => hosts.includes(hostOf(baseUrl));
