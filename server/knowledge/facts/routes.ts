import type { FastifyInstance } from "fastify";
import { chatFactsApi } from "#contract/knowledge/chat-facts.ts";
import { confirmedFactsApi } from "#contract/knowledge/confirmed-facts.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Database } from "#server/platform/db/database.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { confirmedFacts } from "./confirmed-facts.ts";
import { decideFact, listFacts } from "./facts.ts";

interface FactDeps {
  db: Database;
  jobs: Jobs;
}

/** @param modelsOf returns the models allowed for the caller's organisation */
export function mountFactRoutes(
  app: FastifyInstance,
  deps: FactDeps,
  modelsOf: (caller: Caller) => Promise<{ queryEmbedder: QueryEmbedder | null }>,
): void {
  route(app, chatFactsApi.list, ({ caller, params }) => listFacts(deps.db, caller, params.id));
  route(app, confirmedFactsApi.list, ({ caller }) => confirmedFacts(deps.db, caller));
  route(app, chatFactsApi.decide, async ({ caller, params, input }) => {
    const { queryEmbedder } = await modelsOf(caller);
    return decideFact({ ...deps, queryEmbedder }, caller, params.id, params.factId, input);
  });
}
