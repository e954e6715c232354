import type { FastifyInstance } from "fastify";
import { knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { type ModelRule, modelRuleApi } from "#contract/models/model-rule.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { setModelRule } from "#server/accounts/organizations/model-rule.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { searchKnowledge } from "#server/knowledge/search/search.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import type { Generator } from "./generator.ts";
import { type Models, modelRule, withModels } from "./models.ts";
import type { RemoteGenerators } from "./remote-generators.ts";

export function mountReplyRoutes(
  app: FastifyInstance,
  deps: {
    db: Database;
    config: Pick<Config, "llm" | "embedding" | "localModelHosts" | "modelFiles">;
    generator: Generator;
    queryEmbedder: QueryEmbedder | null;
    localModels: Models | null;
    remoteGenerators: RemoteGenerators | null;
  },
): void {
  const { db } = deps;
  const rule = async (caller: Caller, params: { orgId: string }): Promise<ModelRule> => {
    ownOrganization(caller, params);
    return modelRule(deps, caller);
  };
  route(app, modelRuleApi.get, ({ caller, params }) => rule(caller, params));
  route(app, modelRuleApi.set, async ({ caller, params, input }) => {
    ownOrganization(caller, params);
    await setModelRule(db, caller, input.localOnly);
    return rule(caller, params);
  });
  route(
    app,
    knowledgeApi.search,
    async ({ caller, params, query }) => searchKnowledge(await withModels(deps, caller), caller, params.id, query.q),
    { costly: true },
  );
}
