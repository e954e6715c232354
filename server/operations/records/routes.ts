import type { FastifyInstance } from "fastify";
import { recordsApi } from "#contract/organizations/records.ts";
import { ownOrganization } from "#server/accounts/organizations/access.ts";
import { route } from "#server/platform/http/route.ts";
import { accountDeletion, deleteAccount } from "./delete-account.ts";
import { type DeletionDeps, deleteOrganization, organizationDeletion } from "./delete-organization.ts";
import { fetchExport, lookAtExport, removeExport, requestExport } from "./export/data-exports.ts";

/** Limit per client address, because these calls check a password. */
const TRIES = { rateLimit: { max: 20, timeWindow: "15 minutes" } };
/** Limit of export requests, which is lower because an export reads everything. */
const REQUESTS = { rateLimit: { max: 30, timeWindow: "1 hour" } };

export function mountRecordRoutes(app: FastifyInstance, deps: DeletionDeps): void {
  const { db } = deps;
  route(app, recordsApi.accountDeletion, ({ caller }) => accountDeletion(db, caller));
  route(app, recordsApi.deleteAccount, ({ caller, input }) => deleteAccount(deps, caller, input), TRIES);
  route(app, recordsApi.organizationDeletion, ({ caller, params }) => {
    ownOrganization(caller, params);
    return organizationDeletion(db, caller);
  });
  route(
    app,
    recordsApi.deleteOrganization,
    ({ caller, params, input }) => {
      ownOrganization(caller, params);
      return deleteOrganization(deps, caller, input);
    },
    TRIES,
  );

  mountExports(app, deps);
}

function mountExports(app: FastifyInstance, deps: DeletionDeps): void {
  const { db } = deps;
  route(app, recordsApi.accountExport, ({ caller }) => lookAtExport(db, caller, "account"));
  route(app, recordsApi.requestAccountExport, ({ caller }) => requestExport(deps, caller, "account"), REQUESTS);
  route(app, recordsApi.removeAccountExport, ({ caller }) => removeExport(deps, caller, "account"));
  route(app, recordsApi.accountExportFile, ({ caller, reply }) => fetchExport(deps, caller, "account", reply) as never);

  route(app, recordsApi.organizationExport, ({ caller, params }) => {
    ownOrganization(caller, params);
    return lookAtExport(db, caller, "organization");
  });
  route(
    app,
    recordsApi.requestOrganizationExport,
    ({ caller, params }) => {
      ownOrganization(caller, params);
      return requestExport(deps, caller, "organization");
    },
    REQUESTS,
  );
  route(app, recordsApi.removeOrganizationExport, ({ caller, params }) => {
    ownOrganization(caller, params);
    return removeExport(deps, caller, "organization");
  });
  route(app, recordsApi.organizationExportFile, ({ caller, params, reply }) => {
    ownOrganization(caller, params);
    return fetchExport(deps, caller, "organization", reply) as never;
  });
}
