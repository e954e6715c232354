/** Determines the model in use: for the installation, and for an organisation with a choice of its own. */
import { and, eq, ne, or } from "drizzle-orm";
import type { LocalModelChange, ModelKind, OrganizationModel } from "#contract/models/local-models.ts";
import { audit, auditInTenant } from "#server/accounts/auth/audit.ts";
import { askGapsAgain } from "#server/accounts/twins/ask-gaps-again.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { localModels, organizationModels } from "#server/platform/db/schema/models.ts";
import { conflict, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { forModels, gigabytes, thisMachine } from "./model-memory.ts";
import type { ModelRegistry } from "./model-registry.ts";
import { getModel, type ModelRow, memoryOf } from "./model-rows.ts";

interface Deps {
  db: Database;
  config: { modelRunning: Pick<Config["modelRunning"], "contextTokens"> };
  modelRegistry: ModelRegistry;
  settledKinds: readonly ModelKind[];
}

/**
 * Changes a model's choice or permission. All organisations may use the installation's model; one of each kind is chosen.
 * @param caller null: the server, for a model that was to be chosen after its download
 * @throws Problem 404; 409 for a model that is not ready, and for forbidding the chosen one; 422 when all together do not fit into memory
 */
export async function changeModel(
  deps: Pick<Deps, "db" | "config"> & { modelRegistry: Pick<ModelRegistry, "refresh"> },
  caller: Pick<Caller, "userId" | "organizationId"> | null,
  id: string,
  change: LocalModelChange,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const row = await getModel(tx, id);
    if (row.state !== "ready") throw conflict("model_not_ready", "Модель ещё не готова: дождитесь конца загрузки");
    const chosen = change.chosen ?? row.chosen;
    if (change.allowed === false && chosen)
      throw conflict("model_chosen", "Эта модель отвечает за всех. Сначала выберите другую или отключите её");
    const allowed = row.kind === "chat" && (chosen || (change.allowed ?? row.allowed));
    if ((chosen && !row.chosen) || (allowed && !row.allowed)) await checkMemory(tx, deps.config, row, chosen);
    if (chosen) {
      const others = and(eq(localModels.kind, row.kind), ne(localModels.id, id));
      // Cancels pending choices of other models: this choice is newer.
      await tx.update(localModels).set({ chosen: false, wanted: false }).where(others);
    }
    await tx
      .update(localModels)
      .set({ chosen, allowed, wanted: false, updatedAt: new Date() })
      .where(eq(localModels.id, id));
    const detail = { name: row.name, chosen, allowed };
    await audit(tx, { action: "model-chosen", ...caller, subject: id, detail });
  });
  await deps.modelRegistry.refresh();
}

/** All allowed models must fit into memory together, so that no organisation's choice makes replies fail. */
async function checkMemory(
  tx: Tx,
  { modelRunning: { contextTokens: most } }: Deps["config"],
  added: ModelRow,
  chosen: boolean,
): Promise<void> {
  const serving = await tx
    .select()
    .from(localModels)
    .where(and(or(localModels.chosen, localModels.allowed), ne(localModels.id, added.id)));
  // The previously chosen search model is replaced; a generating model stays allowed.
  const beside = serving.filter(({ kind }) => !(chosen && kind === added.kind && kind !== "chat"));
  const needed = [...beside, added].reduce((sum, row) => sum + (memoryOf(row, most) ?? 0), 0);
  const room = forModels(thisMachine());
  if (needed <= room) return;
  throw unprocessable(
    "models_too_big",
    beside.length === 0
      ? `Модели нужно ${gigabytes(needed)} памяти, а на этом сервере для моделей есть ${gigabytes(room)}`
      : `Вместе с уже разрешёнными моделями нужно ${gigabytes(needed)} памяти, а есть ${gigabytes(room)}. Сначала отключите одну из них`,
  );
}

/** Returns the organisation's choice among the models in use: a model, null for none, undefined for the installation's. */
async function findChosenModel(db: Database, tenant: Tenant, answering: readonly ModelRow[]) {
  const [row] = await asTenant(db, tenant, (tx) =>
    tx
      .select({ modelId: organizationModels.modelId })
      .from(organizationModels)
      .where(eq(organizationModels.orgId, tenant.organizationId)),
  );
  if (row === undefined) return undefined;
  if (row.modelId === null) return null;
  // When the chosen model is no longer allowed, the organisation uses the installation's model.
  return answering.find(({ id }) => id === row.modelId);
}

/** Returns the model that the organisation uses, or null. */
export async function modelFor(db: Database, tenant: Tenant, answering: readonly ModelRow[]): Promise<ModelRow | null> {
  if (answering.length === 0) return null;
  const own = await findChosenModel(db, tenant, answering);
  return own === undefined ? (answering.find(({ chosen }) => chosen) ?? null) : own;
}

export async function organizationModel(
  { db, modelRegistry, settledKinds }: Deps,
  tenant: Tenant,
): Promise<OrganizationModel> {
  const answering = await modelRegistry.answering();
  const own = await findChosenModel(db, tenant, answering);
  return {
    choice: own === undefined ? "default" : own === null ? "none" : own.id,
    defaultName: answering.find(({ chosen }) => chosen)?.name ?? null,
    models: answering.map(({ id, name }) => ({ id, name })),
    settled: settledKinds.includes("chat"),
  };
}

/** The choice applies from the next answer. @throws Problem 422 for a model that is not allowed */
export async function chooseForOrganization(
  deps: Deps & { jobs: Pick<Jobs, "enqueue"> },
  caller: Caller,
  choice: string,
): Promise<OrganizationModel> {
  await deps.modelRegistry.refresh();
  const answering = await deps.modelRegistry.answering();
  const model = answering.find(({ id }) => id === choice);
  if (choice !== "default" && choice !== "none" && model === undefined)
    throw unprocessable("model_not_allowed", "Этой модели нет среди разрешённых. Обновите страницу и выберите другую");
  const { organizationId, userId } = caller;
  await asTenant(deps.db, caller, async (tx) => {
    const ours = eq(organizationModels.orgId, organizationId);
    if (choice === "default") await tx.delete(organizationModels).where(ours);
    else {
      const set = { modelId: model?.id ?? null, setBy: userId, setAt: new Date() };
      await tx
        .insert(organizationModels)
        .values({ orgId: organizationId, ...set })
        .onConflictDoUpdate({ target: organizationModels.orgId, set });
    }
    const detail = { name: model?.name ?? (choice === "none" ? "без модели" : "модель установки") };
    await auditInTenant(tx, { action: "organization-model-chosen", userId, organizationId, detail });
    if (choice !== "none") await askGapsAgain(tx, deps.jobs, caller);
  });
  return organizationModel(deps, caller);
}
