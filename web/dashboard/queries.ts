import { useQuery } from "@tanstack/react-query";
import { analyticsApi, type Waiting } from "#contract/analytics.ts";
import { queryOf } from "#web/api/query.ts";
import { twinList } from "#web/parts/twins/read-twin.ts";

export const useDashboardStats = () => useQuery(queryOf(analyticsApi.dashboard));
export const useRecentActivity = () => useQuery(queryOf(analyticsApi.activity));
export const useDashboardTwins = () => useQuery(queryOf(twinList));

/** Polling interval in milliseconds, because channels disconnect and reconnect without an event of the inbox. */
const CHANNELS_POLL_MS = 60_000;

export const useWaiting = (enabled: boolean) =>
  useQuery({ ...queryOf(analyticsApi.waiting), enabled, refetchInterval: CHANNELS_POLL_MS });

export const countWaiting = ({ answers, acts, gaps, unread, channels }: Waiting) =>
  answers.total + acts.total + gaps.total + unread.total + channels.total;
