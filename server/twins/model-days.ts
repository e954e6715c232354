/** The two daily counters that each model call is charged to: the organisation's and the twin's. */
import { and, eq, lt, sql } from "drizzle-orm";
import type { ModelLimits } from "#server/config.ts";
import type { Tx } from "#server/db/database.ts";
import { dailyUsage, modelBudgets, twins } from "#server/db/schema.ts";
import { twinNotFound } from "./twins.ts";

/** Cost of a model call: tokens, and money in millionths of its currency. */
export interface Cost {
  tokens: number;
  money: number;
}

/** A counter for one day. */
export interface DayBudget {
  sentences: Record<"tokens" | "money", { spent: string; warning: string }>;
  /** Locks the counter until the transaction ends. @throws Problem 404 */
  lock(tx: Tx): Promise<Record<"tokens" | "money", { limit: number; used: number }>>;
  /** @param cost negative when less was used than reserved */
  add(tx: Tx, cost: Cost): Promise<void>;
  /** The twin to name in a warning if this level has not been reported today, otherwise null. */
  markTold(tx: Tx, percent: 80 | 100, twinId: string): Promise<{ id: string; name: string } | null>;
}

/** The administrator's limit, at most the server's. */
export const organizationLimit = (limits: ModelLimits, own: number | null): number =>
  Math.min(own ?? limits.organization, limits.organization);

/** The owner's limit or the default per twin; the organisation's limit applies in addition. */
export const twinLimit = (limits: ModelLimits, own: number | null): number =>
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
      // A server whose clock goes behind does not take the day back.
      await tx
        .update(modelBudgets)
        .set({ day, tokens: 0, money: 0, told: 0 })
        .where(and(eq(modelBudgets.orgId, orgId), lt(modelBudgets.day, day)));
      const [found] = await tx.select().from(modelBudgets).where(eq(modelBudgets.orgId, orgId)).for("no key update");
      const { dailyTokens, tokens, dailyMoney, money } = found!;
      return {
        tokens: { limit: organizationLimit(limits, dailyTokens), used: tokens },
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
      // Only organisations have a limit of money.
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
        tokens: { limit: twinLimit(limits, twin.own), used: found!.used },
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

const plus = (
  column: typeof modelBudgets.tokens | typeof modelBudgets.money | typeof dailyUsage.modelTokens,
  more: number,
) => sql`greatest(0, ${column} + ${more})`;

async function nameOf(tx: Tx, twinId: string): Promise<{ id: string; name: string } | null> {
  const [twin] = await tx.select({ id: twins.id, name: twins.name }).from(twins).where(eq(twins.id, twinId));
  return twin ?? null;
}
