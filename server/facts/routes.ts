import type { FastifyInstance } from "fastify";
import { chatFactsApi } from "#contract/chat-facts.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { type Models, withModels } from "#server/replies/models.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import { decideFact, listFacts } from "./facts.ts";

interface FactDeps {
  db: Database;
  jobs: Jobs;
  meanings: Meanings | null;
  localModels: Models | null;
}

export function mountFactRoutes(app: FastifyInstance, deps: FactDeps): void {
  on(app, chatFactsApi.list, ({ viewer, params }) => listFacts(deps.db, viewer, params.id));
  on(app, chatFactsApi.decide, async ({ viewer, params, input }) =>
    decideFact(await withModels(deps, viewer), viewer, params.id, params.factId, input),
  );
}
