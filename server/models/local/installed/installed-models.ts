/** Lists installed models for the administrator's screen, and installs, pauses, resumes and removes them. */
import { count, eq, isNotNull, sql } from "drizzle-orm";
import type { LocalModel, LocalModels, ModelKind } from "#contract/models/local-models.ts";
import { audit } from "#server/accounts/auth/audit.ts";
import type { Config } from "#server/platform/config.ts";
import { asPlatform, type Database } from "#server/platform/db/database.ts";
import { localModels, organizationModels } from "#server/platform/db/schema/models.ts";
import { conflict, notFound, outOfSpace, unprocessable } from "#server/platform/errors.ts";
import type { Disk } from "#server/platform/files/disk.ts";
import { stopAppending } from "#server/platform/files/resumable-file.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { recommendModels } from "../catalogue/advise.ts";
import { aboutOf, CATALOGUE, canExtractFacts, catalogueModel } from "../catalogue/catalogue.ts";
import { recommend } from "../catalogue/recommend.ts";
import { sentenceOf } from "../files/problems.ts";
import type { ModelDownloads } from "../model-downloads.ts";
import { forModels, neededByCard, thisMachine } from "../model-memory.ts";
import type { ModelRegistry } from "../model-registry.ts";
import { getModel, type ModelRow, memoryOf, newStoredName, partPath, removeModelFiles } from "../model-rows.ts";
import { isOfferDismissed } from "./offer.ts";

export interface InstalledDeps {
  db: Database;
  config: Pick<Config, "dataDir" | "modelHub" | "modelRunning">;
  disk: Disk;
  downloads: ModelDownloads;
  modelRegistry: ModelRegistry;
  /** Ids of the rows whose models the server loaded at its start. */
  loadedReaders: readonly string[];
  /** Kinds whose models the settings name; settings override choices on the screen. */
  settledKinds: readonly ModelKind[];
}

export async function listModels(deps: InstalledDeps, { userId }: Caller): Promise<LocalModels> {
  const { db, config, disk, settledKinds } = deps;
  const { freeBytes, floorBytes } = await disk.look();
  const machine = { ...thisMachine(), diskBytes: Math.max(0, freeBytes - floorBytes) };
  const verdicts = recommend(CATALOGUE, machine);
  const rows = await db.select().from(localModels).orderBy(localModels.createdAt, localModels.id);
  const users = await countUsers(db);
  return {
    machine,
    hub: new URL(config.modelHub.origin).host,
    settled: [...settledKinds],
    catalogue: CATALOGUE.map((model) => {
      const { id, kind, name, licence, source, bytes, figures } = model;
      return {
        ...{ id, kind, name, licence, source, bytes },
        about: aboutOf(model),
        memoryBytes: neededByCard(model),
        verdict: verdicts.get(id)!,
        reads: canExtractFacts(model),
        figures: [...figures],
      };
    }),
    advised: recommendModels(verdicts, machine, rows, {
      settled: settledKinds,
      most: config.modelRunning.contextTokens,
    }),
    installed: rows.map((row) => shown(deps, row, users.get(row.id) ?? 0)),
    offerPassed: await isOfferDismissed(db, userId),
  };
}

async function countUsers(db: Database): Promise<Map<string, number>> {
  const rows = await asPlatform(db, (tx) =>
    tx
      .select({ modelId: organizationModels.modelId, users: count() })
      .from(organizationModels)
      .where(isNotNull(organizationModels.modelId))
      .groupBy(organizationModels.modelId),
  );
  return new Map(rows.map(({ modelId, users }) => [modelId!, users]));
}

/** Whether the download can be resumed or repeated, because the cause of its failure may be gone. */
const isResumable = ({ state, catalogueId }: ModelRow): boolean =>
  catalogueId !== null && (state === "paused" || state === "failed");

/** @throws Problem 404 */
export async function oneModel(deps: InstalledDeps, id: string): Promise<LocalModel> {
  return shown(deps, await getModel(deps.db, id), (await countUsers(deps.db)).get(id) ?? 0);
}

