import type { FastifyInstance } from "fastify";
import { localModelsApi as api } from "#contract/models/local-models.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { disconnectSignal, route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { changeModel, chooseForOrganization, organizationModel } from "./choices.ts";
import {
  type InstalledDeps,
  installModel,
  listModels,
  oneModel,
  pauseModel,
  removeModel,
  resumeModel,
} from "./installed/installed-models.ts";
import { appendFile, beginFile } from "./installed/model-files.ts";
import { dismissOffer } from "./installed/offer.ts";
import { tryModel } from "./installed/trial.ts";
import { getModel } from "./model-rows.ts";

export function mountModelRoutes(app: FastifyInstance, deps: InstalledDeps & { jobs: Jobs }): void {
  const { db, modelRegistry, config } = deps;
  route(app, api.list, ({ caller }) => listModels(deps, caller));
  route(app, api.passOffer, ({ caller }) => dismissOffer(db, caller.userId));
  route(app, api.install, ({ caller, input }) => installModel(deps, caller, input));
  route(app, api.change, async ({ caller, params, input }) => {
    await changeModel(deps, caller, params.id, input);
    return oneModel(deps, params.id);
  });
  route(app, api.pause, ({ params }) => pauseModel(deps, params.id));
  route(app, api.resume, ({ params }) => resumeModel(deps, params.id));
  route(app, api.remove, ({ caller, params }) => removeModel(deps, caller, params.id));
  route(
    app,
    api.trial,
    async ({ caller, params, input, reply }) =>
      tryModel(modelRegistry, await getModel(db, params.id), input.question, {
        asker: caller,
        signal: disconnectSignal(reply),
        most: config.modelRunning.contextTokens,
      }),
    { costly: true },
  );
  route(app, api.beginFile, async ({ caller, input }) => oneModel(deps, (await beginFile(deps, caller, input)).id));
  app.register(async (scope) => {
    scope.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));
    route(
      scope,
      api.appendFile,
      async ({ params, query, request }) =>
        oneModel(deps, (await appendFile(deps, params.id, query.offset, request)).id),
      { rawBody: true },
    );
  });
  route(app, api.ofOrganization, ({ caller, params }) => {
    ownOrganization(caller, params);
    return organizationModel(deps, caller);
  });
  route(app, api.chooseForOrganization, ({ caller, params, input }) => {
    ownOrganization(caller, params);
    return chooseForOrganization(deps, caller, input.choice);
  });
}
