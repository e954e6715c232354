import type { FastifyInstance } from "fastify";
import { selfPresentationApi } from "#contract/knowledge/self-presentation.ts";
import type { Database } from "#server/platform/db/database.ts";
import { route } from "#server/platform/http/route.ts";
import { readSelfPresentation, stateSelf } from "./self-presentation.ts";

export function mountSelfPresentationRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  route(app, selfPresentationApi.get, ({ caller, params }) => readSelfPresentation(db, caller, params.id));
  route(app, selfPresentationApi.update, ({ caller, params, input }) => stateSelf(db, caller, params.id, input));
}