function shown({ config, downloads, loadedReaders }: InstalledDeps, row: ModelRow, organizations: number): LocalModel {
  const { id, kind, name, catalogueId, state, bytes, received, allowed, chosen, wanted, problem } = row;
  return {
    ...{ id, kind, name, catalogueId, state, bytes, received, allowed, chosen, wanted, organizations },
    problem: sentenceOf(problem),
    resumable: isResumable(row),
    bytesPerSecond: state === "downloading" ? downloads.speedOf(id) : null,
    memoryBytes: memoryOf(row, config.modelRunning.contextTokens),
    afterRestart: (kind === "embedder" || kind === "reranker") && chosen !== loadedReaders.includes(id),
  };
}

/** @throws Problem 404; 409 when it is installed already; 422 for a model that this machine cannot run; 507 */
export async function installModel(
  deps: InstalledDeps,
  caller: Caller,
  { catalogueId, choose = false }: { catalogueId: string; choose?: boolean | undefined },
): Promise<LocalModel> {
  const model = catalogueModel(catalogueId);
  if (model === undefined) throw notFound("Такой модели нет в каталоге", "model_not_found");
  if (neededByCard(model) > forModels(thisMachine()))
    throw unprocessable("no_memory", "Этой модели не хватит памяти на этом сервере. Выберите модель поменьше");
  const { freeBytes, floorBytes } = await deps.disk.look();
  if (freeBytes - model.bytes < floorBytes) throw outOfSpace("no_space", sentenceOf("no-space")!);
  const { userId, organizationId } = caller;
  const id = await deps.db.transaction(async (tx) => {
    const { kind, name } = model;
    const values = { kind, name, catalogueId, storedName: newStoredName(name), wanted: choose } as const;
    const [row] = await tx
      .insert(localModels)
      .values({ ...values, state: "downloading" })
      .onConflictDoNothing()
      .returning({ id: localModels.id });
    if (row === undefined) throw conflict("model_installed", "Эта модель уже скачивается или установлена");
    await audit(tx, { action: "model-added", userId, organizationId, subject: row.id, detail: { name, choose } });
    return row.id;
  });
  deps.downloads.begin(id);
  return oneModel(deps, id);
}

/** @throws Problem 404, 409 */
export async function pauseModel(deps: InstalledDeps, id: string): Promise<LocalModel> {
  await move(deps, id, (row) => row.state === "downloading" || row.state === "paused", "paused");
  await deps.downloads.stop(id);
  return oneModel(deps, id);
}

/** @throws Problem 404, 409 */
export async function resumeModel(deps: InstalledDeps, id: string): Promise<LocalModel> {
  await move(deps, id, (row) => row.state === "downloading" || isResumable(row), "downloading");
  deps.downloads.begin(id);
  return oneModel(deps, id);
}

async function move(
  { db }: InstalledDeps,
  id: string,
  may: (row: ModelRow) => boolean,
  state: "paused" | "downloading",
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await getModel(tx, id);
    if (!may(row)) throw conflict("model_state_differs", "С этой моделью сейчас так нельзя: обновите страницу");
    if (row.state === state) return;
    await tx.update(localModels).set({ state, problem: null, updatedAt: sql`now()` }).where(eq(localModels.id, id));
  });
}

/** Removes the model with its file, once no answer uses it. @throws Problem 404; 409 for the installation's chosen model */
export async function removeModel(deps: InstalledDeps, caller: Caller, id: string): Promise<void> {
  const { db, config, downloads, modelRegistry } = deps;
  const { userId, organizationId } = caller;
  const storedName = await db.transaction(async (tx) => {
    const row = await getModel(tx, id);
    if (row.chosen)
      throw conflict("model_chosen", "Эта модель сейчас выбрана. Сначала выберите другую или отключите её");
    await tx.delete(localModels).where(eq(localModels.id, id));
    await audit(tx, { action: "model-removed", userId, organizationId, subject: id, detail: { name: row.name } });
    return row.storedName;
  });
  stopAppending(partPath(config.dataDir, storedName));
  await downloads.stop(id);
  // Answers in progress are completed first.
  await modelRegistry.letGo(id);
  await removeModelFiles(config.dataDir, storedName);
}
