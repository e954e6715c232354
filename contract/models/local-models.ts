/** Local models, which the server runs itself: the catalogue, the installed models and the chosen ones. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { OrganizationParams } from "../organizations/organization-params.ts";
import { IdParams } from "../twins.ts";

/** `chat` writes replies, `embedder` searches by meaning, `reranker` reorders search results, `speech` transcribes recordings. */
export const ModelKind = z.enum(["chat", "embedder", "reranker", "speech"], "Выберите, для чего эта модель");
export type ModelKind = z.infer<typeof ModelKind>;

/** How well this machine can run a model; `slow` means that a reply takes long. */
export const ModelVerdict = z.enum(["recommended", "fits", "slow", "no-memory", "no-disk"]);
export type ModelVerdict = z.infer<typeof ModelVerdict>;

/**
 * `downloading` and `paused` apply to a file of the hub, `uploading` to the operator's own file. A file in one of these states that is
 * complete is being verified.
 */
const LocalModelState = z.enum(["downloading", "paused", "uploading", "ready", "failed"]);

const bytes = z.number();

export const QualityFigure = z.object({
  benchmark: z.string(),
  value: z.string(),
  /** URL of the page with the figure; null when this project measured it (docs/quality.md). */
  source: z.nullable(z.string()),
  /** The day on which the page was read or the measurement was made. */
  date: z.iso.date(),
});
export type QualityFigure = z.infer<typeof QualityFigure>;

export const CatalogueEntry = z.object({
  id: z.string(),
  kind: ModelKind,
  name: z.string(),
  about: z.string(),
  licence: z.string(),
  /** URL of the public model card that states size and licence. */
  source: z.string(),
  bytes,
  memoryBytes: bytes,
  verdict: ModelVerdict,
  /** Whether the model may extract facts from documents; only large chat models are reliable enough. */
  reads: z.boolean(),
  figures: z.array(QualityFigure),
});
export type CatalogueEntry = z.infer<typeof CatalogueEntry>;

export const LocalModel = z.object({
  id: z.string(),
  kind: ModelKind,
  name: z.string(),
  catalogueId: z.nullable(z.string()),
  state: LocalModelState,
  /** Why the download or upload failed, as a Russian sentence. */
  problem: z.nullable(z.string()),
  /** Whether a stopped download can continue, either from `received` or from the beginning. */
  resumable: z.boolean(),
  /** Size of the whole file; null until the hub reports it. */
  bytes: z.nullable(bytes),
  received: bytes,
  /** Current download speed; null while no download runs or it has just begun. */
  bytesPerSecond: z.nullable(z.number()),
  /** Approximate memory use of the running model; null until the file is complete. */
  memoryBytes: z.nullable(bytes),
  allowed: z.boolean(),
  /** Whether this model serves the organisations that have not chosen one. */
  chosen: z.boolean(),
  /** Whether the model will be chosen as soon as it is ready. */
  wanted: z.boolean(),
  organizations: z.number(),
  /** Whether the model is chosen but takes effect only after the next start. */
  afterRestart: z.boolean(),
});
export type LocalModel = z.infer<typeof LocalModel>;

export const LocalModels = z.object({
  machine: z.object({ memoryBytes: bytes, cores: z.number(), diskBytes: bytes }),
  hub: z.string(),
  /** Kinds of model that the server's settings fix. A choice made here has no effect until the setting is removed. */
  settled: z.array(ModelKind),
  catalogue: z.array(CatalogueEntry),
  /** Catalogue ids of models that this machine can run together and that are not chosen yet: one of each kind, most useful first. */
  advised: z.array(z.string()),
  installed: z.array(LocalModel),
  offerPassed: z.boolean(),
});
export type LocalModels = z.infer<typeof LocalModels>;

/** Upper bound of a model file: no CPU runs a larger model in acceptable time. */
export const MAX_MODEL_BYTES = 64 * 1024 ** 3;

export const ModelFileInput = z.object({
  fileName: z
    .string("Укажите файл")
    .check(z.trim(), z.minLength(1, "Укажите файл"), z.maxLength(200, "Слишком длинное имя файла")),
  bytes: z
    .int("Неверный размер файла")
    .check(z.gte(24, "Файл пуст"), z.lte(MAX_MODEL_BYTES, "Файл больше 64 ГБ: такую модель здесь не запустить")),
});
export type ModelFileInput = z.infer<typeof ModelFileInput>;

export const LocalModelChange = z
  .object({
    allowed: z.optional(z.boolean("Ожидалось true или false")),
    chosen: z.optional(z.boolean("Ожидалось true или false")),
  })
  .check(z.refine((change) => change.allowed !== undefined || change.chosen !== undefined, "Нечего изменить"));
