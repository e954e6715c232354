import type { FastifyInstance } from "fastify";
import { correctionsApi } from "#contract/corrections.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Database } from "#server/platform/db/database.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import {
  acceptCorrection,
  declineCorrection,
  listCorrections,
  proposeCorrection,
  removeCorrection,
  requestReplay,
  updateCorrection,
} from "./corrections.ts";
import { previewCorrection } from "./preview.ts";

interface Deps {
  db: Database;
  jobs: Jobs;
}

/** @param modelsOf returns the models allowed for the caller's organisation */
export function mountCorrectionRoutes(
  app: FastifyInstance,
  deps: Deps,
  modelsOf: (caller: Caller) => Promise<{ queryEmbedder: QueryEmbedder | null }>,
): void {
  const withEmbeddings = async (caller: Caller) => ({ ...deps, queryEmbedder: (await modelsOf(caller)).queryEmbedder });
  const { db } = deps;
  route(app, correctionsApi.list, ({ caller, params }) => listCorrections(db, caller, params.id));
  route(app, correctionsApi.propose, ({ caller, params, input }) => proposeCorrection(db, caller, params.id, input));
  route(app, correctionsApi.accept, async ({ caller, params, input }) =>
    acceptCorrection(await withEmbeddings(caller), caller, params.id, input),
  );
  route(app, correctionsApi.decline, ({ caller, params, input }) =>
    declineCorrection(db, caller, params.id, input.from),
  );
  route(app, correctionsApi.replay, ({ caller, params }) => requestReplay(deps, caller, params.id));
  route(app, correctionsApi.update, async ({ caller, params, input }) =>
    updateCorrection(await withEmbeddings(caller), caller, params.id, params.correctionId, input),
  );
  route(
    app,
    correctionsApi.preview,
    async ({ caller, params, input }) => previewCorrection(await withEmbeddings(caller), caller, params.id, input),
    { costly: true },
  );
  route(app, correctionsApi.remove, ({ caller, params }) =>
    removeCorrection(db, caller, params.id, params.correctionId),
  );
}
