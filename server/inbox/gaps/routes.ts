import type { FastifyInstance } from "fastify";
import { gapsApi } from "#contract/gaps.ts";
import { type Models, withModels } from "#server/answers/replies/models.ts";
import type { RemoteGenerators } from "#server/answers/replies/remote-generators.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Database } from "#server/platform/db/database.ts";
import { route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
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
