import type { FastifyInstance } from "fastify";
import { gapsApi } from "#contract/gaps.ts";
import type { Database } from "#server/db/database.ts";
import { route } from "#server/http/route.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { type Models, withModels } from "#server/replies/models.ts";
import type { RemoteGenerators } from "#server/replies/remote-generators.ts";
import type { QueryEmbedder } from "#server/search/embeddings/query-embedder.ts";
import { decideGap, splitGap } from "./decide-gap.ts";
import { countGaps, listGaps } from "./gaps.ts";

interface GapDeps {
  db: Database;
  jobs: Jobs;
  queryEmbedder: QueryEmbedder | null;
  localModels: Models | null;
  remoteGenerators: RemoteGenerators | null;
}

export function mountGapRoutes(app: FastifyInstance, deps: GapDeps): void {
  const { db } = deps;
  route(app, gapsApi.list, ({ caller, params, query }) => listGaps(db, caller, params.id, query.state));
  route(app, gapsApi.count, ({ caller, params }) => countGaps(db, caller, params.id));
  route(app, gapsApi.decide, async ({ caller, params, input }) =>
    decideGap(await withModels(deps, caller), caller, params.id, params.gapId, input),
  );
  route(app, gapsApi.split, ({ caller, params, input }) =>
    splitGap(db, caller, params.id, params.gapId, input.questionId),
  );
}
