import type { FastifyInstance } from "fastify";
import { correctionsApi } from "#contract/corrections.ts";
import { knowledgeApi } from "#contract/knowledge.ts";
import { type ModelRule, modelRuleApi } from "#contract/model-rule.ts";
import { openRepliesApi } from "#contract/open-replies.ts";
import { qualityApi } from "#contract/quality.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { on, type Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { ownOrganization } from "#server/organizations/access.ts";
import { setModelRule } from "#server/organizations/model-rule.ts";
import {
  acceptLesson,
  declineLesson,
  listCorrections,
  proposeLesson,
  removeCorrection,
  requestReplay,
  updateCorrection,
} from "./corrections/corrections.ts";
import type { Generator } from "./generators/generator.ts";
import type { Meanings } from "./meaning/meanings.ts";
import { type Models, modelRule, withModels } from "./models.ts";
import { listOpenReplies, openReply, removeOpenReply, setOpen, skipProposal } from "./open-replies/open-replies.ts";
import { answerBlindTest, blindTest, requestMeasure, twinQuality } from "./quality.ts";
import { searchKnowledge } from "./search.ts";

export function mountEngineRoutes(
  app: FastifyInstance,
  deps: {
    db: Database;
    jobs: Jobs;
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
  on(app, qualityApi.get, ({ viewer, params }) => twinQuality(db, viewer, params.id));
  on(app, qualityApi.measure, ({ viewer, params }) => requestMeasure(deps, viewer, params.id));
  on(app, qualityApi.blindTest, ({ viewer, params }) => blindTest(db, viewer, params.id));
  on(app, qualityApi.answerBlindTest, ({ viewer, params, input }) => answerBlindTest(db, viewer, params.id, input));
  on(app, openRepliesApi.list, ({ viewer, params, query }) => listOpenReplies(db, viewer, params.id, query.q));
  on(app, openRepliesApi.open, ({ viewer, params, input }) => openReply(deps, viewer, params.id, input));
  on(app, openRepliesApi.update, ({ viewer, params, input }) =>
    setOpen(db, viewer, params.id, params.replyId, input.open),
  );
  on(app, openRepliesApi.remove, ({ viewer, params }) => removeOpenReply(db, viewer, params.id, params.replyId));
  on(app, openRepliesApi.decide, ({ viewer, params, input }) =>
    skipProposal(db, viewer, params.id, params.proposalId, input.skipped),
  );
  on(app, correctionsApi.list, ({ viewer, params }) => listCorrections(db, viewer, params.id));
  on(app, correctionsApi.propose, ({ viewer, params, input }) => proposeLesson(db, viewer, params.id, input));
  on(app, correctionsApi.accept, ({ viewer, params, input }) => acceptLesson(db, viewer, params.id, input));
  on(app, correctionsApi.decline, ({ viewer, params, input }) => declineLesson(db, viewer, params.id, input.from));
  on(app, correctionsApi.replay, ({ viewer, params }) => requestReplay(deps, viewer, params.id));
  on(app, correctionsApi.update, ({ viewer, params, input }) =>
    updateCorrection(db, viewer, params.id, params.correctionId, input),
  );
  on(app, correctionsApi.remove, ({ viewer, params }) => removeCorrection(db, viewer, params.id, params.correctionId));
}
