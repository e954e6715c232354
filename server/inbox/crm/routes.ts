import type { FastifyInstance } from "fastify";
import { crmApi } from "#contract/integrations/crm.ts";
import { route } from "#server/platform/http/route.ts";
import { beginCrmSignIn, chooseCrm, completeCrmSignIn, crmOverview, removeCrm } from "./connect.ts";
import type { CrmDeps } from "./tokens.ts";

export function mountCrmRoutes(app: FastifyInstance, deps: CrmDeps): void {
  route(app, crmApi.overview, ({ caller }) => crmOverview(deps, caller));
  route(app, crmApi.signIn, ({ caller, input }) => beginCrmSignIn(deps, caller, input));
  route(app, crmApi.complete, ({ caller, input }) => completeCrmSignIn(deps, caller, input));
  route(app, crmApi.remove, ({ caller, params }) => removeCrm(deps, caller, params.id));
  route(app, crmApi.choose, ({ caller, params, input }) => chooseCrm(deps, caller, params.id, input));
}
