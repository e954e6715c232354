/**
 * Defines how all figures count the answers of a period. The count includes every asker, so it only grows
 * (docs/decisions/037-analytics-counts.md). Quality is measured on answers to customers; until there are any, on members' test chats, so
 * that a new user sees the purpose of the page (docs/decisions/037-analytics-counts.md).
 */

import { eq, type SQL, sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { dailyUsage } from "#server/platform/db/schema/twins.ts";

/** SQL for the number of a twin's answers on a day. */
export const answers = sql<number>`${dailyUsage.messages}`;
/** SQL for the number of those that were given in test chats. */
export const answersInTests = sql<number>`${dailyUsage.tests}`;

/** SQL for the sums of a twin's day from which the means are computed. */
export interface MeasuredAnswers {
  areTests: boolean;
  measured: SQL<number>;
  confidence: SQL<number>;
  duration: SQL<number>;
}

const { messages, measured, confidenceSum, durationSum, tests, testsMeasured, testsConfidenceSum, testsDurationSum } =
  dailyUsage;

const toAnybody: MeasuredAnswers = {
  areTests: true,
  measured: sql`${measured}`,
  confidence: sql`${confidenceSum}`,
  duration: sql`${durationSum}`,
};

const toCustomers: MeasuredAnswers = {
  areTests: false,
  measured: sql`(${measured} - ${testsMeasured})`,
  confidence: sql`(${confidenceSum} - ${testsConfidenceSum})`,
  duration: sql`(${durationSum} - ${testsDurationSum})`,
};

export async function measuredAnswers(tx: Tx, { organizationId }: Tenant): Promise<MeasuredAnswers> {
  const [usage] = await tx
    .select({
      tests: sql<boolean>`coalesce(bool_or(${tests} > 0), false)`,
      customers: sql<boolean>`coalesce(bool_or(${messages} > ${tests}), false)`,
    })
    .from(dailyUsage)
    .where(eq(dailyUsage.orgId, organizationId));
  return usage?.tests && !usage.customers ? toAnybody : toCustomers;
}
