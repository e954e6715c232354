/**
 * Merges the embedder and the reranker that the administrator chose into the settings. They are loaded when the server starts, because
 * stored vectors depend on the embedder.
 */
import { existsSync } from "node:fs";
import { and, eq } from "drizzle-orm";
import type { ModelKind } from "#contract/models/local-models.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import type { Log } from "#server/platform/log.ts";
import { modelPath } from "./model-rows.ts";

interface ChosenSearchModels {
  /** The settings, completed with the choices for kinds that the settings do not name. */
  config: Config;
  /** Ids of the rows whose models are used. */
  ids: string[];
  /** Kinds whose models the settings name. */
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
