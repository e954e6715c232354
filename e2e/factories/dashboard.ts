import type { ActivityEntry, DashboardStats, Waiting } from "#contract/analytics.ts";
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

/** Nothing waits. */
export const buildWaiting = (own: Partial<Waiting> = {}): Waiting => ({
  answers: { total: 0, first: [] },
  acts: { total: 0, first: [] },
  gaps: { total: 0, first: [] },
  unread: { total: 0, first: [] },
  channels: { total: 0, first: [] },
  ...own,
});
