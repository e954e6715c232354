/** The model of an organisation's own provider by which its twins search by meaning (docs/decisions/024-search-index-and-embeddings.md). */
import { and, eq, isNotNull } from "drizzle-orm";
import type { Config } from "#server/platform/config.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { plainHost } from "#server/platform/network/public-address.ts";
import { isLocalOnly } from "./model-rule.ts";

type Rules = Pick<Config, "localModelHosts" | "onlyLocalModels">;

/** Returns null where no such model is switched on. @param rules absent: a model that «только локальная модель» forbids is returned too */
export async function ownSearchModel(tx: Tx, orgId: string, rules?: Rules): Promise<string | null> {
  const [own] = await tx
    .select({ model: remoteModels.embeddingModel, baseUrl: remoteModels.baseUrl })
    .from(remoteModels)
    .where(and(eq(remoteModels.orgId, orgId), remoteModels.enabled, isNotNull(remoteModels.embeddingModel)));
  if (own === undefined || rules === undefined) return own?.model ?? null;
  const isLocal = rules.localModelHosts.includes(plainHost(new URL(own.baseUrl).hostname));
  const isForbidden = !isLocal && (rules.onlyLocalModels || (await isLocalOnly(tx, orgId)));
  return isForbidden ? null : own.model;
}
