/** Builds the live things that the features are given. */

import { createMailer, type Mailer } from "./auth/mail.ts";
import { type Config, meaningModelOf } from "./config.ts";
import type { Database, OpenDatabase } from "./db/database.ts";
import { preparePgvector } from "./db/pgvector.ts";
import { Disk } from "./disk.ts";
import { type Jobs, openJobs } from "./jobs/queue.ts";
import type { Log } from "./log.ts";
import { openLocalModels } from "./models/local-models.ts";
import type { ModelHost } from "./models/model-host.ts";
import { openKeyRing } from "./records/master-key/key-ring.ts";
import { embeddedGenerator } from "./replies/generators/embedded.ts";
import type { Generator } from "./replies/generators/generator.ts";
import { localGenerator } from "./replies/generators/local.ts";
import { isLocalModel, type Models } from "./replies/models.ts";
import { createEmbedder } from "./search/meaning/embedder.ts";
import { localEmbedder } from "./search/meaning/local-embedder.ts";
import { createMeanings, type Meanings } from "./search/meaning/meanings.ts";
import { setIndexCacheBytes } from "./search/twin-index.ts";
import { createModelBudget, type ModelBudget } from "./twins/model-budget.ts";
import { createVault, type Vault } from "./vault.ts";

export interface Services {
  config: Config;
  log: Log;
  database: OpenDatabase;
  db: Database;
  jobs: Jobs;
  disk: Disk;
  vault: Vault;
  mailer: Mailer;
  generator: Generator;
  /** null: search goes by words alone. */
  meanings: Meanings | null;
  /** What serves organisations that allow local models alone; null where all models are local. */
  localModels: Models | null;
  /** Models that a process of the server's own runs; null: no file is set. */
  modelHost: ModelHost | null;
}

export async function createServices(config: Config, log: Log, database: OpenDatabase): Promise<Services> {
  setIndexCacheBytes(config.indexCacheBytes);
  database.onStalled((stalled) => log.error({ err: stalled }, "a transaction stood still and was ended"));
  // An endpoint's vectors and the file's do not compare: one of them serves.
  const files = config.modelFiles && { ...config.modelFiles, ...(config.embedding && { embedder: null }) };
  const modelHost = await openLocalModels(files, log);
  const jobs = await openJobs(database, log);
  const ownGenerator = createOwnGenerator(config, modelHost, log);
  const budget = createModelBudget({ db: database.db, log, limits: config.modelLimits });
  const generator = await createGenerator(config, budget, ownGenerator);
  const meanings = await openMeanings(config, database.db, modelHost, log);
  return {
    config,
    log,
    database,
    db: database.db,
    jobs,
    disk: new Disk(config),
    vault: createVault(await openKeyRing(database.db, config)),
    mailer: createMailer(config, log),
    generator,
    meanings,
    localModels: localModelsOf(config, { generator, meanings }, ownGenerator),
    modelHost,
  };
}

/** Where a model is somebody else's, this server's own model or the embedded engine answers, and search goes by words. */
function localModelsOf(
  { llm, embedding, localModelHosts }: Config,
  { generator, meanings }: Models,
  own: Generator,
): Models | null {
  const foreign = (model: { baseUrl: string } | null) =>
    model !== null && !isLocalModel(model.baseUrl, localModelHosts);
  if (!foreign(llm) && !foreign(embedding)) return null;
  return {
    generator: foreign(llm) ? own : generator,
    meanings: foreign(embedding) ? null : meanings,
  };
}

async function openMeanings(config: Config, db: Database, host: ModelHost | null, log: Log): Promise<Meanings | null> {
  const { embedding, modelFiles } = config;
  if (embedding !== null) {
    const inDatabase = await preparePgvector(db, log);
    return createMeanings(createEmbedder(embedding), { timeoutMs: embedding.timeoutMs, inDatabase, log });
  }
  if (host === null || !modelFiles?.embedder) return null;
  const inDatabase = await preparePgvector(db, log);
  return createMeanings(localEmbedder(host, meaningModelOf(config)!), {
    timeoutMs: modelFiles.embeddingTimeoutMs,
    inDatabase,
    log,
  });
}

/** Without a model of somebody's: the file's, or the embedded engine. */
function createOwnGenerator({ modelFiles }: Config, host: ModelHost | null, log: Log): Generator {
  if (host === null || !modelFiles?.generator) return embeddedGenerator();
  return localGenerator({ host, log, totalMs: modelFiles.timeoutSeconds * 1000 });
}

/** An endpoint is the stronger of the two. */
async function createGenerator({ llm }: Config, budget: ModelBudget, own: Generator): Promise<Generator> {
  if (llm === null) return own;
  const { llmGenerator } = await import("./replies/generators/llm.ts");
  const { baseUrl, apiKey, model, timeoutSeconds } = llm;
  return llmGenerator({ baseUrl, apiKey, model, totalMs: timeoutSeconds * 1000, budget });
}
