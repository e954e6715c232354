import type { FastifyInstance } from "fastify";
import { healthApi } from "#contract/health.ts";
import { route } from "#server/http/route.ts";
import { healthReport, type ReportDeps } from "./report.ts";

export function mountHealthRoutes(app: FastifyInstance, deps: ReportDeps): void {
  route(app, healthApi.get, () => healthReport(deps));
}
