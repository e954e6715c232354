import type { FastifyInstance } from "fastify";
import { remoteSearchApi } from "#contract/models/remote-search.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { route } from "#server/platform/http/route.ts";
import {
  type OrganizationSearchDeps,
  offeredSearchModels,
  readOrganizationSearch,
  removeOrganizationSearch,
  setOrganizationSearch,
} from "./organization-search.ts";

export function mountOrganizationSearchRoutes(app: FastifyInstance, deps: OrganizationSearchDeps): void {
  route(app, remoteSearchApi.get, ({ caller, params }) => {
    ownOrganization(caller, params);
    return readOrganizationSearch(deps, caller);
  });
  route(
    app,
    remoteSearchApi.models,
    async ({ caller, params }) => {
      ownOrganization(caller, params);
      return { models: await offeredSearchModels(deps, caller) };
    },
    { costly: true },
  );
  route(app, remoteSearchApi.remove, ({ caller, params }) => {
    ownOrganization(caller, params);
    return removeOrganizationSearch(deps, caller);
  });
  route(
    app,
    remoteSearchApi.set,
    ({ caller, params, input }) => {
      ownOrganization(caller, params);
      return setOrganizationSearch(deps, caller, input.model);
    },
    { costly: true },
  );
}
