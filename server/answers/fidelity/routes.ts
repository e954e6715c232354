import type { FastifyInstance } from "fastify";
import { qualityApi } from "#contract/quality.ts";
import type { Database } from "#server/platform/db/database.ts";
import { route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { answerBlindTest, blindTest, requestMeasure, twinQuality } from "./quality.ts";

export function mountQualityRoutes(app: FastifyInstance, deps: { db: Database; jobs: Jobs }): void {
  const { db } = deps;
  route(app, qualityApi.get, ({ caller, params }) => twinQuality(db, caller, params.id));
  route(app, qualityApi.measure, ({ caller, params }) => requestMeasure(deps, caller, params.id));
  route(app, qualityApi.blindTest, ({ caller, params }) => blindTest(db, caller, params.id));
  route(app, qualityApi.answerBlindTest, ({ caller, params, input }) => answerBlindTest(db, caller, params.id, input));
}
