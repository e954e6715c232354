import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

export const DashboardStats = z.object({
  activeTwins: z.number(),
  dailyMessages: z.number(),
  totalTwins: z.number(),
  totalMessages: z.number(),
  /** Mean fidelity, 0..1, of the twins that have been measured; absent when none has. */
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

/** Maximum number of days that a report may cover, including today. */
export const ANALYTICS_PERIODS = ["7", "30", "90"] as const;
export type AnalyticsPeriod = (typeof ANALYTICS_PERIODS)[number];

/** The default of `days` is 7. */
export const AnalyticsQuery = z.object({ days: z.optional(z.enum(ANALYTICS_PERIODS, "Период — 7, 30 или 90 дней")) });
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

/** Mean confidence of the twins' complete answers in percent, 0..100; null when there were none. */
const Accuracy = z.nullable(z.number());

/** Activity of the organisation's twins in the period. Days are calendar days in Moscow time. */
export const Analytics = z.object({
  days: z.number(),
  /** Number of answered messages, including those whose reader stopped the answer. */
  totalInteractions: z.number(),
  responseAccuracy: Accuracy,
  /** Mean of the ratings given in the period, 1..5; null without ratings. */
  userSatisfaction: z.nullable(z.number()),
  /** Number of these ratings. */
  ratings: z.number(),
  /** Mean time from a question's arrival to its complete answer, seconds; null when it was not measured. */
  avgResponseTime: z.nullable(z.number()),
  /** One entry for every day of the period, oldest first; `date` is YYYY-MM-DD. */
  dailyStats: z.array(z.object({ date: z.string(), interactions: z.number(), accuracy: Accuracy })),
  /** The five twins with most answers; ties are broken by accuracy. */
  topPerformingTwins: z.array(
    z.object({ id: z.string(), name: z.string(), interactions: z.number(), accuracy: Accuracy }),
  ),
});
export type Analytics = z.infer<typeof Analytics>;

export const analyticsApi = {
  report: endpoint("GET /api/analytics", {
    access: "signed-in",
    tags: ["report"],
    summary: "Аналитика за 7, 30 или 90 дней",
    query: AnalyticsQuery,
    output: Analytics,
  }),
  dashboard: endpoint("GET /api/dashboard/stats", {
    access: "signed-in",
    tags: ["dashboard"],
    summary: "Показатели панели управления",
    output: DashboardStats,
  }),
  activity: endpoint("GET /api/activity/recent", {
    access: "signed-in",
    tags: ["activity"],
    summary: "Последние события",
    output: z.array(ActivityEntry),
  }),
};
