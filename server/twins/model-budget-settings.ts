/** The day's limits of the language model as administrators and owners see and set them. */
import { and, eq } from "drizzle-orm";
import type { ModelBudget, ModelBudgetInput } from "#contract/model-budget.ts";
import { auditInTenant } from "#server/auth/audit.ts";
import type { Config } from "#server/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { dailyUsage, modelBudgets, twins } from "#server/db/schema.ts";
import { unprocessable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { organizationLimit, twinLimit } from "./model-days.ts";
import { getChangeableTwin, getTwinRow } from "./twins.ts";
import { usageDay } from "./usage.ts";

export interface BudgetDeps {
  db: Database;
  config: Pick<Config, "llm" | "modelLimits">;
}

export function organizationBudget({ db, config }: BudgetDeps, tenant: Tenant): Promise<ModelBudget> {
  return asTenant(db, tenant, (tx) => readOrganization(tx, config, tenant));
}

async function readOrganization(tx: Tx, config: BudgetDeps["config"], tenant: Tenant): Promise<ModelBudget> {
  if (config.llm === null) return { budget: null };
  const [row] = await tx.select().from(modelBudgets).where(eq(modelBudgets.orgId, tenant.organizationId));
  const own = row?.dailyTokens ?? null;
  return {
    budget: {
      limit: organizationLimit(config.modelLimits, own),
      own,
      most: config.modelLimits.organization,
      used: row?.day === usageDay(new Date()) ? row.tokens : 0,
    },
  };
}

/** @throws Problem 422: more than the server allows */
export function setOrganizationBudget(
  { db, config }: BudgetDeps,
  tenant: Tenant,
  input: ModelBudgetInput,
): Promise<ModelBudget> {
  const dailyTokens = within(config.modelLimits.organization, input);
  const { organizationId: orgId, userId } = tenant;
  return asTenant(db, tenant, async (tx) => {
    // Whoever was warned of the old limit is warned of the new one.
    await tx
      .insert(modelBudgets)
      .values({ orgId, dailyTokens })
      .onConflictDoUpdate({ target: modelBudgets.orgId, set: { dailyTokens, told: 0 } });
    await auditInTenant(tx, {
      action: "model-budget-set",
      userId,
      organizationId: orgId,
      subject: orgId,
      detail: { dailyTokens },
    });
    return readOrganization(tx, config, tenant);
  });
}

/** @throws Problem 404 */
export function twinBudget({ db, config }: BudgetDeps, viewer: Viewer, id: string): Promise<ModelBudget> {
  return asTenant(db, viewer, async (tx) => {
    const { dailyModelTokens } = await getTwinRow(tx, viewer, id);
    return readTwin(tx, config, { id, own: dailyModelTokens });
  });
}

async function readTwin(
  tx: Tx,
  config: BudgetDeps["config"],
  { id, own }: { id: string; own: number | null },
): Promise<ModelBudget> {
  if (config.llm === null) return { budget: null };
  const [row] = await tx
    .select({ used: dailyUsage.modelTokens })
    .from(dailyUsage)
    .where(and(eq(dailyUsage.twinId, id), eq(dailyUsage.day, usageDay(new Date()))));
  const { modelLimits } = config;
  return { budget: { limit: twinLimit(modelLimits, own), own, most: modelLimits.organization, used: row?.used ?? 0 } };
}

/** @throws Problem 404, 403; 422: more than the server allows */
export function setTwinBudget(
  { db, config }: BudgetDeps,
  viewer: Viewer,
  id: string,
  input: ModelBudgetInput,
): Promise<ModelBudget> {
  return asTenant(db, viewer, async (tx) => {
    await getChangeableTwin(tx, viewer, id);
    const dailyTokens = within(config.modelLimits.organization, input);
    await tx.update(twins).set({ dailyModelTokens: dailyTokens }).where(eq(twins.id, id));
    await tx.update(dailyUsage).set({ modelTold: 0 }).where(eq(dailyUsage.twinId, id));
    const { organizationId, userId } = viewer;
    await auditInTenant(tx, {
      action: "model-budget-set",
      userId,
      organizationId,
      subject: id,
      detail: { dailyTokens },
    });
    return readTwin(tx, config, { id, own: dailyTokens });
  });
}

/** null: what the server gives. */
function within(most: number, { dailyTokens }: ModelBudgetInput): number | null {
  if (dailyTokens === 0) return null;
  if (dailyTokens <= most) return dailyTokens;
  const sentence = `Не больше ${most.toLocaleString("ru-RU")}: таков предел для организации`;
  throw unprocessable("too_many_tokens", sentence, { fields: { dailyTokens: sentence } });
}
