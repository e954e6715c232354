import type { FastifyInstance } from "fastify";
import { recordsApi } from "#contract/records.ts";
import { on } from "#server/http.ts";
import { ownOrganization } from "#server/organizations/access.ts";
import { accountDeletion, deleteAccount } from "./delete-account.ts";
import { type DeletionDeps, deleteOrganization, organizationDeletion } from "./delete-organization.ts";
import { fetchExport, lookAtExport, removeExport, requestExport } from "./export/data-exports.ts";

/** Per client address: a password is tried. */
const TRIES = { rateLimit: { max: 20, timeWindow: "15 minutes" } };
/** An export reads everything. */
const REQUESTS = { rateLimit: { max: 30, timeWindow: "1 hour" } };

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

  mountExports(app, deps);
}

function mountExports(app: FastifyInstance, deps: DeletionDeps): void {
  const { db } = deps;
  on(app, recordsApi.accountExport, ({ viewer }) => lookAtExport(db, viewer, "account"));
  on(app, recordsApi.requestAccountExport, ({ viewer }) => requestExport(deps, viewer, "account"), REQUESTS);
  on(app, recordsApi.removeAccountExport, ({ viewer }) => removeExport(deps, viewer, "account"));
  on(app, recordsApi.accountExportFile, ({ viewer, reply }) => fetchExport(deps, viewer, "account", reply) as never);

  on(app, recordsApi.organizationExport, ({ viewer, params }) => {
    ownOrganization(viewer, params);
    return lookAtExport(db, viewer, "organization");
  });
  on(
    app,
    recordsApi.requestOrganizationExport,
    ({ viewer, params }) => {
      ownOrganization(viewer, params);
      return requestExport(deps, viewer, "organization");
    },
    REQUESTS,
  );
  on(app, recordsApi.removeOrganizationExport, ({ viewer, params }) => {
    ownOrganization(viewer, params);
    return removeExport(deps, viewer, "organization");
  });
  on(app, recordsApi.organizationExportFile, ({ viewer, params, reply }) => {
    ownOrganization(viewer, params);
    return fetchExport(deps, viewer, "organization", reply) as never;
  });
}