export type LocalModelChange = z.infer<typeof LocalModelChange>;

export const ModelTrial = z.object({
  text: z.string(),
  /** Time to load the model into memory; about 0 if it was loaded already. */
  loadMs: z.number(),
  firstTokenMs: z.number(),
  /** null when the answer was too short to measure. */
  tokensPerSecond: z.nullable(z.number()),
  /** Memory use of the model's process; null when the operating system does not report it. */
  memoryBytes: z.nullable(bytes),
});
export type ModelTrial = z.infer<typeof ModelTrial>;

/** `default`: the installation's choice; `none`: the embedded engine without a model; otherwise a model's id. */
const Choice = z.union([z.literal(["default", "none"]), z.uuid()], "Выберите модель из списка");

export const OrganizationModel = z.object({
  choice: z.string(),
  /** Name of the installation's default model; null when none is chosen. */
  defaultName: z.nullable(z.string()),
  models: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Whether the server's settings fix the model, so that nothing can be chosen. */
  settled: z.boolean(),
});
export type OrganizationModel = z.infer<typeof OrganizationModel>;

const access = "super_admin";
export const localModelsApi = {
  list: endpoint("GET /api/admin/models", {
    access,
    tags: ["models"],
    summary: "Модели на этом сервере: каталог, установленные, возможности машины",
    output: LocalModels,
  }),
  install: endpoint("POST /api/admin/models", {
    access,
    refreshes: ["models", "organization"],
    summary: "Скачать модель из каталога",
    input: z.object({
      catalogueId: z.string("Выберите модель").check(z.maxLength(100, "Выберите модель")),
      choose: z.optional(z.boolean("Ожидалось true или false")),
    }),
    output: LocalModel,
    status: 202,
  }),
  passOffer: endpoint("POST /api/admin/model-offer/pass", {
    access,
    refreshes: ["models"],
    summary: "Больше не предлагать модель на главной странице",
  }),
  change: endpoint("PUT /api/admin/models/:id", {
    access,
    refreshes: ["models", "organization"],
    summary: "Разрешить модель организациям или выбрать её для всех",
    params: IdParams,
    input: LocalModelChange,
    output: LocalModel,
  }),
  pause: endpoint("POST /api/admin/models/:id/pause", {
    access,
    refreshes: ["models", "organization"],
    summary: "Приостановить скачивание",
    params: IdParams,
    output: LocalModel,
  }),
  resume: endpoint("POST /api/admin/models/:id/resume", {
    access,
    refreshes: ["models", "organization"],
    summary: "Продолжить скачивание",
    params: IdParams,
    output: LocalModel,
  }),
  remove: endpoint("DELETE /api/admin/models/:id", {
    access,
    refreshes: ["models", "organization"],
    summary: "Отменить скачивание или удалить модель вместе с файлом",
    params: IdParams,
  }),
  trial: endpoint("POST /api/admin/models/:id/trial", {
    access,
    refreshes: "nothing",
    summary: "Спросить модель и измерить её скорость и память",
    params: IdParams,
    input: z.object({
      question: z
        .string("Введите вопрос")
        .check(z.trim(), z.minLength(1, "Введите вопрос"), z.maxLength(1000, "Не длиннее 1000 знаков")),
    }),
    output: ModelTrial,
  }),
  beginFile: endpoint("POST /api/admin/model-files", {
    access,
    refreshes: ["models", "organization"],
    summary: "Начать загрузку своего файла модели или продолжить прерванную: те же имя и размер",
    input: ModelFileInput,
    output: LocalModel,
  }),
  appendFile: endpoint("PATCH /api/admin/model-files/:id", {
    access,
    refreshes: "piece",
    summary: "Следующие байты файла модели с места offset (application/octet-stream)",
    params: IdParams,
    query: z.object({ offset: z.coerce.number().check(z.int(), z.gte(0), z.lte(MAX_MODEL_BYTES)) }),
    output: LocalModel,
  }),
  ofOrganization: endpoint("GET /api/organizations/:orgId/model", {
    access: "signed-in",
    tags: ["organization", "model"],
    summary: "Какая модель на этом сервере отвечает за организацию и какие можно выбрать",
    params: OrganizationParams,
    output: OrganizationModel,
  }),
  chooseForOrganization: endpoint("PUT /api/organizations/:orgId/model", {
    access: "org_admin",
    refreshes: ["model", "model-rule"],
    summary: "Выбрать модель на этом сервере для своей организации",
    params: OrganizationParams,
    input: z.object({ choice: Choice }),
    output: OrganizationModel,
  }),
};
