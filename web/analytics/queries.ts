import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { Analytics, type AnalyticsPeriod, analyticsApi } from "#contract/analytics.ts";
import { queryOf } from "#web/api/query.ts";

/** Fields beyond the specified ones may be missing. */
const report = {
  ...analyticsApi.report,
  output: z.extend(Analytics, { days: z.catch(z.number(), 7), ratings: z.catch(z.number(), 0) }),
};

/** Seven days are requested without a query; while another period is loading, the previous data stays on the screen. */
export function useReport(days: AnalyticsPeriod) {
  return useQuery({
    ...queryOf(report, days === "7" ? {} : { query: { days } }),
    placeholderData: keepPreviousData,
  });
}
