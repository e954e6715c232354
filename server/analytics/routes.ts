import type { FastifyInstance } from "fastify";
import { analyticsApi } from "#contract/analytics.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import { dashboardStats, recentActivity } from "./dashboard.ts";

export function mountAnalyticsRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  on(app, analyticsApi.dashboard, ({ viewer }) => dashboardStats(db, viewer));
  on(app, analyticsApi.activity, ({ viewer }) => recentActivity(db, viewer));
}
