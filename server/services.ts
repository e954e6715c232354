/** Creates the shared services that features receive as dependencies. */
import { basename } from "node:path";
import type { ModelKind } from "#contract/models/local-models.ts";
import { createMailer, type Mailer } from "./accounts/mail/mail.ts";
import { createModelBudget, type ModelBudget } from "./accounts/twins/model-budget.ts";
import type { SettledModel } from "./answers/exam/shared-exams.ts";
import { type ChosenModels, chosenModels } from "./answers/replies/chosen-models.ts";
import { embeddedGenerator } from "./answers/replies/embedded-generator.ts";
import type { Generator } from "./answers/replies/generator.ts";
import type { ModelSettings } from "./answers/replies/llm-generator.ts";
import { localGenerator } from "./answers/replies/local-generator.ts";
import type { Models } from "./answers/replies/models.ts";
import { countedBudget, createRemoteGenerators, type RemoteGenerators } from "./answers/replies/remote-generators.ts";
import { SharedAbilities, settledSubject } from "./answers/replies/shared-abilities.ts";
import { openCrmDeskFor } from "./answers/tools/crm-desk.ts";
import { openCrmDesk } from "./inbox/crm/crm-desk.ts";
import { createEmbedder } from "./knowledge/embeddings/embedder.ts";
import { localEmbedder } from "./knowledge/embeddings/local-embedder.ts";
import {
  createOrganizationEmbedders,
  type OrganizationEmbedders,
} from "./knowledge/embeddings/organization-embedders.ts";
import { createQueryEmbedder, type QueryEmbedder } from "./knowledge/embeddings/query-embedder.ts";
import { localReranker, type Reranker } from "./knowledge/search/reranker.ts";
import { setIndexCacheBytes } from "./knowledge/search/twin-index.ts";
import type { ModelHost } from "./models/host/model-host.ts";
import { changeModel } from "./models/local/choices.ts";
import { withChosenSearchModels } from "./models/local/chosen-search-models.ts";
import { openLocalModels } from "./models/local/local-models.ts";
import { ModelDownloads } from "./models/local/model-downloads.ts";
import { readModelFile } from "./models/local/model-file.ts";
import { thisMachine } from "./models/local/model-memory.ts";
import { ModelRegistry } from "./models/local/model-registry.ts";
import type { LocalMedia } from "./models/media/local-media.ts";
import { openLocalMedia } from "./models/media/this-machine.ts";
import { isLocalModel } from "./models/remote/local-hosts.ts";
import { createRemoteConnections, type RemoteConnections } from "./models/remote/remote-connections.ts";
import { trustedRoots } from "./models/remote/trusted-roots.ts";
import { createFactsReader, type InstallationFacts } from "./operations/health/facts.ts";
import { type ThisProcess, thisProcess } from "./operations/health/processes.ts";
import { createReadiness, type Readiness } from "./operations/health/readiness.ts";
import { type ServicesReached, watchServices } from "./operations/health/services-reached.ts";
import { openKeyRing } from "./operations/master-key/key-ring.ts";
import { type Config, embeddingModelOf } from "./platform/config.ts";
import type { Database, OpenDatabase } from "./platform/db/database.ts";
import { preparePgvector } from "./platform/db/pgvector.ts";
import { WriteGuard } from "./platform/db-upkeep/write-guard.ts";
import { Disk } from "./platform/files/disk.ts";
import type { FileStore } from "./platform/files/file-store.ts";
import { type Jobs, openJobs } from "./platform/jobs/queue.ts";
import type { Log } from "./platform/log.ts";
import { checkFilePlace } from "./platform/object-storage/file-place.ts";
import { openFileStore } from "./platform/object-storage/open-file-store.ts";
import { createVault, type Vault } from "./platform/secrets/vault.ts";

/** Search indexes get at least this, and a sixteenth of a larger machine's memory. */
const LEAST_INDEX_CACHE_BYTES = 256 * 2 ** 20;

