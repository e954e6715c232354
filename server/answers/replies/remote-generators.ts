/** Generators of organisations with their own model. A generator is rebuilt when its settings change. */
import { LRUCache } from "lru-cache";
import type { ModelBudget } from "#server/accounts/twins/model-budget.ts";
import { isLocalModel } from "#server/models/remote/local-hosts.ts";
import { isForeign } from "#server/models/remote/model-address.ts";
import type { RemoteConnections } from "#server/models/remote/remote-connections.ts";
import { keyOf, type RemoteRow } from "#server/models/remote/settings.ts";
import type { Config } from "#server/platform/config.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import type { Generator } from "./generator.ts";

export interface RemoteGenerators {
  /** Whether the installation's own rule limits all organisations to local models. */
  readonly onlyLocal: boolean;
  /** @param localOnly whether the installation's or the organisation's rule applies */
  mayBeAsked(baseUrl: string, localOnly: boolean): boolean;
  /** @throws NotAllowed when this organisation now allows only local models */
  requireLocalRule(tenant: Tenant): Promise<void>;
  /** @throws VaultError when the key cannot be opened */
  of(row: RemoteRow, tenant: Tenant): Promise<Generator>;
}

const KEPT = 500;

interface Options {
  config: Pick<Config, "localModelHosts" | "onlyLocalModels">;
  vault: Vault;
  remote: RemoteConnections;
  budget: ModelBudget;
}

export function createRemoteGenerators({ config, vault, remote, budget }: Options): RemoteGenerators {
  const built = new LRUCache<string, { revision: string; generator: Generator }>({ max: KEPT });
  return {
    onlyLocal: config.onlyLocalModels,
    requireLocalRule: remote.requireLocalRule,
    mayBeAsked: (baseUrl, localOnly) => !localOnly || isLocalModel(baseUrl, config.localModelHosts),
    async of(row, tenant) {
      const { orgId, revision, baseUrl, model, mayBePrivate, preset, authUrl, scope, inputPrice, outputPrice } = row;
      const known = built.get(orgId);
      if (known?.revision === revision) return known.generator;
      const { llmGenerator } = await import("./llm-generator.ts");
      const generator = llmGenerator({
        ...{ baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ""), model, budget },
        fetch: remote.open(tenant, { preset, authUrl, scope, mayBePrivate, key: keyOf(vault, row) }),
        // A host named by the operator may be his own machine; any other host is foreign.
        foreign: !mayBePrivate || isForeign(baseUrl),
        prices: inputPrice === null || outputPrice === null ? null : { input: inputPrice, output: outputPrice },
      });
      built.set(orgId, { revision, generator });
      return generator;
    },
  };
}
