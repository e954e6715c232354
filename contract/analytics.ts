import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

export const DashboardStats = z.object({
  activeTwins: z.number(),
  dailyMessages: z.number(),
  totalTwins: z.number(),
  totalMessages: z.number(),
  /** 0..1, the mean over the twins that have a measure; absent when none has. */
  avgStyleAccuracy: z.optional(z.number()),
});
export type DashboardStats = z.infer<typeof DashboardStats>;

export const ActivityEntry = z.object({
  id: z.string(),
  type: z.string(),
  twinName: z.string(),
  description: z.string(),
  timestamp: z.string(),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const analyticsApi = {
  dashboard: endpoint("GET /api/dashboard/stats", {
    access: "signed-in",
    summary: "Показатели панели управления",
    output: DashboardStats,
  }),
  activity: endpoint("GET /api/activity/recent", {
    access: "signed-in",
    summary: "Последние события",
    output: z.array(ActivityEntry),
  }),
};
