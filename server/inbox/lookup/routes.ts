import type { FastifyInstance } from "fastify";
import { lookupApi } from "#contract/lookup.ts";
import type { Database } from "#server/platform/db/database.ts";
import { route } from "#server/platform/http/route.ts";
import { lookup } from "./lookup.ts";

export function mountLookupRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  route(app, lookupApi.find, ({ caller, query }) => lookup(db, caller, query), { costly: true });
}
