/** Models that the server runs itself: the catalogue, the installed models, and which of them answers. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { OrganizationParams } from "../organizations/organizations.ts";
import { IdParams } from "../twins.ts";

/** chat: writes replies; embedder: searches by meaning; reranker: reorders search results; speech: makes text of recordings. */
export const ModelKind = z.enum(["chat", "embedder", "reranker", "speech"], "Выберите, для чего эта модель");
export type ModelKind = z.infer<typeof ModelKind>;

/** How well this machine can run a model; `slow`: it runs, but a reply takes long. */
export const ModelVerdict = z.enum(["recommended", "fits", "slow", "no-memory", "no-disk"]);
export type ModelVerdict = z.infer<typeof ModelVerdict>;

/**
 * `downloading` and `paused` apply to a file of the hub, `uploading` to the operator's own file. In these states a file that has all
 * its bytes is being checked.
 */
const LocalModelState = z.enum(["downloading", "paused", "uploading", "ready", "failed"]);

const bytes = z.number();

/** A published measurement of a model. */
export const QualityFigure = z.object({
  /** Name of the benchmark, and what its figure says. */
  benchmark: z.string(),
  /** The figure as it is written. */
  value: z.string(),
  /** URL of the page that says so; null: measured with this product (docs/quality.md). */
  source: z.nullable(z.string()),
  /** The day on which the page was read or the measure was taken. */
  date: z.iso.date(),
});
export type QualityFigure = z.infer<typeof QualityFigure>;

export const CatalogueEntry = z.object({
  id: z.string(),
  kind: ModelKind,
  name: z.string(),
  about: z.string(),
  licence: z.string(),
  /** URL of the public model card that size and licence come from. */
  source: z.string(),
  /** Approximate size of the file. */
  bytes,
  /** Approximate memory use while it runs. */
  memoryBytes: bytes,
  verdict: ModelVerdict,
  /** Whether it can extract facts from documents: a chat model that is large enough to be trusted. */
  reads: z.boolean(),
  /** Empty: none was found. */
  figures: z.array(QualityFigure),
});
export type CatalogueEntry = z.infer<typeof CatalogueEntry>;

export const LocalModel = z.object({
  id: z.string(),
  kind: ModelKind,
  name: z.string(),
  /** null: a file from outside the catalogue. */
  catalogueId: z.nullable(z.string()),
  state: LocalModelState,
  /** Why it failed, as a Russian sentence. */
  problem: z.nullable(z.string()),
  /** Whether a stopped download can be continued: from `received` bytes on, or from the beginning. */
  resumable: z.boolean(),
  /** Size of the whole file; null: the hub has not told it yet. */
  bytes: z.nullable(bytes),
  received: bytes,
  /** Current download speed; null: no download runs, or it has just begun. */
  bytesPerSecond: z.nullable(z.number()),
  /** Approximate memory use while it runs; null: the file is not complete yet. */
  memoryBytes: z.nullable(bytes),
  /** Whether organisations may choose it. */
  allowed: z.boolean(),
  /** Whether it serves the organisations that have chosen no model themselves. */
  chosen: z.boolean(),
  /** Whether it will be chosen as soon as it is ready. */
  wanted: z.boolean(),
  /** Number of organisations that have chosen it themselves. */
  organizations: z.number(),
  /** Whether it is chosen but will only serve after the next start. */
  afterRestart: z.boolean(),
});
export type LocalModel = z.infer<typeof LocalModel>;

export const LocalModels = z.object({
  machine: z.object({ memoryBytes: bytes, cores: z.number(), diskBytes: bytes }),
  /** The host that models are downloaded from. */
  hub: z.string(),
  /** Kinds that the server's settings have decided; a choice made here has no effect until the setting is removed. */
  settled: z.array(ModelKind),
  catalogue: z.array(CatalogueEntry),
  /** Of the catalogue, what this machine can run all at once and has not chosen yet: one of each kind, the most useful first. */
  advised: z.array(z.string()),
  installed: z.array(LocalModel),
  /** Whether the caller has passed the dashboard's offer of a model, in whichever browser. */
  offerPassed: z.boolean(),
});
export type LocalModels = z.infer<typeof LocalModels>;

/** No CPU reads larger ones in acceptable time. */
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
  /** Time until the model was loaded into memory; about 0 if it was loaded already. */
  loadMs: z.number(),
  firstTokenMs: z.number(),
  /** null: the answer was too short to measure. */
  tokensPerSecond: z.nullable(z.number()),
  /** Memory use of the model's process; null: the operating system does not tell. */
  memoryBytes: z.nullable(bytes),
});
export type ModelTrial = z.infer<typeof ModelTrial>;

/** `default`: the installation's; `none`: the embedded engine without a model; else a model's id. */
const Choice = z.union([z.literal(["default", "none"]), z.uuid()], "Выберите модель из списка");

export const OrganizationModel = z.object({
  choice: z.string(),
  /** Name of the installation's own; null: none is chosen. */
  defaultName: z.nullable(z.string()),
  models: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The server's settings have decided, and nothing can be chosen. */
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
      /** Whether it is to be chosen as soon as it is ready. */
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
