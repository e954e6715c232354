import type { FastifyInstance } from "fastify";
import { analyticsApi } from "#contract/analytics.ts";
import { organizationsApi } from "#contract/organizations.ts";
import { adminApi } from "#contract/platform.ts";
import { storageApi } from "#contract/storage.ts";
import type { Database } from "#server/db/database.ts";
import { on, type Viewer } from "#server/http.ts";
import { ownOrganization } from "#server/organizations/access.ts";
import { organizationStorage, platformDisk, type StorageDeps } from "#server/organizations/storage.ts";
import { dashboardStats } from "./dashboard.ts";
import { organizationStats, organizationTwins, organizationUsage } from "./organization-figures.ts";
import { platformDays, platformStats } from "./platform-figures.ts";
import { recentActivity } from "./recent-activity.ts";
import { reportOf } from "./report.ts";

export function mountAnalyticsRoutes(app: FastifyInstance, deps: { db: Database } & StorageDeps): void {
  const { db } = deps;
  on(app, analyticsApi.report, ({ viewer, query }) => reportOf(db, viewer, query));
  on(app, analyticsApi.dashboard, ({ viewer }) => dashboardStats(db, viewer));
  on(app, analyticsApi.activity, ({ viewer }) => recentActivity(db, viewer));

  const own = (viewer: Viewer, params: { orgId: string }) => ({
    userId: viewer.userId,
    organizationId: ownOrganization(viewer, params),
  });
  on(app, organizationsApi.stats, ({ viewer, params }) => organizationStats(db, own(viewer, params)));
  on(app, organizationsApi.twins, ({ viewer, params, query }) =>
    organizationTwins(db, own(viewer, params), query, { owners: viewer.role === "org_admin" }),
  );
  on(app, organizationsApi.usage, ({ viewer, params }) => organizationUsage(db, own(viewer, params)));
  on(app, storageApi.organization, ({ viewer, params }) => organizationStorage(db, deps, own(viewer, params)));
  on(app, storageApi.platform, () => platformDisk(db, deps));
  on(app, adminApi.stats, () => platformStats(db));
  on(app, adminApi.daily, () => platformDays(db));
}
