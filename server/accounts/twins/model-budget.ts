/**
 * Daily model budgets of twins. Estimated tokens are reserved before each call and corrected after it. Tokens that a killed process has
 * reserved stay reserved until the next day, so that usage is never counted too low.
 */
import { BACKGROUND_SHARE } from "#contract/models/model-budget.ts";
import type { ModelLimits } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { Problem, tooMany } from "#server/platform/errors.ts";
import type { Log } from "#server/platform/log.ts";
import { type Cost, correctCost, type DayBudget, organizationDay, reserveCost, twinDay } from "./model-days.ts";
import { recordActivity, secondsOfToday, usageDay } from "./usage.ts";

/** The owner is warned when this share of a day's limit is used. */
const WARNING_SHARE = 0.8;

export interface Payer extends Tenant {
  /** Null: no twin answers, and the organisation alone is charged. */
  twinId: string | null;
}

export interface Taken {
  /** Replaces the estimate with the actual cost. An error here does not fail the reply. @param money as in `take` */
  settle(tokens: number, money?: number): Promise<void>;
}

export interface ModelBudget {
  /**
   * Reserves tokens from the daily budgets of the organisation and of the twin, if there is one. It must not be called inside a transaction.
   * @param options.money cost in millionths of the currency of the organisation's own model; absent: no cost is counted
   * @param options.background marks work that no user waits for and that may use only a share of the budget
   * @throws Problem 429 with Retry-After until the next day (see `isBudgetSpent`); 404 when the twin was deleted
   */
  take(payer: Payer, tokens: number, options?: { background?: boolean; money?: number }): Promise<Taken>;
}

const SPENT = "model_budget_spent";

export const isBudgetSpent = (error: unknown): error is Problem => error instanceof Problem && error.code === SPENT;

class Spent extends Error {
  readonly budget: DayBudget;
  readonly what: keyof Cost;

  constructor(budget: DayBudget, what: keyof Cost) {
    super("Spent");
    this.budget = budget;
    this.what = what;
  }
}

export function createModelBudget({ db, log, limits }: { db: Database; log: Log; limits: ModelLimits }): ModelBudget {
  return {
    async take(payer, tokens, { background = false, money = 0 } = {}) {
      const day = usageDay(new Date());
      const { organizationId, twinId } = payer;
      const place = { organizationId, twinId, day };
      const charged = { organizationLimit: limits.organization, twinLimit: limits.twin };
      // The fast path of nearly every call: the limits are far away, and there is no warning to send.
      const share = background ? BACKGROUND_SHARE : WARNING_SHARE;
      const at = await reserveCost(eachAsTenant(db, payer), { ...place, ...charged, tokens, money, share });
      if (at.length === 0) await takeWithALook();

      async function takeWithALook(): Promise<void> {
        // All code locks the organisation's counter first, so that two replies cannot deadlock.
        const budgets = [
          organizationDay(limits, organizationId, day),
          ...(twinId === null ? [] : [twinDay(limits, { organizationId, twinId }, day)]),
        ];
        try {
          await asTenant(db, payer, async (tx) => {
            for (const budget of budgets) await takeFrom(tx, payer, budget, { tokens, money }, background);
          });
        } catch (error) {
          if (!(error instanceof Spent)) throw error;
          const { budget, what } = error;
          if (!background) {
            await asTenant(db, payer, async (tx) => {
              await budget.lock(tx);
              await tell(tx, payer, budget, 100, what);
            });
          }
          throw tooMany(SPENT, `${budget.sentences[what].spent} Он обновится в полночь по Москве.`, {
            retryAfter: secondsOfToday(),
          });
        }
      }

      return {
        async settle(cost, paid = 0) {
          if (cost === tokens && paid === money) return;
          const more = { tokens: cost - tokens, money: paid - money };
          await correctCost(eachAsTenant(db, payer), { ...place, ...more }).catch((error: unknown) => {
            log.error({ err: error, twinId: payer.twinId }, "the cost of a model's call was not corrected");
          });
        },
      };
    },
  };
}

/** @throws Spent */
async function takeFrom(tx: Tx, payer: Payer, budget: DayBudget, cost: Cost, background: boolean): Promise<void> {
  const day = await budget.lock(tx);
  const left = background ? BACKGROUND_SHARE : 1;
  // Money spent on another model must not block a model that costs nothing.
  const counted = cost.money > 0 ? (["tokens", "money"] as const) : (["tokens"] as const);
  for (const what of counted) if (day[what].used + cost[what] > day[what].limit * left) throw new Spent(budget, what);
  await budget.add(tx, cost);
  for (const what of counted)
    if (day[what].used + cost[what] >= day[what].limit * WARNING_SHARE) await tell(tx, payer, budget, 80, what);
}

/** Warns the owner once per day and level, in notifications and on the dashboard. */
async function tell(tx: Tx, payer: Payer, budget: DayBudget, percent: 80 | 100, what: keyof Cost): Promise<void> {
  // Only background work has no twin, and it ends before a limit of which the owner is warned.
  const twin = payer.twinId === null ? null : await budget.markTold(tx, percent, payer.twinId);
  if (twin === null) return;
  const { spent, warning } = budget.sentences[what];
  await recordActivity(tx, payer, twin, "model_budget", percent === 100 ? spent : warning);
}
