/**
 * Defines how the answers of a period are counted for every figure that shows them. The count includes every asker, so that it only grows
 * (docs/decisions/037-analytics-counts.md). Quality is measured on answers to customers. Until there are any, it is measured on members' test chats, so that a
 * user who tries the product sees what the page is for (docs/decisions/037-analytics-counts.md).
 */

import { eq, type SQL, sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { dailyUsage } from "#server/platform/db/schema/twins.ts";

/** Answers of a twin on a day, and how many of them were given in test chats. */
export const answers = sql<number>`${dailyUsage.messages}`;
export const answersInTests = sql<number>`${dailyUsage.tests}`;

/** Columns of a day of a twin, of which the means are made. */
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
