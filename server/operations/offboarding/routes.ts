/** Routes that remove a member: from the caller's own organisation, or by a super admin from any. */
import type { FastifyInstance } from "fastify";
import { organizationsApi } from "#contract/organizations/organizations.ts";
import { adminApi } from "#contract/organizations/platform.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import type { ActingUser } from "#server/accounts/organizations/acting.ts";
import { organizationRow } from "#server/accounts/organizations/organizations.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import { memberResources } from "./list-member-resources.ts";
import { type RemovalDeps, removeMember } from "./remove-member.ts";

export function mountOffboardingRoutes(app: FastifyInstance, deps: RemovalDeps): void {
  const { db } = deps;
  const own = (caller: Caller, params: { orgId: string }): ActingUser => ({
    userId: caller.userId,
    organizationId: ownOrganization(caller, params),
  });
  route(app, organizationsApi.resources, ({ caller, params }) =>
    memberResources(db, own(caller, params), params.userId),
  );
  route(app, organizationsApi.removeMember, ({ caller, params, query }) =>
    removeMember(deps, own(caller, params), params.userId, query.twins),
  );

  const any = async (caller: Caller, params: { id: string }): Promise<ActingUser> => ({
    userId: caller.userId,
    organizationId: (await organizationRow(db, params.id)).id,
  });
  route(app, adminApi.memberResources, async ({ caller, params }) =>
    memberResources(db, await any(caller, params), params.userId),
  );
  route(app, adminApi.removeMember, async ({ caller, params, query }) =>
    removeMember(deps, await any(caller, params), params.userId, query.twins),
  );
}
