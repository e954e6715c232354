/**
 * Selects the models that serve an organisation. All callers use `withModels`, because an organisation may have its own models or allow
 * only local ones.
 */
import { eq, getTableColumns, isNotNull, sql } from "drizzle-orm";
import type { ModelRule } from "#contract/models/model-rule.ts";
import { readModelRule } from "#server/accounts/organizations/model-rule.ts";
import { EmbeddingFailure } from "#server/knowledge/embeddings/embedder.ts";
import type { OrganizationEmbedders } from "#server/knowledge/embeddings/organization-embedders.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Reranker } from "#server/knowledge/search/reranker.ts";
import { hostOf, isLocalModel } from "#server/models/remote/local-hosts.ts";
import type { RemoteRow } from "#server/models/remote/settings.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database, Tenant } from "#server/platform/db/database.ts";
import { columnsOf, namedStatement } from "#server/platform/db/named-statement.ts";
import { localModelRules, remoteModels } from "#server/platform/db/schema/models.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import type { ChosenModels } from "./chosen-models.ts";
import type { Generator } from "./generator.ts";
import type { RemoteGenerators } from "./remote-generators.ts";
import type { SharedAbilities } from "./shared-abilities.ts";

export interface Models {
  generator: Generator;
  queryEmbedder: QueryEmbedder | null;
  reranker: Reranker | null;
}

interface Deps extends Partial<Models> {
  db: Database;
  /** Models of organisations that allow only local ones; null when all models are local. */
  localModels: Models | null;
  /** Models chosen on the screen «Модель»; absent: none can be chosen. */
  chosenModels?: ChosenModels;
  /** Absent: no shared model has an exam, as in benchmarks. */
  sharedAbilities?: SharedAbilities;
  /** Null: no organisation can have its own model, as in benchmarks. */
  remoteGenerators: RemoteGenerators | null;
  /** Absent: no organisation searches through its own provider, as in benchmarks. */
  organizationEmbedders?: OrganizationEmbedders;
}

/** Returns `deps` with the models allowed for this organisation. They are read again for each answer, so that a change applies at once. */
export async function withModels<D extends Deps>(deps: D, tenant: Tenant): Promise<D> {
  const { localModels, remoteGenerators, chosenModels } = deps;
  // A long-running job obeys a changed rule from its next question.
  const held =
    localModels !== null && localModels.queryEmbedder === null && deps.queryEmbedder && remoteGenerators
      ? { queryEmbedder: guardedQueryEmbedder(deps.queryEmbedder, () => remoteGenerators.requireLocalRule(tenant)) }
      : {};
  const { localOnly, generator, queryEmbedder } = await remoteOf(deps, tenant);
  const ofInstallation = localOnly ? { ...deps, ...localModels } : { ...deps, ...held };
  const models = queryEmbedder === null ? ofInstallation : { ...ofInstallation, queryEmbedder };
  if (generator !== null) return { ...models, generator };
  await deps.sharedAbilities?.freshen();
  // A model in the server's settings takes precedence over one chosen on the screen.
  if (models.generator?.name !== "embedded") return models;
  const ofThisServer = await chosenModels?.generatorFor(tenant);
  return ofThisServer ? { ...models, generator: ofThisServer } : models;
}

/** Adds a check before each request; when it throws, the search uses words alone. @param demand throws when the request is forbidden */
function guardedQueryEmbedder(queryEmbedder: QueryEmbedder, demand: () => Promise<void>): QueryEmbedder {
  const { embedder } = queryEmbedder;
  return {
    embedder: {
      model: embedder.model,
      async embed(texts, signal, roles) {
        await demand().catch((cause: unknown) => {
          // Status 403 keeps the caller from retrying.
          throw Object.assign(new EmbeddingFailure("only local models may be asked", 403), { cause });
        });
        return embedder.embed(texts, signal, roles);
      },
    },
    async of(text) {
      try {
        await demand();
      } catch {
        return null;
      }
      return queryEmbedder.of(text);
    },
  };
}

const remoteColumns = Object.keys(getTableColumns(remoteModels)).filter(
  (column) => column !== "examAnswers",
) as (keyof RemoteRow)[];

/** Always returns one row; unset values are null. */
const remoteWithRule = namedStatement<
  { orgId: string },
  { [Column in keyof RemoteRow]: RemoteRow[Column] | null } & { rule: string | null }
>(
  "remote model",
  sql`select ${columnsOf(remoteModels, remoteColumns)}, ${localModelRules.orgId} as rule
    from (select ${sql.placeholder("orgId")}::uuid as id) as asked
    left join ${remoteModels} on ${remoteModels.orgId} = asked.id left join ${localModelRules} on ${localModelRules.orgId} = asked.id`,
);

interface OwnModels {
  localOnly: boolean;
  /** The organisation's own model, if it is allowed. */
  generator: Generator | null;
  /** The embedder of the same provider, if the organisation searches through it. */
  queryEmbedder: QueryEmbedder | null;
}

/** One statement, because it precedes every answer. */
async function remoteOf(deps: Deps, tenant: Tenant): Promise<OwnModels> {
  const { db, localModels, remoteGenerators, organizationEmbedders } = deps;
  if (remoteGenerators === null) {
    const localOnly = localModels !== null && (await readModelRule(db, tenant));
    return { localOnly, generator: null, queryEmbedder: null };
  }
  const [row] = await remoteWithRule(eachAsTenant(db, tenant), { orgId: tenant.organizationId });
  const localOnly = row?.rule != null || remoteGenerators.onlyLocal;
  const own = row === undefined || row.orgId === null ? null : (row as RemoteRow);
  const asked = own?.enabled === true && remoteGenerators.mayBeAsked(own.baseUrl, localOnly);
  if (!asked) return { localOnly, generator: null, queryEmbedder: null };
  return {
    localOnly,
    generator: await remoteGenerators.of(own, tenant),
    queryEmbedder: organizationEmbedders?.of(own, tenant) ?? null,
  };
}

interface SetUp {
  config: Pick<Config, "llm" | "embedding" | "localModelHosts" | "modelFiles">;
}

export async function modelRule(deps: Deps & SetUp & { generator: Generator }, tenant: Tenant): Promise<ModelRule> {
  const { llm, embedding, localModelHosts, modelFiles } = deps.config;
  const shown = (model: { baseUrl: string } | null, file: string | null | undefined) => {
    if (model === null) return file ? { host: null, local: true } : null;
    return { host: hostOf(model.baseUrl), local: isLocalModel(model.baseUrl, localModelHosts) };
  };
  const { generator } = await withModels(deps, tenant);
  const [own] = await eachAsTenant(deps.db, tenant)
    .select({
      ...{ baseUrl: remoteModels.baseUrl, enabled: remoteModels.enabled },
      searches: isNotNull(remoteModels.embeddingModel),
    })
    .from(remoteModels)
    .where(eq(remoteModels.orgId, tenant.organizationId));
  const file = modelFiles?.generator ?? (llm === null && generator.name === "llm" ? "chosen" : null);
  return {
    localOnly: await readModelRule(deps.db, tenant),
    model: own?.enabled ? shown(own, null) : shown(llm, file),
    search: own?.enabled && own.searches ? shown(own, null) : shown(embedding, modelFiles?.embedder),
    engine: generator.name,
  };
}
