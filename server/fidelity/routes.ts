import type { FastifyInstance } from "fastify";
import { qualityApi } from "#contract/quality.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { answerBlindTest, blindTest, requestMeasure, twinQuality } from "./quality.ts";

export function mountQualityRoutes(app: FastifyInstance, deps: { db: Database; jobs: Jobs }): void {
  const { db } = deps;
  on(app, qualityApi.get, ({ viewer, params }) => twinQuality(db, viewer, params.id));
  on(app, qualityApi.measure, ({ viewer, params }) => requestMeasure(deps, viewer, params.id));
  on(app, qualityApi.blindTest, ({ viewer, params }) => blindTest(db, viewer, params.id));
  on(app, qualityApi.answerBlindTest, ({ viewer, params, input }) => answerBlindTest(db, viewer, params.id, input));
}
