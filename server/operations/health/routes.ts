import type { FastifyInstance } from "fastify";
import { healthApi } from "#contract/health.ts";
import { route } from "#server/platform/http/route.ts";
import { type AlertDeps, testAlerts } from "./alerts.ts";
import { healthReport } from "./report.ts";

export function mountHealthRoutes(app: FastifyInstance, deps: AlertDeps): void {
  route(app, healthApi.get, () => healthReport(deps));
  route(app, healthApi.testAlerts, () => testAlerts(deps));
}