export interface Services {
  config: Config;
  log: Log;
  database: OpenDatabase;
  db: Database;
  jobs: Jobs;
  disk: Disk;
  files: FileStore;
  /** Whether anything can be stored. */
  writing: WriteGuard;
  /** Whether the other servers that the settings name are there. */
  reached: ServicesReached;
  readiness: Readiness;
  /** Describes this process: its id, role and version. */
  self: ThisProcess;
  facts: () => Promise<InstallationFacts>;
  vault: Vault;
  mailer: Mailer;
  generator: Generator;
  /** null when no embedder is configured; then search uses words only. */
  queryEmbedder: QueryEmbedder | null;
  /** null when search results are not reranked. */
  reranker: Reranker | null;
  /** Models for organisations that allow only local models; null when all configured models are local. */
  localModels: Models | null;
  /** Runs model files in the server's own model process; null when the settings name no model file. */
  modelHost: ModelHost | null;
  /** Models that the administrator manages on the screen «Модель», and their downloads. */
  modelRegistry: ModelRegistry;
  downloads: ModelDownloads;
  chosenModels: ChosenModels;
  /** What the exams of the server's own models let them do. */
  sharedAbilities: SharedAbilities;
  /** Builds the model of the server's settings anew for its exam; null when they name none. */
  settledModel: SettledModel | null;
  /** Ids of the embedder and the reranker that were loaded when the server started. */
  loadedReaders: readonly string[];
  /** Kinds of models that the settings determine; the screen «Модель» cannot change them. */
  settledKinds: readonly ModelKind[];
  /** Clients of the remote models that organisations or the operator have configured. */
  remote: RemoteConnections;
  remoteGenerators: RemoteGenerators;
  /** Embedders of organisations that search through their own provider. */
  organizationEmbedders: OrganizationEmbedders;
  /** Recognition of recordings and pictures on this machine. */
  localMedia: LocalMedia;
}

/** @param print writes a line to the operator's terminal */
export async function createServices(
  settings: Config,
  log: Log,
  database: OpenDatabase,
  print?: (line: string) => void,
): Promise<Services> {
  const {
    config,
    ids: loadedReaders,
    settled: settledKinds,
  } = await withChosenSearchModels(settings, database.db, log);
  setIndexCacheBytes(Math.max(LEAST_INDEX_CACHE_BYTES, thisMachine().memoryBytes / 16));
  database.onStalled((stalled) => log.error({ err: stalled }, "a transaction stood still and was ended"));
  // Vectors of an endpoint and of a file are not comparable, so only one of them is used.
  const modelFiles = config.modelFiles && { ...config.modelFiles, ...(config.embedding && { embedder: null }) };
  const modelHost = await openLocalModels(modelFiles, log);
  const disk = new Disk(config);
  const writing = new WriteGuard({ config, database, disk, log });
  const jobs = await openJobs(database, log, writing);
  await checkFilePlace(config, database.db);
  const files = openFileStore(config, database.db, disk);
  const mailer = createMailer(config, log, print);
  const reached = watchServices({ mailer, files, log });
  const sharedAbilities = new SharedAbilities(database.db);
  const ownGenerator = await createOwnGenerator(config, { host: modelHost, abilities: sharedAbilities, log });
  const budget = createModelBudget({ db: database.db, log, limits: config.modelLimits });
  const vault = createVault(await openKeyRing(database.db, config));
  openCrmDeskFor(database.db, openCrmDesk({ db: database.db, vault, config }));
  const roots = await trustedRoots(config.modelCaFile);
  const remote = createRemoteConnections({ db: database.db, config, roots });
  const generator = await createGenerator(config, { budget, own: ownGenerator, abilities: sharedAbilities, remote });
  const queryEmbedder = await openEmbeddings(config, { db: database.db, host: modelHost, remote, log });
  const reranker = openReranker(config, modelHost, log);
  const modelRegistry = new ModelRegistry({ db: database.db, config, log });
  return {
    config,
    log,
    database,
    db: database.db,
    jobs,
    disk,
    files,
    writing,
    reached,
    readiness: createReadiness({ config, db: database.db, disk, files, writing }),
    self: thisProcess(config),
    facts: createFactsReader({ config, db: database.db, disk, files, writing, reached }),
    vault,
    mailer,
    generator,
    queryEmbedder,
    reranker,
    localModels: localModelsOf(config, { generator, queryEmbedder, reranker }, ownGenerator),
    modelHost,
    modelRegistry,
    downloads: new ModelDownloads({
      ...{ database, config, disk, log },
      choose: (id) => changeModel({ db: database.db, config, modelRegistry }, null, id, { chosen: true }),
    }),
    chosenModels: chosenModels({ db: database.db, config, modelRegistry, sharedAbilities, log }),
    sharedAbilities,
    settledModel: settledModelOf(config, { budget, host: modelHost, remote, log }),
    loadedReaders,
    settledKinds,
    remote,
    remoteGenerators: createRemoteGenerators({ config, vault, remote, budget }),
    organizationEmbedders: createOrganizationEmbedders({ vault, remote, log }),
    localMedia: await openLocalMedia({ config, db: database.db, files, log }),
  };
}

