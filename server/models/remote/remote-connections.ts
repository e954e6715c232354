/** Opens connections to model servers, for organisations' own and for the operator's, all subject to the rule «только локальная модель». */

import { readModelRule } from "#server/accounts/organizations/model-rule.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database, Tenant } from "#server/platform/db/database.ts";
import { type Access, authorizedFetch } from "./authorized-fetch.ts";
import { modelFetch, NotAllowed } from "./connection.ts";
import { isLocalModel } from "./local-hosts.ts";

interface Options {
  db: Database;
  config: Pick<Config, "localModelHosts" | "onlyLocalModels">;
  /** See `trustedRoots`. */
  roots: readonly string[] | null;
}

export interface RemoteConnections {
  /** Opens the server that an organisation has connected, whose rule is read before each connection. Do not use it inside a transaction. */
  open(tenant: Tenant, access: Access & { mayBePrivate: boolean }): typeof fetch;
  /** Opens the servers that the operator has set up. */
  operators(): typeof fetch;
  /** @throws NotAllowed when this organisation's texts may not go to this address */
  demand(tenant: Tenant, address: string): Promise<void>;
  /** @throws NotAllowed when this organisation allows only local models */
  requireLocalRule(tenant: Tenant): Promise<void>;
}

export function createRemoteConnections({ db, config, roots }: Options): RemoteConnections {
  const isLocal = (address: string) => isLocalModel(address, config.localModelHosts);
  const requireInstallation = (address: string) => {
    if (config.onlyLocalModels && !isLocal(address)) throw new NotAllowed("Only local models are asked here");
  };
  const requireLocalRule = async (tenant: Tenant) => {
    if (await readModelRule(db, tenant)) throw new NotAllowed("The organisation allows local models alone");
  };
  const demand = async (tenant: Tenant, address: string) => {
    requireInstallation(address);
    if (!isLocal(address)) await requireLocalRule(tenant);
  };
  return {
    open: (tenant, { mayBePrivate, ...access }) =>
      authorizedFetch(modelFetch({ mayBePrivate, roots, leave: (url) => demand(tenant, url.href) }), access),
    operators: () => async (input, init) => {
      requireInstallation(input instanceof Request ? input.url : String(input));
      // A redirect would carry the key and private texts to an address that was not checked.
      return fetch(input, { ...init, redirect: "error" });
    },
    demand,
    requireLocalRule,
  };
}
