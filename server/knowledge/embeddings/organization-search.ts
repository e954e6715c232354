/** An organisation searches by meaning through its own provider: whether it does, how far its twins are, and the switch. */
import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { RemoteSearch } from "#contract/models/remote-search.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { ownSearchModel } from "#server/accounts/organizations/own-search-model.ts";
import { learnSearchAnew } from "#server/accounts/twins/learn-search-anew.ts";
import { listEmbeddingModels } from "#server/models/remote/embedding-models.ts";
import { heldBy, keyOf, type RemoteDeps, type RemoteRow, rowOf } from "#server/models/remote/settings.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { chunks, indexSegments } from "#server/platform/db/schema/knowledge.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, invalid } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { EmbeddingFailure } from "./embedder.ts";
import { type OrganizationEmbedders, OWN_DAILY_TOKENS } from "./organization-embedders.ts";
import type { QueryEmbedder } from "./query-embedder.ts";
import { MAX_REPLY_EXAMPLES } from "./stored-embeddings.ts";

export interface OrganizationSearchDeps extends RemoteDeps {
  jobs: Jobs;
  /** Of the installation; null: it searches by words. */
  queryEmbedder: QueryEmbedder | null;
  organizationEmbedders: OrganizationEmbedders;
}

export function readOrganizationSearch(deps: OrganizationSearchDeps, caller: Caller): Promise<RemoteSearch> {
  return asTenant(deps.db, caller, (tx) => toJson(tx, deps, caller));
}

/** Returns no names where no model is connected, or none may be asked. */
export async function offeredSearchModels(deps: OrganizationSearchDeps, caller: Caller): Promise<string[]> {
  const row = await usableRow(deps, caller);
  if (row === null) return [];
  const { preset, baseUrl, authUrl, scope, mayBePrivate } = row;
  const send = deps.remote.open(caller, { preset, authUrl, scope, mayBePrivate, key: keyOf(deps.vault, row) });
  return listEmbeddingModels({ preset, baseUrl, send });
}

const PROBE = "Проверка поиска по смыслу";
const PROBE_MS = 20_000;

/**
 * Switches the search over after the provider has answered one short text; until a twin's knowledge has the new vectors, it searches by
 * words.
 * @throws Problem 409 where no model is connected, 400 with the reason where the provider gives no vectors
 */
export async function setOrganizationSearch(
  deps: OrganizationSearchDeps,
  caller: Caller,
  model: string,
): Promise<RemoteSearch> {
  await probe(deps, caller, model);
  return asTenant(deps.db, caller, async (tx) => {
    const row = await rowOf(tx, caller.organizationId, true);
    if (row === null) throw NOT_CONNECTED();
    await change(tx, caller, row, model);
    // Also where nothing has changed: a failed learning is tried again.
    await learnSearchAnew(tx, deps.jobs, caller);
    return toJson(tx, deps, caller);
  });
}

/**
 * Brings the former search back, that of the installation or by words. The vectors stay where words alone are left, so that returning to the
 * provider costs nothing; the installation's model replaces them.
 */
export function removeOrganizationSearch(deps: OrganizationSearchDeps, caller: Caller): Promise<void> {
  return asTenant(deps.db, caller, async (tx) => {
    const row = await rowOf(tx, caller.organizationId, true);
    if (row === null || row.embeddingModel === null) return;
    await change(tx, caller, row, null);
    await learnSearchAnew(tx, deps.jobs, caller);
  });
}

async function change(
  tx: Tx,
  { organizationId: orgId, userId }: Caller,
  { embeddingModel: before, baseUrl }: RemoteRow,
  embeddingModel: string | null,
): Promise<void> {
  if (before === embeddingModel) return;
  await tx.update(remoteModels).set({ embeddingModel, revision: randomUUID() }).where(eq(remoteModels.orgId, orgId));
  await auditInTenant(tx, {
    ...{ action: "remote-search-set", userId, organizationId: orgId, subject: orgId },
    detail: { host: new URL(baseUrl).host, status: embeddingModel === null ? "inactive" : "active" },
  });
}

