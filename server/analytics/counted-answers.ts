/**
 * Which answers the figures of /analytics are about: those to customers. Until there is one, those in the members' test chats, so that whoever
 * tries the product sees what the page is for (docs/decisions/119).
 */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/db/database.ts";
import { dailyUsage } from "#server/db/schema.ts";

/** Columns of a day of a twin. */
export interface CountedAnswers {
  areTests: boolean;
  messages: SQL<number>;
  measured: SQL<number>;
  confidence: SQL<number>;
  duration: SQL<number>;
}

const { messages, measured, confidenceSum, durationSum, tests, testsMeasured, testsConfidenceSum, testsDurationSum } =
  dailyUsage;

const toAnybody: CountedAnswers = {
  areTests: true,
  messages: sql`${messages}`,
  measured: sql`${measured}`,
  confidence: sql`${confidenceSum}`,
  duration: sql`${durationSum}`,
};

const toCustomers: CountedAnswers = {
  areTests: false,
  messages: sql`(${messages} - ${tests})`,
  measured: sql`(${measured} - ${testsMeasured})`,
  confidence: sql`(${confidenceSum} - ${testsConfidenceSum})`,
  duration: sql`(${durationSum} - ${testsDurationSum})`,
};

export async function countedAnswers(tx: Tx, { organizationId }: Tenant): Promise<CountedAnswers> {
  const [usage] = await tx
    .select({
      tests: sql<boolean>`coalesce(bool_or(${tests} > 0), false)`,
      customers: sql<boolean>`coalesce(bool_or(${messages} > ${tests}), false)`,
    })
    .from(dailyUsage)
    .where(eq(dailyUsage.orgId, organizationId));
  return usage?.tests && !usage.customers ? toAnybody : toCustomers;
}
