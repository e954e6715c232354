import type { ActivityEntry, DashboardStats } from "#contract/analytics.ts";
import { NOW } from "./ids.ts";

/** No twin of these has been measured. */
export const buildDashboardStats = (own: Partial<DashboardStats> = {}): DashboardStats => ({
  activeTwins: 1,
  dailyMessages: 0,
  totalTwins: 1,
  totalMessages: 4,
  ...own,
});

export const buildActivity = (n: number, own: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: String(n),
  type: "response_generated",
  twinName: "Анна",
  description: `Событие ${n}`,
  timestamp: NOW,
  ...own,
});
