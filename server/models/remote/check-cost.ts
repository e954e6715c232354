/** Charges «Проверить» to the organisation's daily budget, like a reply: an estimate before the call, then the counted tokens. */
import { eq } from "drizzle-orm";
import { organizationDay } from "#server/accounts/twins/model-days.ts";
import { tokensOf } from "#server/accounts/twins/model-tokens.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";

export const CHECK_QUESTION = "Ответьте одним словом: да";
export const CHECK_ANSWER_TOKENS = 8;

/** Numbers of tokens. */
export interface CheckUsage {
  input: number;
  output: number;
}

/** Used when the server reports no token counts. */
export const CHECK_ESTIMATE: CheckUsage = { input: tokensOf(CHECK_QUESTION), output: CHECK_ANSWER_TOKENS };

interface Priced {
  currency: string;
  /** Price of 1,000 tokens in `currency`; absent: unknown. */
  inputPrice?: number | undefined;
  outputPrice?: number | undefined;
}

/**
 * Runs `check`, which reports its usage unless it reached no model. An exhausted budget does not refuse it: an administrator must be able
 * to try another model, and each user's calls are limited. Do not call it inside a transaction.
 */
export async function paidCheck<T>(
  { db, config }: { db: Database; config: Pick<Config, "modelLimits"> },
  tenant: Tenant,
  priced: Priced,
  check: (tellCost: (usage: CheckUsage) => void) => Promise<T>,
): Promise<T> {
  const day = organizationDay(config.modelLimits, tenant.organizationId, usageDay(new Date()));
  const reckoned = await isReckoned(db, tenant, priced);
  const costOf = ({ input, output }: CheckUsage) => {
    const { inputPrice, outputPrice } = priced;
    const known = reckoned && inputPrice !== undefined && outputPrice !== undefined;
    const money = known ? Math.ceil(((input * inputPrice + output * outputPrice) / 1000) * MILLION) : 0;
    return { tokens: input + output, money };
  };
  const taken = costOf(CHECK_ESTIMATE);
  await asTenant(db, tenant, async (tx) => {
    await day.lock(tx);
    await day.add(tx, taken);
  });
  let cost = costOf({ input: 0, output: 0 });
  try {
    return await check((usage) => {
      cost = costOf(usage);
    });
  } finally {
    const left = { tokens: cost.tokens - taken.tokens, money: cost.money - taken.money };
    if (left.tokens !== 0 || left.money !== 0) await asTenant(db, tenant, (tx) => day.add(tx, left));
  }
}

const MILLION = 1_000_000;

/** Whether the prices are in the currency of the connected model, in which the day's cost is summed. */
async function isReckoned(db: Database, tenant: Tenant, { currency }: Priced): Promise<boolean> {
  const [other] = await asTenant(db, tenant, (tx) =>
    tx
      .select({ currency: remoteModels.currency })
      .from(remoteModels)
      .where(eq(remoteModels.orgId, tenant.organizationId)),
  );
  return other === undefined || other.currency === currency;
}
