/**
 * Uploads a model file from the administrator's disk: it arrives in chunks, resumes after an interruption, and is verified when complete.
 */
import { open, stat } from "node:fs/promises";
import { and, eq, isNull } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import type { ModelFileInput } from "#contract/models/local-models.ts";
import { audit } from "#server/accounts/auth/audit.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { conflict, notFound, unprocessable } from "#server/platform/errors.ts";
import type { Disk } from "#server/platform/files/disk.ts";
import { appendToFile, bytesOf, uploadNotFound } from "#server/platform/files/resumable-file.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { FILE_ERRORS, type FileProblem, sentenceOf } from "../files/problems.ts";
import { verifyFile } from "../files/verify-file.ts";
import { forModels, neededBytes, thisMachine } from "../model-memory.ts";
import { getModel, type ModelRow, makeFolder, newStoredName, partPath, removeModelFiles } from "../model-rows.ts";

interface Deps {
  db: Database;
  config: Pick<Config, "dataDir" | "modelRunning">;
  disk: Disk;
}

/** In bytes: enough to recognise a model file. */
const HEAD_BYTES = 24;

/** Begins an upload; the same name and size resume an earlier one. @throws Problem 422 for a model that this machine cannot run, 507 */
export async function beginFile(deps: Deps, caller: Caller, { fileName, bytes }: ModelFileInput): Promise<ModelRow> {
  const { db, config, disk } = deps;
  const name = nameOf(fileName);
  if (neededBytes(bytes, 0) > forModels(thisMachine())) throw unprocessable("no_memory", sentenceOf("no-memory")!);
  const same = and(
    isNull(localModels.catalogueId),
    eq(localModels.name, name),
    eq(localModels.bytes, bytes),
    eq(localModels.state, "uploading"),
  );
  const [begun] = await db.select().from(localModels).where(same).limit(1);
  if (begun !== undefined) return begun;
  await disk.leaveFree(bytes);
  await makeFolder(config.dataDir);
  const storedName = newStoredName(name);
  await (await open(partPath(config.dataDir, storedName), "wx", 0o600)).close();
  const { userId, organizationId } = caller;
  return db.transaction(async (tx) => {
    // The kind is a placeholder until the complete file is verified.
    const values = { kind: "chat", name, storedName, bytes, state: "uploading" } as const;
    const [row] = await tx.insert(localModels).values(values).returning();
    await audit(tx, { action: "model-added", userId, organizationId, subject: row!.id, detail: { name } });
    return row!;
  });
}

/** Strips folders and unprintable characters from the file name. */
const nameOf = (fileName: string): string =>
  fileName
    .normalize("NFC")
    .replace(/^.*[/\\]/s, "")
    .replace(/\.gguf$/i, "")
    .replaceAll(/[\p{C}]/gu, "")
    .trim()
    .slice(0, 120) || "Модель";

/**
 * Appends the request's bytes at `offset`; after the last ones the file is verified and becomes a model.
 * @throws Problem 404; 409 when `offset` is not the file's length; 400 for a broken connection (received bytes are kept); 415 or 422 for
 *   an unusable file, which is removed; 507
 */
export async function appendFile(deps: Deps, id: string, offset: number, request: FastifyRequest): Promise<ModelRow> {
  const source = bytesOf(request.body);
  try {
    const row = await getModel(deps.db, id);
    if (row.state !== "uploading") throw conflict("model_not_uploading", "Этот файл уже загружен");
    const path = partPath(deps.config.dataDir, row.storedName);
    await appendToFile({ path, bytes: row.bytes!, offset, source, disk: deps.disk });
    return await settle(deps, row);
  } catch (error) {
    // The rest of the body is read and discarded, so that the client receives the response.
    source.resume();
    throw error;
  }
}

/** Refuses a file that is not a model as soon as its first bytes have arrived. */
async function settle({ db, config }: Deps, row: ModelRow): Promise<ModelRow> {
  const path = partPath(config.dataDir, row.storedName);
  const { size } = await stat(path);
  if (size < row.bytes!) {
    if (size >= HEAD_BYTES && !(await beginsLikeModel(path))) return refuse(db, config, row, "not-a-model");
    const set = { received: size, updatedAt: new Date() };
    const [kept] = await db.update(localModels).set(set).where(eq(localModels.id, row.id)).returning();
    if (kept === undefined) throw uploadNotFound();
    return kept;
  }
  const settled = await verifyFile({
    dataDir: config.dataDir,
    storedName: row.storedName,
    kind: null,
    fileName: row.name,
    machine: thisMachine(),
    most: config.modelRunning.contextTokens,
  });
  if (typeof settled === "string") return refuse(db, config, row, settled);
  const ready = { ...settled, state: "ready" as const, received: size, updatedAt: new Date() };
  const [kept] = await db.update(localModels).set(ready).where(eq(localModels.id, row.id)).returning();
  if (kept === undefined) {
    await removeModelFiles(config.dataDir, row.storedName);
    throw notFound("Модель не найдена", "model_not_found");
  }
  return kept;
}

async function refuse(db: Database, config: Deps["config"], row: ModelRow, problem: FileProblem): Promise<never> {
  await db.delete(localModels).where(eq(localModels.id, row.id));
  await removeModelFiles(config.dataDir, row.storedName);
  throw unprocessable(FILE_ERRORS[problem], sentenceOf(problem)!);
}

async function beginsLikeModel(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1") === "GGUF";
  } finally {
    await file.close();
  }
}
