import type { FastifyInstance } from "fastify";
import { chatFactsApi } from "#contract/chat-facts.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import { decideFact, listFacts } from "./facts.ts";

export function mountFactRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  on(app, chatFactsApi.list, ({ viewer, params }) => listFacts(db, viewer, params.id));
  on(app, chatFactsApi.decide, ({ viewer, params, input }) => decideFact(db, viewer, params.id, params.factId, input));
}
