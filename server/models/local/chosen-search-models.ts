/** The embedder and the reranker that were chosen on the screen, as files of the settings: they are loaded with the server, for vectors are learnt by them. */
import { existsSync } from "node:fs";
import { and, eq } from "drizzle-orm";
import type { ModelKind } from "#contract/models/local-models.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import type { Log } from "#server/platform/log.ts";
import { modelPath } from "./files/model-rows.ts";

interface ChosenSearchModels {
  /** The settings, completed with the choices where they name no model. */
  config: Config;
  /** Ids of the rows that were used. */
  ids: string[];
  /** Kinds whose models are named by the settings themselves. */
  settled: ModelKind[];
}

const settledKinds = ({ llm, modelFiles, embedding, media }: Config): ModelKind[] => [
  ...(llm !== null || modelFiles?.generator ? ["chat" as const] : []),
  ...(embedding !== null || modelFiles?.embedder ? ["embedder" as const] : []),
  ...(modelFiles?.reranker ? ["reranker" as const] : []),
  ...(media.speechModel !== null ? ["speech" as const] : []),
];

export async function withChosenSearchModels(config: Config, db: Database, log: Log): Promise<ChosenSearchModels> {
  const settled = settledKinds(config);
  const rows = await db
    .select()
    .from(localModels)
    .where(and(localModels.chosen, eq(localModels.state, "ready")));
  const none = { generator: null, embedder: null, reranker: null, ...config.modelRunning };
  const files = { ...none, ...config.modelFiles };
  const ids: string[] = [];
  for (const { id, kind, storedName } of rows) {
    if (kind === "chat" || kind === "speech" || settled.includes(kind)) continue;
    const path = modelPath(config.dataDir, storedName);
    if (!existsSync(path)) {
      log.error({ model: id }, "a chosen model's file is gone: it is not loaded");
      continue;
    }
    files[kind] = path;
    ids.push(id);
  }
  return { config: ids.length === 0 ? config : { ...config, modelFiles: files }, ids, settled };
}
