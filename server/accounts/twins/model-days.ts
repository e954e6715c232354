/** The two daily counters that each model call is charged to: the organisation's and the twin's. */
import { and, eq, lt, sql } from "drizzle-orm";
import type { ModelLimits } from "#server/platform/config.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { namedStatement } from "#server/platform/db/named-statement.ts";
import { dailyUsage, modelBudgets, twins } from "#server/platform/db/schema/twins.ts";
import { twinNotFound } from "./twins.ts";

/** Cost of a model call: tokens, and money in millionths of its currency. */
export interface Cost {
  tokens: number;
  money: number;
}

export interface DayBudget {
  sentences: Record<"tokens" | "money", { spent: string; warning: string }>;
  /** Locks the counter's row until the transaction ends. @throws Problem 404 */
  lock(tx: Tx): Promise<Record<"tokens" | "money", { limit: number; used: number }>>;
  /** @param cost negative when less was used than reserved */
  add(tx: Tx, cost: Cost): Promise<void>;
  /** Returns the twin to name in a warning if this level has not been reported today, otherwise null. */
  markTold(tx: Tx, percent: 80 | 100, twinId: string): Promise<{ id: string; name: string } | null>;
}

/** Returns the administrator's limit of tokens a day, at most the server's. */
export const organizationDailyTokenLimit = (limits: ModelLimits, own: number | null): number =>
  Math.min(own ?? limits.organization, limits.organization);

/** Returns the owner's limit of tokens a day, or the default per twin; the organisation's limit applies in addition. */
export const twinDailyTokenLimit = (limits: ModelLimits, own: number | null): number =>
  Math.min(own ?? limits.twin, limits.organization);

export function organizationDay(limits: ModelLimits, orgId: string, day: string): DayBudget {
  const row = and(eq(modelBudgets.orgId, orgId), eq(modelBudgets.day, day));
  return {
    sentences: {
      tokens: {
        spent: "Дневной лимит токенов организации исчерпан.",
        warning: "Израсходовано 80 % дневного лимита токенов организации.",
      },
      money: {
        spent: "Дневной лимит расходов организации на модель исчерпан.",
        warning: "Израсходовано 80 % дневного лимита расходов организации на модель.",
      },
    },
    async lock(tx) {
      await tx.insert(modelBudgets).values({ orgId, day }).onConflictDoNothing();
      // A server whose clock is behind must not set the counters back to the previous day.
      await tx
        .update(modelBudgets)
        .set({ day, tokens: 0, money: 0, told: 0 })
        .where(and(eq(modelBudgets.orgId, orgId), lt(modelBudgets.day, day)));
      const [found] = await tx.select().from(modelBudgets).where(eq(modelBudgets.orgId, orgId)).for("no key update");
      const { dailyTokens, tokens, dailyMoney, money } = found!;
      return {
        tokens: { limit: organizationDailyTokenLimit(limits, dailyTokens), used: tokens },
        money: { limit: dailyMoney ?? Number.POSITIVE_INFINITY, used: money },
      };
    },
    async add(tx, { tokens, money }) {
      await tx
        .update(modelBudgets)
        .set({ tokens: plus(modelBudgets.tokens, tokens), money: plus(modelBudgets.money, money) })
        .where(row);
    },
    async markTold(tx, percent, twinId) {
      const told = await tx
        .update(modelBudgets)
        .set({ told: percent })
        .where(and(row, lt(modelBudgets.told, percent)))
        .returning({ told: modelBudgets.told });
      return told.length === 0 ? null : nameOf(tx, twinId);
    },
  };
}

interface TwinOf {
  organizationId: string;
  twinId: string;
}

