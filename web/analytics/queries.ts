import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { Analytics, type AnalyticsPeriod, reportApi } from "#contract/report.ts";
import { queryOf } from "#web/api/query.ts";

/** Only the specified fields are required in the response. */
const report = {
  ...reportApi.report,
  output: z.extend(Analytics, { days: z.catch(z.number(), 7), ratings: z.catch(z.number(), 0) }),
};

interface Asking {
  days: AnalyticsPeriod;
  twinId: string;
}

/** Default period and twin are left out of the query, as specified. */
function asOptions({ days, twinId }: Asking) {
  const query = { ...(days === "7" ? {} : { days }), ...(twinId ? { twinId } : {}) };
  return Object.keys(query).length > 0 ? { query } : {};
}

/** While another period is loading, the previous data stays on the screen. */
export const useReport = (asking: Asking) =>
  useQuery({ ...queryOf(report, asOptions(asking)), placeholderData: keepPreviousData });

export const useAskedTopics = (asking: Asking, enabled: boolean) =>
  useQuery({ ...queryOf(reportApi.asked, asOptions(asking)), placeholderData: keepPreviousData, enabled });
