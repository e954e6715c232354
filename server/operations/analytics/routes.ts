import type { FastifyInstance } from "fastify";
import { analyticsApi } from "#contract/analytics.ts";
import { organizationsApi } from "#contract/organizations/organizations.ts";
import { adminApi } from "#contract/organizations/platform.ts";
import { storageApi } from "#contract/organizations/storage.ts";
import { reportApi } from "#contract/report.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { organizationStorage, platformDisk, type StorageDeps } from "#server/accounts/organizations/storage.ts";
import type { Database } from "#server/platform/db/database.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import { loadAskedQuestions } from "./asked.ts";
import { dashboardStats } from "./dashboard.ts";
import { organizationStats, organizationTwins, organizationUsage } from "./organization-figures.ts";
import { platformDays, platformStats } from "./platform-figures.ts";
import { recentActivity } from "./recent-activity.ts";
import { loadReport } from "./report.ts";
import { loadWaitingItems } from "./waiting.ts";

export function mountAnalyticsRoutes(app: FastifyInstance, deps: { db: Database } & StorageDeps): void {
  const { db } = deps;
  route(app, reportApi.report, ({ caller, query }) => loadReport(db, caller, query));
  route(app, reportApi.asked, ({ caller, query }) => loadAskedQuestions(db, caller, query));
  route(app, analyticsApi.dashboard, ({ caller }) => dashboardStats(db, caller));
  route(app, analyticsApi.waiting, ({ caller }) => loadWaitingItems(db, caller));
  route(app, analyticsApi.activity, ({ caller }) => recentActivity(db, caller));

  const own = (caller: Caller, params: { orgId: string }) => ({
    userId: caller.userId,
    organizationId: ownOrganization(caller, params),
  });
  route(app, organizationsApi.stats, ({ caller, params }) => organizationStats(db, own(caller, params)));
  route(app, organizationsApi.twins, ({ caller, params, query }) =>
    organizationTwins(db, own(caller, params), query, { owners: caller.role === "org_admin" }),
  );
  route(app, organizationsApi.usage, ({ caller, params }) => organizationUsage(db, own(caller, params)));
  route(app, storageApi.organization, ({ caller, params }) => organizationStorage(db, deps, own(caller, params)));
  route(app, storageApi.platform, () => platformDisk(db, deps));
  route(app, adminApi.stats, () => platformStats(db));
  route(app, adminApi.daily, () => platformDays(db));
}
