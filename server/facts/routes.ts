import type { FastifyInstance } from "fastify";
import { chatFactsApi } from "#contract/knowledge/chat-facts.ts";
import { confirmedFactsApi } from "#contract/knowledge/confirmed-facts.ts";
import type { Database } from "#server/db/database.ts";
import { route } from "#server/http/route.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { type Models, withModels } from "#server/replies/models.ts";
import type { RemoteGenerators } from "#server/replies/remote-generators.ts";
import type { QueryEmbedder } from "#server/search/embeddings/query-embedder.ts";
import { confirmedFacts } from "./confirmed-facts.ts";
import { decideFact, listFacts } from "./facts.ts";

interface FactDeps {
  db: Database;
  jobs: Jobs;
  queryEmbedder: QueryEmbedder | null;
  localModels: Models | null;
  remoteGenerators: RemoteGenerators | null;
}

export function mountFactRoutes(app: FastifyInstance, deps: FactDeps): void {
  route(app, chatFactsApi.list, ({ caller, params }) => listFacts(deps.db, caller, params.id));
  route(app, confirmedFactsApi.list, ({ caller }) => confirmedFacts(deps.db, caller));
  route(app, chatFactsApi.decide, async ({ caller, params, input }) =>
    decideFact(await withModels(deps, caller), caller, params.id, params.factId, input),
  );
}
