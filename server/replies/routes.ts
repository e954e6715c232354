import type { FastifyInstance } from "fastify";
import { knowledgeApi } from "#contract/knowledge.ts";
import { type ModelRule, modelRuleApi } from "#contract/model-rule.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { on, type Viewer } from "#server/http.ts";
import { ownOrganization } from "#server/organizations/access.ts";
import { setModelRule } from "#server/organizations/model-rule.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import { searchKnowledge } from "#server/search/search.ts";
import type { Generator } from "./generators/generator.ts";
import { type Models, modelRule, withModels } from "./models.ts";

export function mountReplyRoutes(
  app: FastifyInstance,
  deps: {
    db: Database;
    config: Pick<Config, "llm" | "embedding" | "localModelHosts" | "modelFiles">;
    generator: Generator;
    meanings: Meanings | null;
    localModels: Models | null;
  },
): void {
  const { db } = deps;
  const rule = async (viewer: Viewer, params: { orgId: string }): Promise<ModelRule> => {
    ownOrganization(viewer, params);
    return modelRule(deps, viewer);
  };
  on(app, modelRuleApi.get, ({ viewer, params }) => rule(viewer, params));
  on(app, modelRuleApi.set, async ({ viewer, params, input }) => {
    ownOrganization(viewer, params);
    await setModelRule(db, viewer, input.localOnly);
    return rule(viewer, params);
  });
  on(
    app,
    knowledgeApi.search,
    async ({ viewer, params, query }) => searchKnowledge(await withModels(deps, viewer), viewer, params.id, query.q),
    { costly: true },
  );
}
