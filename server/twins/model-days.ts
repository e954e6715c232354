/** The two counts that a call of the language model is taken from: its organisation's day and its twin's. */
import { and, eq, lt, sql } from "drizzle-orm";
import type { ModelLimits } from "#server/config.ts";
import type { Tx } from "#server/db/database.ts";
import { dailyUsage, modelBudgets, twins } from "#server/db/schema.ts";
import { twinNotFound } from "./twins.ts";

/** One count of one day. */
export interface DayBudget {
  spentSentence: string;
  warningSentence: string;
  /** Until the transaction ends nobody else takes from it. @throws Problem 404 */
  lock(tx: Tx): Promise<{ limit: number; used: number }>;
  /** @param tokens negative where less was needed than taken */
  add(tx: Tx, tokens: number): Promise<void>;
  /** The twin to name when this level was not told of yet today; else null. */
  markTold(tx: Tx, percent: 80 | 100, twinId: string): Promise<{ id: string; name: string } | null>;
}

/** What the administrator has set, never more than the server allows. */
export const organizationLimit = (limits: ModelLimits, own: number | null): number =>
  Math.min(own ?? limits.organization, limits.organization);

/** What the owner has set, or what each twin has; the organisation's own limit holds beside it. */
export const twinLimit = (limits: ModelLimits, own: number | null): number =>
  Math.min(own ?? limits.twin, limits.organization);

export function organizationDay(limits: ModelLimits, orgId: string, day: string): DayBudget {
  const row = and(eq(modelBudgets.orgId, orgId), eq(modelBudgets.day, day));
  return {
    spentSentence: "Дневной лимит токенов организации исчерпан.",
    warningSentence: "Израсходовано 80 % дневного лимита токенов организации.",
    async lock(tx) {
      await tx.insert(modelBudgets).values({ orgId, day }).onConflictDoNothing();
      // A server whose clock goes behind does not take the day back.
      await tx
        .update(modelBudgets)
        .set({ day, tokens: 0, told: 0 })
        .where(and(eq(modelBudgets.orgId, orgId), lt(modelBudgets.day, day)));
      const [found] = await tx
        .select({ own: modelBudgets.dailyTokens, used: modelBudgets.tokens })
        .from(modelBudgets)
        .where(eq(modelBudgets.orgId, orgId))
        .for("no key update");
      return { limit: organizationLimit(limits, found!.own), used: found!.used };
    },
    async add(tx, tokens) {
      await tx
        .update(modelBudgets)
        .set({ tokens: plus(modelBudgets.tokens, tokens) })
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
    spentSentence: "Дневной лимит токенов двойника исчерпан.",
    warningSentence: "Израсходовано 80 % дневного лимита токенов двойника.",
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
      return { limit: twinLimit(limits, twin.own), used: found!.used };
    },
    async add(tx, tokens) {
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

const plus = (column: typeof modelBudgets.tokens | typeof dailyUsage.modelTokens, tokens: number) =>
  sql`greatest(0, ${column} + ${tokens})`;

async function nameOf(tx: Tx, twinId: string): Promise<{ id: string; name: string } | null> {
  const [twin] = await tx.select({ id: twins.id, name: twins.name }).from(twins).where(eq(twins.id, twinId));
  return twin ?? null;
}
