import type { FastifyInstance } from "fastify";
import { remoteModelApi } from "#contract/models/remote-model.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { route } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { checkRemote, type RemoteDeps, readRemoteModel, removeRemoteModel, setRemoteModel } from "./settings.ts";

export function mountRemoteModelRoutes(app: FastifyInstance, deps: RemoteDeps & { jobs: Jobs }): void {
  route(app, remoteModelApi.get, ({ caller, params }) => {
    ownOrganization(caller, params);
    return readRemoteModel(deps, caller);
  });
  route(app, remoteModelApi.set, ({ caller, params, input }) => {
    ownOrganization(caller, params);
    return setRemoteModel(deps, caller, input);
  });
  route(app, remoteModelApi.remove, ({ caller, params }) => {
    ownOrganization(caller, params);
    return removeRemoteModel(deps, caller);
  });
  route(
    app,
    remoteModelApi.check,
    ({ caller, params, input }) => {
      ownOrganization(caller, params);
      return checkRemote(deps, caller, input);
    },
    { costly: true },
  );
}
