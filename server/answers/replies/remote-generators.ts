/** Generators of organisations with their own model. A generator is rebuilt when its settings change. */
import { LRUCache } from "lru-cache";
import type { ModelBudget } from "#server/accounts/twins/model-budget.ts";
import { promptTokensFor } from "#server/models/remote/context-length.ts";
import { isLocalModel } from "#server/models/remote/local-hosts.ts";
import { isForeign } from "#server/models/remote/model-address.ts";
import type { RemoteConnections } from "#server/models/remote/remote-connections.ts";
import { keyOf, type RemoteRow } from "#server/models/remote/settings.ts";
import type { Config } from "#server/platform/config.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import type { Generator } from "./generator.ts";
import type { ModelSettings } from "./llm-generator.ts";

export interface RemoteGenerators {
  /** Whether the installation's own rule limits all organisations to local models. */
  readonly onlyLocal: boolean;
  /** @param localOnly whether the installation's or the organisation's rule applies */
  mayBeAsked(baseUrl: string, localOnly: boolean): boolean;
  /** @throws NotAllowed when this organisation now allows only local models */
  requireLocalRule(tenant: Tenant): Promise<void>;
  /** @throws VaultError when the key cannot be opened */
  of(row: RemoteRow, tenant: Tenant): Promise<Generator>;
  /**
   * Builds the model's generator anew and without the limits of an earlier exam.
   * @param onSpent called with the tokens of each call
   * @throws VaultError when the key cannot be opened
   */
  forExam(row: RemoteRow, tenant: Tenant, onSpent: (tokens: number) => void): Promise<Generator>;
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
      const { orgId, revision, exam } = row;
      const known = built.get(orgId);
      if (known?.revision === revision) return known.generator;
      const generator = await build(row, tenant, { budget, ability: () => exam?.ability });
      built.set(orgId, { revision, generator });
      return generator;
    },
    forExam: (row, tenant, onSpent) =>
      build(row, tenant, { budget: countedBudget(budget, onSpent), ability: () => undefined }),
  };

  async function build(
    row: RemoteRow,
    tenant: Tenant,
    { budget, ability }: Required<Pick<ModelSettings, "budget" | "ability">>,
  ): Promise<Generator> {
    const { baseUrl, model, mayBePrivate, preset, authUrl, scope, currency, inputPrice, outputPrice } = row;
    const { contextTokens } = row;
    const { llmGenerator } = await import("./llm-generator.ts");
    return llmGenerator({
      ...{ baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ""), model, budget, ability },
      fetch: remote.open(tenant, { preset, authUrl, scope, mayBePrivate, key: keyOf(vault, row) }),
      // A host named by the operator may be his own machine; any other host is foreign.
      foreign: !mayBePrivate || isForeign(baseUrl),
      ...(contextTokens === null ? {} : { contextTokens }),
      promptTokens: promptTokensFor(inputPrice, currency),
      prices: inputPrice === null || outputPrice === null ? null : { input: inputPrice, output: outputPrice },
    });
  }
}

/** A budget that also tells what is spent. */
export const countedBudget = (budget: ModelBudget, onSpent: (tokens: number) => void): ModelBudget => ({
  async take(...given) {
    const taken = await budget.take(...given);
    return {
      settle(tokens, money) {
        onSpent(tokens);
        return taken.settle(tokens, money);
      },
    };
  },
});
