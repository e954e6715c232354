import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { Analytics, type AnalyticsPeriod, analyticsApi } from "#contract/analytics.ts";
import { queryOf } from "#web/api.ts";

/** What is beside the specified fields may be missing. */
const report = {
  ...analyticsApi.report,
  output: z.extend(Analytics, { days: z.catch(z.number(), 7), ratings: z.catch(z.number(), 0) }),
};

/** Seven days are the call without a query; another period keeps what stands there until its answer has come. */
export function useReport(days: AnalyticsPeriod) {
  return useQuery({
    ...queryOf(report, days === "7" ? {} : { query: { days } }),
    placeholderData: keepPreviousData,
  });
}
