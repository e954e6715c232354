import type { FastifyInstance } from "fastify";
import { correctionsApi } from "#contract/corrections.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import {
  acceptLesson,
  declineLesson,
  listCorrections,
  proposeLesson,
  removeCorrection,
  requestReplay,
  updateCorrection,
} from "./corrections.ts";

export function mountCorrectionRoutes(app: FastifyInstance, deps: { db: Database; jobs: Jobs }): void {
  const { db } = deps;
  on(app, correctionsApi.list, ({ viewer, params }) => listCorrections(db, viewer, params.id));
  on(app, correctionsApi.propose, ({ viewer, params, input }) => proposeLesson(db, viewer, params.id, input));
  on(app, correctionsApi.accept, ({ viewer, params, input }) => acceptLesson(db, viewer, params.id, input));
  on(app, correctionsApi.decline, ({ viewer, params, input }) => declineLesson(db, viewer, params.id, input.from));
  on(app, correctionsApi.replay, ({ viewer, params }) => requestReplay(deps, viewer, params.id));
  on(app, correctionsApi.update, ({ viewer, params, input }) =>
    updateCorrection(db, viewer, params.id, params.correctionId, input),
  );
  on(app, correctionsApi.remove, ({ viewer, params }) => removeCorrection(db, viewer, params.id, params.correctionId));
}
