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

/** Days that a report may cover, today included. */
export const ANALYTICS_PERIODS = ["7", "30", "90"] as const;
export type AnalyticsPeriod = (typeof ANALYTICS_PERIODS)[number];

/** Without `days` seven. */
export const AnalyticsQuery = z.object({ days: z.optional(z.enum(ANALYTICS_PERIODS, "Период — 7, 30 или 90 дней")) });
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

/** Percent 0..100, the mean confidence of the twins' whole answers; null when there was none. */
const Accuracy = z.nullable(z.number());

/** What the organisation's twins did in the period; days are Moscow's calendar days. */
export const Analytics = z.object({
  days: z.number(),
  /** Messages that were answered; an answer that its reader stopped counts too. */
  totalInteractions: z.number(),
  responseAccuracy: Accuracy,
  /** 1..5, the mean of the ratings given in the period; null without ratings. */
  userSatisfaction: z.nullable(z.number()),
  /** How many ratings that mean stands on. */
  ratings: z.number(),
  /** Seconds from a question's arrival to its whole answer, the mean; null when nobody measured. */
  avgResponseTime: z.nullable(z.number()),
  /** Every day of the period, oldest first; `date` is YYYY-MM-DD. */
  dailyStats: z.array(z.object({ date: z.string(), interactions: z.number(), accuracy: Accuracy })),
  /** The five that answered most, of equals the surer first. */
  topPerformingTwins: z.array(
    z.object({ id: z.string(), name: z.string(), interactions: z.number(), accuracy: Accuracy }),
  ),
});
export type Analytics = z.infer<typeof Analytics>;

export const analyticsApi = {
  report: endpoint("GET /api/analytics", {
    access: "signed-in",
    summary: "Аналитика за 7, 30 или 90 дней",
    query: AnalyticsQuery,
    output: Analytics,
  }),
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
