/** Stores rows of installed models and their files, under random names in a folder that only the server may read. */

import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { ModelFile } from "#server/models/host/protocol.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { notFound } from "#server/platform/errors.ts";
import { READER_TOKENS } from "./local-models.ts";
import { neededByCard, neededBytes } from "./model-memory.ts";

export type ModelRow = typeof localModels.$inferSelect;

/** @throws Problem 404 */
export async function getModel(db: Database | Tx, id: string): Promise<ModelRow> {
  const [row] = await db.select().from(localModels).where(eq(localModels.id, id));
  if (row === undefined) throw notFound("Модель не найдена", "model_not_found");
  return row;
}

/**
 * The name keeps a readable part, from which embedding-prefixes.ts derives the model family. The random part keeps users from choosing a
 * path.
 */
export const newStoredName = (name: string): string =>
  `${randomUUID()}-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]/g, "-")
    .slice(0, 60)}`;

export const folderOf = (dataDir: string) => join(dataDir, "models");
export const modelPath = (dataDir: string, storedName: string): string => join(folderOf(dataDir), `${storedName}.gguf`);
export const speechPath = (dataDir: string, storedName: string): string =>
  join(folderOf(dataDir), `${storedName}.speech`);
/** Path of a partial download: a file, or a folder for several files. */
export const partPath = (dataDir: string, storedName: string): string => join(folderOf(dataDir), `${storedName}.part`);

export const makeFolder = (dataDir: string) => mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 });

export async function removeModelFiles(dataDir: string, storedName: string): Promise<void> {
  for (const path of [partPath, modelPath, speechPath])
    await rm(path(dataDir, storedName), { force: true, recursive: true });
}

/** Returns the model in the form that a process loads. @param most maximum context of a generating model, in tokens */
export function loadable(
  row: ModelRow,
  dataDir: string,
  most: number,
): ModelFile & { tokenBytes: number; bytes: number } {
  const limit = row.kind === "chat" ? most : READER_TOKENS;
  return {
    path: modelPath(dataDir, row.storedName),
    contextTokens: Math.min(limit, row.contextTokens ?? limit),
    tokenBytes: row.tokenBytes ?? 0,
    bytes: row.bytes ?? 0,
  };
}

/** Returns the memory that the model is likely to need; null: it is not downloaded yet. */
export function memoryOf(row: ModelRow, most: number): number | null {
  if (row.bytes === null || row.tokenBytes === null) return null;
  if (row.kind === "speech") return neededByCard({ kind: row.kind, bytes: row.bytes });
  const { bytes, tokenBytes, contextTokens } = loadable(row, "", most);
  return neededBytes(bytes, tokenBytes * contextTokens);
}