/**
 * Returns the models for organisations that allow only local ones. The server's own model or the extractive reader answers; search uses
 * words only.
 */
function localModelsOf(
  { llm, embedding, localModelHosts }: Config,
  { generator, queryEmbedder, reranker }: Models,
  own: Generator,
): Models | null {
  const foreign = (model: { baseUrl: string } | null) =>
    model !== null && !isLocalModel(model.baseUrl, localModelHosts);
  if (!foreign(llm) && !foreign(embedding)) return null;
  return {
    generator: foreign(llm) ? own : generator,
    queryEmbedder: foreign(embedding) ? null : queryEmbedder,
    reranker,
  };
}

interface EmbeddingDeps {
  db: Database;
  host: ModelHost | null;
  remote: RemoteConnections;
  log: Log;
}

async function openEmbeddings(config: Config, { db, host, remote, log }: EmbeddingDeps): Promise<QueryEmbedder | null> {
  const { embedding, modelFiles } = config;
  if (embedding !== null) {
    const inDatabase = await preparePgvector(db, log);
    return createQueryEmbedder(createEmbedder({ ...embedding, fetch: remote.operators() }), {
      timeoutMs: embedding.timeoutMs,
      inDatabase,
      log,
    });
  }
  if (host === null || !modelFiles?.embedder) return null;
  const inDatabase = await preparePgvector(db, log);
  return createQueryEmbedder(localEmbedder(host, embeddingModelOf(config)!), {
    timeoutMs: modelFiles.embeddingTimeoutMs,
    inDatabase,
    log,
  });
}

function openReranker({ modelFiles }: Config, host: ModelHost | null, log: Log): Reranker | null {
  if (host === null || !modelFiles?.reranker) return null;
  return localReranker({ host, timeoutMs: modelFiles.rerankerTimeoutMs, log });
}

/** Creates the generator that works without a remote model: the local model file, or the extractive reader. */
async function createOwnGenerator(
  { modelFiles }: Config,
  { host, abilities, log }: { host: ModelHost | null; abilities: SharedAbilities; log: Log },
): Promise<Generator> {
  const path = modelFiles?.generator;
  if (host === null || !path) return embeddedGenerator();
  const model = (await readModelFile(path)).name ?? basename(path, ".gguf");
  const ability = () => abilities.of(settledSubject("file", path));
  return localGenerator({ host, log, totalMs: modelFiles.timeoutSeconds * 1000, model, ability });
}

async function createGenerator(
  { llm }: Config,
  { own, abilities, ...deps }: EndpointDeps & { own: Generator; abilities: SharedAbilities },
): Promise<Generator> {
  if (llm === null) return own;
  return endpointGenerator(llm, { ...deps, ability: () => abilities.of(settledSubject(llm.baseUrl, llm.model)) });
}

interface EndpointDeps {
  budget: ModelBudget;
  remote: RemoteConnections;
}

async function endpointGenerator(
  { baseUrl, apiKey, model, timeoutSeconds }: NonNullable<Config["llm"]>,
  { budget, remote, ability }: EndpointDeps & Pick<ModelSettings, "ability">,
): Promise<Generator> {
  const { llmGenerator } = await import("./answers/replies/llm-generator.ts");
  return llmGenerator({
    ...{ baseUrl, apiKey, model, totalMs: timeoutSeconds * 1000, budget },
    ...(ability === undefined ? {} : { ability }),
    fetch: remote.operators(),
    leave: (payer) => (payer === undefined ? Promise.resolve() : remote.demand(payer, baseUrl)),
  });
}

/** The model that the settings name: the endpoint, else the file. */
function settledModelOf(
  { llm, modelFiles }: Config,
  { host, log, budget, ...deps }: EndpointDeps & { host: ModelHost | null; log: Log },
): SettledModel | null {
  if (llm !== null)
    return {
      subject: settledSubject(llm.baseUrl, llm.model),
      name: llm.model,
      isRemote: true,
      forExam: (onSpent) => endpointGenerator(llm, { ...deps, budget: countedBudget(budget, onSpent) }),
    };
  const path = modelFiles?.generator;
  if (host === null || !path) return null;
  const totalMs = modelFiles.timeoutSeconds * 1000;
  return {
    subject: settledSubject("file", path),
    name: basename(path, ".gguf"),
    isRemote: false,
    forExam: async () => localGenerator({ host, log, totalMs, ability: () => "answers" }),
  };
}
