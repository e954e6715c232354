import { useQuery } from "@tanstack/react-query";
import { analyticsApi } from "#contract/analytics.ts";
import { queryOf } from "#web/api/query.ts";
import { twinList } from "#web/parts/twins/read-twin.ts";

export const useDashboardStats = () => useQuery(queryOf(analyticsApi.dashboard));
export const useRecentActivity = () => useQuery(queryOf(analyticsApi.activity));
export const useDashboardTwins = () => useQuery(queryOf(twinList));
