/** The calls by which a member is removed: from one's own organisation, and by the super admin from any. */
import type { FastifyInstance } from "fastify";
import { organizationsApi } from "#contract/organizations.ts";
import { adminApi } from "#contract/platform.ts";
import { on, type Viewer } from "#server/http.ts";
import { ownOrganization } from "#server/organizations/access.ts";
import type { Acting } from "#server/organizations/members.ts";
import { organizationRow } from "#server/organizations/organizations.ts";
import { memberHoldings } from "./member-holdings.ts";
import { type RemovalDeps, removeMember } from "./remove-member.ts";

export function mountOffboardingRoutes(app: FastifyInstance, deps: RemovalDeps): void {
  const { db } = deps;
  const own = (viewer: Viewer, params: { orgId: string }): Acting => ({
    userId: viewer.userId,
    organizationId: ownOrganization(viewer, params),
  });
  on(app, organizationsApi.holdings, ({ viewer, params }) => memberHoldings(db, own(viewer, params), params.userId));
  on(app, organizationsApi.removeMember, ({ viewer, params, query }) =>
    removeMember(deps, own(viewer, params), params.userId, query.twins),
  );

  const any = async (viewer: Viewer, params: { id: string }): Promise<Acting> => ({
    userId: viewer.userId,
    organizationId: (await organizationRow(db, params.id)).id,
  });
  on(app, adminApi.memberHoldings, async ({ viewer, params }) =>
    memberHoldings(db, await any(viewer, params), params.userId),
  );
  on(app, adminApi.removeMember, async ({ viewer, params, query }) =>
    removeMember(deps, await any(viewer, params), params.userId, query.twins),
  );
}