const NOT_CONNECTED = () =>
  conflict("search_without_model", "Сначала подключите и включите модель: искать через её поставщика пока нечем");

async function usableRow({ db, config }: OrganizationSearchDeps, caller: Caller): Promise<RemoteRow | null> {
  return asTenant(db, caller, async (tx) => {
    const row = await rowOf(tx, caller.organizationId, false);
    return row?.enabled === true && (await heldBy(tx, config, row)) === null ? row : null;
  });
}

async function probe(deps: OrganizationSearchDeps, caller: Caller, model: string): Promise<void> {
  const row = await usableRow(deps, caller);
  if (row === null) throw NOT_CONNECTED();
  try {
    await deps.organizationEmbedders.embedderOf(row, caller, model).embed([PROBE], AbortSignal.timeout(PROBE_MS));
  } catch (error) {
    const status = error instanceof EmbeddingFailure ? error.status : undefined;
    const sentence = sentenceOf(status, new URL(row.baseUrl).host);
    throw invalid("search_model_refused", sentence, { fields: { model: sentence }, cause: error });
  }
}

function sentenceOf(status: number | undefined, host: string): string {
  if (status === 401 || status === 403) return `Сервер ${host} не разрешает этому ключу искать по смыслу.`;
  if (status === 402) return `На счёте у ${host} закончились деньги или оплаченные токены: пополните его.`;
  if (status === 429) return `Сервер ${host} просит подождать: попробуйте через минуту.`;
  if (status === undefined || status >= 500) return `Сервер ${host} не ответил: попробуйте ещё раз.`;
  return `Сервер ${host} не знает такой модели для поиска: проверьте название.`;
}

/** Characters of a token, and tokens of a past message, on average. */
const TOKEN_CHARS = 3;
const EXAMPLE_TOKENS = 25;

async function toJson(tx: Tx, deps: OrganizationSearchDeps, { organizationId: orgId }: Caller): Promise<RemoteSearch> {
  const model = await ownSearchModel(tx, orgId);
  const isReady = sql`${twins.embeddingModel} = ${model} and ${twins.embeddingRevision} >= ${twins.trainedRevision}
    and ${twins.embeddingRevision} >= 0`;
  const [counted] = await tx
    .select({
      all: sql<number>`count(*)`.mapWith(Number),
      ready: sql<number>`count(*) filter (where ${isReady})`.mapWith(Number),
      error: sql<string | null>`max(${twins.embeddingError}) filter (where ${twins.embeddingModel} = ${model})`,
    })
    .from(twins)
    .where(and(eq(twins.orgId, orgId), isNotNull(twins.lastTrainedAt)));
  const [ofDocuments] = await tx
    .select({ characters: sql<number>`coalesce(sum(length(${chunks.text})), 0)`.mapWith(Number) })
    .from(chunks)
    .where(eq(chunks.orgId, orgId));
  const { rows } = await tx.execute(sql`
    select coalesce(sum(least(units, ${MAX_REPLY_EXAMPLES})), 0)::int as examples from (
      select sum(${indexSegments.units}) as units from ${indexSegments}
      where ${indexSegments.orgId} = ${orgId} and ${indexSegments.kind} = 'example' group by ${indexSegments.twinId}
    ) of_twins`);
  const { examples } = rows[0] as { examples: number };
  return {
    ...{ model, ofInstallation: deps.queryEmbedder !== null, error: counted?.error ?? null },
    twins: { ready: counted?.ready ?? 0, all: counted?.all ?? 0 },
    tokens: Math.ceil((ofDocuments?.characters ?? 0) / TOKEN_CHARS) + examples * EXAMPLE_TOKENS,
    dailyTokens: OWN_DAILY_TOKENS,
  };
}
