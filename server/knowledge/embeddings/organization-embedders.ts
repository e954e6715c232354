/** Embedders of organisations that search through their own provider. One is rebuilt when its settings change. */
import { LRUCache } from "lru-cache";
import { isForeign } from "#server/models/remote/model-address.ts";
import type { RemoteConnections } from "#server/models/remote/remote-connections.ts";
import { keyOf, type RemoteRow } from "#server/models/remote/settings.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { createEmbedder, type Embedder } from "./embedder.ts";
import { createQueryEmbedder, type QueryEmbedder } from "./query-embedder.ts";

/** Tokens that one twin's learning may take a day: the organisation pays for them, and a twin of ten thousand letters needs half of it. */
export const OWN_DAILY_TOKENS = 1_000_000;
/** How long a search waits for the query's vector before it uses words alone. A provider is further away than the operator's own server. */
const TIMEOUT_MS = 800;
const KEPT = 500;

export interface OrganizationEmbedders {
  /** Returns null where the organisation does not search through its provider. @throws VaultError when the key cannot be opened */
  of(row: RemoteRow, tenant: Tenant): QueryEmbedder | null;
  /** An embedder of this model, whether it is in use or not. @throws VaultError when the key cannot be opened */
  embedderOf(row: RemoteRow, tenant: Tenant, model: string): Embedder;
}

interface Options {
  vault: Vault;
  remote: RemoteConnections;
  log: Log;
}

export function createOrganizationEmbedders({ vault, remote, log }: Options): OrganizationEmbedders {
  const built = new LRUCache<string, { revision: string; queryEmbedder: QueryEmbedder }>({ max: KEPT });
  const embedderOf: OrganizationEmbedders["embedderOf"] = (row, tenant, model) => {
    const { baseUrl, preset, authUrl, scope, mayBePrivate } = row;
    return createEmbedder({
      ...{ baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ""), apiKey: null, model },
      foreign: !mayBePrivate || isForeign(baseUrl),
      // Adds the key, and reads the rule «только локальная модель» before each connection.
      fetch: remote.open(tenant, { preset, authUrl, scope, mayBePrivate, key: keyOf(vault, row) }),
    });
  };
  return {
    embedderOf,
    of(row, tenant) {
      const { orgId, revision, embeddingModel } = row;
      if (embeddingModel === null) return null;
      const known = built.get(orgId);
      if (known?.revision === revision) return known.queryEmbedder;
      // Vectors are compared in this process: pgvector's columns are made at the start, for the installation's model.
      const embedder = embedderOf(row, tenant, embeddingModel);
      const queryEmbedder = {
        ...createQueryEmbedder(embedder, { timeoutMs: TIMEOUT_MS, inDatabase: false, log }),
        dailyTokens: OWN_DAILY_TOKENS,
      };
      built.set(orgId, { revision, queryEmbedder });
      return queryEmbedder;
    },
  };
}
