import type { FastifyInstance } from "fastify";
import { knowledgeApi } from "#contract/knowledge.ts";
import type { Database } from "#server/db/database.ts";
import { on } from "#server/http.ts";
import { searchKnowledge } from "./search.ts";

export function mountEngineRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  on(app, knowledgeApi.search, ({ viewer, params, query }) => searchKnowledge(db, viewer, params.id, query.q));
}