export function twinDay(limits: ModelLimits, { organizationId: orgId, twinId }: TwinOf, day: string): DayBudget {
  const row = and(eq(dailyUsage.twinId, twinId), eq(dailyUsage.day, day));
  return {
    sentences: {
      tokens: {
        spent: "Дневной лимит токенов двойника исчерпан.",
        warning: "Израсходовано 80 % дневного лимита токенов двойника.",
      },
      // Money limits exist only for organisations, so a twin's counter never uses these sentences.
      money: { spent: "", warning: "" },
    },
    async lock(tx) {
      const [twin] = await tx
        .select({ own: twins.dailyModelTokens })
        .from(twins)
        .where(and(eq(twins.id, twinId), eq(twins.orgId, orgId)))
        .for("key share");
      if (twin === undefined) throw twinNotFound();
      await tx.insert(dailyUsage).values({ orgId, twinId, day }).onConflictDoNothing();
      const [found] = await tx
        .select({ used: dailyUsage.modelTokens })
        .from(dailyUsage)
        .where(row)
        .for("no key update");
      return {
        tokens: { limit: twinDailyTokenLimit(limits, twin.own), used: found!.used },
        money: { limit: Number.POSITIVE_INFINITY, used: 0 },
      };
    },
    async add(tx, { tokens }) {
      await tx
        .update(dailyUsage)
        .set({ modelTokens: plus(dailyUsage.modelTokens, tokens) })
        .where(row);
    },
    async markTold(tx, percent) {
      const told = await tx
        .update(dailyUsage)
        .set({ modelTold: percent })
        .where(and(row, lt(dailyUsage.modelTold, percent)))
        .returning({ told: dailyUsage.modelTold });
      return told.length === 0 ? null : nameOf(tx, twinId);
    },
  };
}

/** Without a twin, `reserveCost` charges nothing and `correctCost` the organisation alone. */
type Charge = { organizationId: string; twinId: string | null; day: string; tokens: number; money: number };
/** The server's limits in tokens a day, and the share (0..1) of every limit that this call may reach. */
type Limits = { organizationLimit: number; twinLimit: number; share: number };

const value = (name: keyof Charge | keyof Limits) => sql.placeholder(name);

/**
 * Charges both counters when both stay below a share of their limits. It is one statement, because a transaction that holds the
 * organisation's row blocks its other replies. It returns no row when a counter does not exist yet or the limits must be examined. The
 * organisation's row is locked first, as everywhere.
 */
export const reserveCost = namedStatement<Charge & Limits, { taken: boolean }>(
  "model cost",
  sql`with organization as materialized (
      select tokens, money, least(daily_tokens, ${value("organizationLimit")}::float8) as most, coalesce(daily_money, 'infinity'::float8) as most_money
      from model_budgets where org_id = ${value("organizationId")}::uuid and day = ${value("day")}::text for no key update),
    twin as materialized (
      select u.model_tokens as tokens, least(coalesce(t.daily_model_tokens, ${value("twinLimit")}::float8), ${value("organizationLimit")}::float8) as most
      from daily_usage u join twins t on t.id = u.twin_id
      where t.id = ${value("twinId")}::uuid and t.org_id = ${value("organizationId")}::uuid and u.day = ${value("day")}::text and exists (select from organization)
      for no key update of u for key share of t),
    fits as materialized (
      select from organization o, twin t where o.tokens + ${value("tokens")}::bigint < o.most * ${value("share")}::float8
        and t.tokens + ${value("tokens")}::bigint < t.most * ${value("share")}::float8
        and (${value("money")}::bigint = 0 or o.money + ${value("money")}::bigint < o.most_money * ${value("share")}::float8)),
    of_organization as (update model_budgets set tokens = tokens + ${value("tokens")}::bigint, money = money + ${value("money")}::bigint
      where org_id = ${value("organizationId")}::uuid and exists (select from fits)),
    of_twin as (update daily_usage set model_tokens = model_tokens + ${value("tokens")}::bigint
      where twin_id = ${value("twinId")}::uuid and day = ${value("day")}::text and exists (select from fits))
    select true as taken from fits`,
);

/** Corrects both counters of that day; the cost may be negative. */
export const correctCost = namedStatement<Charge, never>(
  "model cost corrected",
  sql`with organization as (update model_budgets set tokens = greatest(0, tokens + ${value("tokens")}::bigint), money = greatest(0, money + ${value("money")}::bigint)
      where org_id = ${value("organizationId")}::uuid and day = ${value("day")}::text returning 1)
    update daily_usage set model_tokens = greatest(0, model_tokens + ${value("tokens")}::bigint)
    where twin_id = ${value("twinId")}::uuid and day = ${value("day")}::text and (select count(*) from organization) >= 0`,
);

const plus = (
  column: typeof modelBudgets.tokens | typeof modelBudgets.money | typeof dailyUsage.modelTokens,
  more: number,
) => sql`greatest(0, ${column} + ${more})`;

async function nameOf(tx: Tx, twinId: string): Promise<{ id: string; name: string } | null> {
  const [twin] = await tx.select({ id: twins.id, name: twins.name }).from(twins).where(eq(twins.id, twinId));
  return twin ?? null;
}
