/** Builds the live things that the features are given. */

import { createMailer, type Mailer } from "./auth/mail.ts";
import type { Config } from "./config.ts";
import type { Database, OpenDatabase } from "./db/database.ts";
import { preparePgvector } from "./db/pgvector.ts";
import { Disk } from "./disk.ts";
import { embeddedGenerator } from "./engine/generators/embedded.ts";
import type { Generator } from "./engine/generators/generator.ts";
import { createEmbedder } from "./engine/meaning/embedder.ts";
import { createMeanings, type Meanings } from "./engine/meaning/meanings.ts";
import { isLocalModel, type Models } from "./engine/models.ts";
import { setIndexCacheBytes } from "./engine/twin-index.ts";
import { type Jobs, openJobs } from "./jobs/queue.ts";
import type { Log } from "./log.ts";
import { openKeyRing } from "./records/master-key/key-ring.ts";
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
}

export async function createServices(config: Config, log: Log, database: OpenDatabase): Promise<Services> {
  setIndexCacheBytes(config.indexCacheBytes);
  database.onStalled((stalled) => log.error({ err: stalled }, "a transaction stood still and was ended"));
  const jobs = await openJobs(database, log);
  const generator = await createGenerator(
    config,
    createModelBudget({ db: database.db, log, limits: config.modelLimits }),
  );
  const meanings = await openMeanings(config, database.db, log);
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
    localModels: localModelsOf(config, { generator, meanings }),
  };
}

/** Where a model is somebody else's, the embedded engine answers and search goes by words. */
function localModelsOf({ llm, embedding, localModelHosts }: Config, { generator, meanings }: Models): Models | null {
  const foreign = (model: { baseUrl: string } | null) =>
    model !== null && !isLocalModel(model.baseUrl, localModelHosts);
  if (!foreign(llm) && !foreign(embedding)) return null;
  return {
    generator: foreign(llm) ? embeddedGenerator() : generator,
    meanings: foreign(embedding) ? null : meanings,
  };
}

async function openMeanings({ embedding }: Config, db: Database, log: Log): Promise<Meanings | null> {
  if (embedding === null) return null;
  const inDatabase = await preparePgvector(db, log);
  return createMeanings(createEmbedder(embedding), { timeoutMs: embedding.timeoutMs, inDatabase, log });
}

async function createGenerator({ llm }: Config, budget: ModelBudget): Promise<Generator> {
  if (llm === null) return embeddedGenerator();
  const { llmGenerator } = await import("./engine/generators/llm.ts");
  const { baseUrl, apiKey, model, timeoutSeconds } = llm;
  return llmGenerator({ baseUrl, apiKey, model, totalMs: timeoutSeconds * 1000, budget });
}
