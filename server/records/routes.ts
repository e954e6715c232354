import type { FastifyInstance } from "fastify";
import { recordsApi } from "#contract/records.ts";
import { on } from "#server/http.ts";
import { ownOrganization } from "#server/organizations/access.ts";
import { accountDeletion, deleteAccount } from "./delete-account.ts";
import { type DeletionDeps, deleteOrganization, organizationDeletion } from "./delete-organization.ts";

/** Per client address: a password is tried. */
const TRIES = { rateLimit: { max: 20, timeWindow: "15 minutes" } };

export function mountRecordRoutes(app: FastifyInstance, deps: DeletionDeps): void {
  const { db } = deps;
  on(app, recordsApi.accountDeletion, ({ viewer }) => accountDeletion(db, viewer));
  on(app, recordsApi.deleteAccount, ({ viewer, input }) => deleteAccount(deps, viewer, input), TRIES);
  on(app, recordsApi.organizationDeletion, ({ viewer, params }) => {
    ownOrganization(viewer, params);
    return organizationDeletion(db, viewer);
  });
  on(
    app,
    recordsApi.deleteOrganization,
    ({ viewer, params, input }) => {
      ownOrganization(viewer, params);
      return deleteOrganization(deps, viewer, input);
    },
    TRIES,
  );
}
