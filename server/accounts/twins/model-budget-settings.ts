/** Shows and changes the daily limits of the language model, for administrators and owners. */
import { and, eq } from "drizzle-orm";
import type { ModelBudget, ModelBudgetInput } from "#contract/models/model-budget.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { dailyUsage, modelBudgets, twins } from "#server/platform/db/schema/twins.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { organizationDailyTokenLimit, twinDailyTokenLimit } from "./model-days.ts";
import { getChangeableTwin, getTwinRow } from "./twins.ts";
import { usageDay } from "./usage.ts";

export interface BudgetDeps {
  db: Database;
  config: Pick<Config, "llm" | "modelLimits">;
}

export function organizationBudget({ db, config }: BudgetDeps, tenant: Tenant): Promise<ModelBudget> {
  return asTenant(db, tenant, (tx) => readOrganization(tx, config, tenant));
}

/** Whether the twin may use a model that costs tokens: the operator's or the organisation's own. */
async function isCounted(tx: Tx, { llm }: BudgetDeps["config"], orgId: string): Promise<boolean> {
  if (llm !== null) return true;
  const own = await tx.select({ orgId: remoteModels.orgId }).from(remoteModels).where(eq(remoteModels.orgId, orgId));
  return own.length > 0;
}

async function readOrganization(tx: Tx, config: BudgetDeps["config"], tenant: Tenant): Promise<ModelBudget> {
  if (!(await isCounted(tx, config, tenant.organizationId))) return { budget: null };
  const [row] = await tx.select().from(modelBudgets).where(eq(modelBudgets.orgId, tenant.organizationId));
  const own = row?.dailyTokens ?? null;
  return {
    budget: {
      limit: organizationDailyTokenLimit(config.modelLimits, own),
      own,
      most: config.modelLimits.organization,
      used: row?.day === usageDay(new Date()) ? row.tokens : 0,
    },
  };
}

/** @throws Problem 422 for a limit above the server's */
export function setOrganizationBudget(
  { db, config }: BudgetDeps,
  tenant: Tenant,
  input: ModelBudgetInput,
): Promise<ModelBudget> {
  const dailyTokens = within(config.modelLimits.organization, input);
  const { organizationId: orgId, userId } = tenant;
  return asTenant(db, tenant, async (tx) => {
    // A user who was warned about the old limit is warned about the new one as well.
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
export function twinBudget({ db, config }: BudgetDeps, caller: Caller, id: string): Promise<ModelBudget> {
  return asTenant(db, caller, async (tx) => {
    const { dailyModelTokens } = await getTwinRow(tx, caller, id);
    return readTwin(tx, config, { id, orgId: caller.organizationId, own: dailyModelTokens });
  });
}

async function readTwin(
  tx: Tx,
  config: BudgetDeps["config"],
  { id, orgId, own }: { id: string; orgId: string; own: number | null },
): Promise<ModelBudget> {
  if (!(await isCounted(tx, config, orgId))) return { budget: null };
  const [row] = await tx
    .select({ used: dailyUsage.modelTokens })
    .from(dailyUsage)
    .where(and(eq(dailyUsage.twinId, id), eq(dailyUsage.day, usageDay(new Date()))));
  const { modelLimits } = config;
  return {
    budget: { limit: twinDailyTokenLimit(modelLimits, own), own, most: modelLimits.organization, used: row?.used ?? 0 },
  };
}

/** @throws Problem 404, 403; 422: more than the server allows */
export function setTwinBudget(
  { db, config }: BudgetDeps,
  caller: Caller,
  id: string,
  input: ModelBudgetInput,
): Promise<ModelBudget> {
  return asTenant(db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, id);
    const dailyTokens = within(config.modelLimits.organization, input);
    await tx.update(twins).set({ dailyModelTokens: dailyTokens }).where(eq(twins.id, id));
    await tx.update(dailyUsage).set({ modelTold: 0 }).where(eq(dailyUsage.twinId, id));
    const { organizationId, userId } = caller;
    await auditInTenant(tx, {
      action: "model-budget-set",
      userId,
      organizationId,
      subject: id,
      detail: { dailyTokens },
    });
    return readTwin(tx, config, { id, orgId: organizationId, own: dailyTokens });
  });
}

/** Returns the limit to store; null stands for the server's default. */
function within(most: number, { dailyTokens }: ModelBudgetInput): number | null {
  if (dailyTokens === 0) return null;
  if (dailyTokens <= most) return dailyTokens;
  const sentence = `Не больше ${most.toLocaleString("ru-RU")}: таков предел для организации`;
  throw unprocessable("too_many_tokens", sentence, { fields: { dailyTokens: sentence } });
}
