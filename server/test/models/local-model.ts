/**
 * A chat model of random weights that answers for all organisations on a test's server, as if it had been installed and chosen on the
 * screen.
 */
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { type ModelRow, makeFolder, modelPath } from "#server/models/local/model-rows.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import type { TestApp } from "../test-app.ts";
import { writeTinyChatModel } from "./tiny-model.ts";

/** @param seed another seed is another model of the same shape */
export async function chooseTinyModel({ services }: TestApp, seed = 1): Promise<ModelRow> {
  const { config, db, modelRegistry } = services;
  const storedName = `${randomUUID()}-tiny`;
  await makeFolder(config.dataDir);
  const path = modelPath(config.dataDir, storedName);
  await writeTinyChatModel(path, seed);
  await db.update(localModels).set({ chosen: false });
  const values = { kind: "chat", name: "Кроха 1", storedName, state: "ready", allowed: true, chosen: true } as const;
  const [row] = await db
    .insert(localModels)
    .values({ ...values, bytes: (await stat(path)).size, contextTokens: 16_384, tokenBytes: 512 })
    .returning();
  await modelRegistry.refresh();
  return row!;
}
