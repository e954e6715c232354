import type { FastifyInstance } from "fastify";
import { correctionsApi } from "#contract/corrections.ts";
import type { Database } from "#server/db/database.ts";
import { on, type Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import {
  acceptLesson,
  declineLesson,
  listCorrections,
  proposeLesson,
  removeCorrection,
  requestReplay,
  updateCorrection,
} from "./corrections.ts";
import { previewLesson } from "./preview.ts";

interface Deps {
  db: Database;
  jobs: Jobs;
}

/** @param modelsOf as the viewer's organisation allows them */
export function mountCorrectionRoutes(
  app: FastifyInstance,
  deps: Deps,
  modelsOf: (viewer: Viewer) => Promise<{ meanings: Meanings | null }>,
): void {
  const withMeanings = async (viewer: Viewer) => ({ ...deps, meanings: (await modelsOf(viewer)).meanings });
  const { db } = deps;
  on(app, correctionsApi.list, ({ viewer, params }) => listCorrections(db, viewer, params.id));
  on(app, correctionsApi.propose, ({ viewer, params, input }) => proposeLesson(db, viewer, params.id, input));
  on(app, correctionsApi.accept, async ({ viewer, params, input }) =>
    acceptLesson(await withMeanings(viewer), viewer, params.id, input),
  );
  on(app, correctionsApi.decline, ({ viewer, params, input }) => declineLesson(db, viewer, params.id, input.from));
  on(app, correctionsApi.replay, ({ viewer, params }) => requestReplay(deps, viewer, params.id));
  on(app, correctionsApi.update, async ({ viewer, params, input }) =>
    updateCorrection(await withMeanings(viewer), viewer, params.id, params.correctionId, input),
  );
  on(
    app,
    correctionsApi.preview,
    async ({ viewer, params, input }) => previewLesson(await withMeanings(viewer), viewer, params.id, input),
    { costly: true },
  );
  on(app, correctionsApi.remove, ({ viewer, params }) => removeCorrection(db, viewer, params.id, params.correctionId));
}
