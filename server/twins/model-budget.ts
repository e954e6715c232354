/**
 * What twins may cost in a day: tokens of the language model are taken before each call, by an estimate, and corrected when the call has
 * ended. What a killed process has taken stays taken until the next day: never too little is counted.
 */
import type { ModelLimits } from "#server/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { Problem, tooMany } from "#server/errors.ts";
import type { Log } from "#server/log.ts";
import { type DayBudget, organizationDay, twinDay } from "./model-days.ts";
import { recordActivity, secondsOfToday, usageDay } from "./usage.ts";

/** Of a day's limit: from here on the owner is warned. */
export const WARNING_SHARE = 0.8;
/** Measuring a twin and asking it again may take no more of the day than this: the rest is for people who wait. */
export const BACKGROUND_SHARE = 0.5;

/** For whose twin a model is asked. */
export interface Payer extends Tenant {
  twinId: string;
}

export interface Taken {
  /** Corrects the estimate by what the call has really cost. It never fails the reply. */
  settle(tokens: number): Promise<void>;
}

export interface ModelBudget {
  /**
   * Takes so many tokens from the day of the organisation and of the twin, both or neither. Not to be called inside a transaction.
   * @param options.background nobody waits for it: only a part of the day is for such
   * @throws Problem 429 with Retry-After until the next day (see `isBudgetSpent`); 404 when the twin is gone
   */
  take(payer: Payer, tokens: number, options?: { background?: boolean }): Promise<Taken>;
}

const SPENT = "model_budget_spent";

export const isBudgetSpent = (error: unknown): error is Problem => error instanceof Problem && error.code === SPENT;

/** Ends the transaction that took. */
class Spent extends Error {
  readonly budget: DayBudget;

  constructor(budget: DayBudget) {
    super("Spent");
    this.budget = budget;
  }
}

export function createModelBudget({ db, log, limits }: { db: Database; log: Log; limits: ModelLimits }): ModelBudget {
  return {
    async take(payer, tokens, { background = false } = {}) {
      const day = usageDay(new Date());
      // The organisation first, here and when it is corrected: two replies never wait for each other.
      const budgets = [organizationDay(limits, payer.organizationId, day), twinDay(limits, payer, day)];
      try {
        await asTenant(db, payer, async (tx) => {
          for (const budget of budgets) await takeFrom(tx, payer, budget, tokens, background);
        });
      } catch (error) {
        if (!(error instanceof Spent)) throw error;
        const { budget } = error;
        if (!background) {
          await asTenant(db, payer, async (tx) => {
            await budget.lock(tx);
            await tell(tx, payer, budget, 100);
          });
        }
        throw tooMany(SPENT, `${budget.spentSentence} Он обновится в полночь по Москве.`, {
          retryAfter: secondsOfToday(),
        });
      }
      return {
        async settle(cost) {
          if (cost === tokens) return;
          const correct = async (tx: Tx) => {
            for (const budget of budgets) await budget.add(tx, cost - tokens);
          };
          await asTenant(db, payer, correct).catch((error: unknown) => {
            log.error({ err: error, twinId: payer.twinId }, "the cost of a model's call was not corrected");
          });
        },
      };
    },
  };
}

/** @throws Spent */
async function takeFrom(tx: Tx, payer: Payer, budget: DayBudget, tokens: number, background: boolean): Promise<void> {
  const { limit, used } = await budget.lock(tx);
  if (used + tokens > limit * (background ? BACKGROUND_SHARE : 1)) throw new Spent(budget);
  await budget.add(tx, tokens);
  if (used + tokens >= limit * WARNING_SHARE) await tell(tx, payer, budget, 80);
}

/** Once a day and level: under the bell and on the dashboard. */
async function tell(tx: Tx, payer: Payer, budget: DayBudget, percent: 80 | 100): Promise<void> {
  const twin = await budget.markTold(tx, percent, payer.twinId);
  if (twin === null) return;
  await recordActivity(
    tx,
    payer,
    twin,
    "model_budget",
    percent === 100 ? budget.spentSentence : budget.warningSentence,
  );
}
