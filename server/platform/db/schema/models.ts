/** Models of the server and of organisations, and readers of recordings and pictures. */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ExamAnswer } from "#contract/models/model-exam.ts";
import type { ModelExam } from "#contract/models/remote-model.ts";
import type { Currency, GigachatScope, RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { organizations, orgId } from "./accounts.ts";
import { at, bytea, createdAt, uuidId } from "./columns.ts";

/**
 * Model files that were downloaded or uploaded into the data folder on the screen «Модель» (docs/decisions/030-local-models.md). They
 * belong to the installation, not to an organisation.
 */
export const localModels = pgTable(
  "local_models",
  {
    id: uuidId(),
    kind: text("kind", { enum: ["chat", "embedder", "reranker", "speech"] }).notNull(),
    name: text("name").notNull(),
    /** Id in models/local/catalogue; null for a file that was uploaded or downloaded from elsewhere. */
    catalogueId: text("catalogue_id").unique(),
    /** Random name inside the data folder's `models`. */
    storedName: text("stored_name").notNull().unique(),
    /** Size that the hub or the uploader announced; null until the hub was asked. */
    bytes: bigint("bytes", { mode: "number" }),
    received: bigint("received", { mode: "number" }).notNull().default(0),
    /** Commit of the file on the hub, so that a resumed download continues the same file. */
    revision: text("revision"),
    /** Path of the file in that commit. */
    path: text("path"),
    /** SHA-256 of the file by the hub, hex. */
    sha256: text("sha256"),
    /** For a model of several files: our name and the hub's facts of each; null for one file. */
    parts:
      jsonb("parts").$type<{ name: string; path: string; bytes: number; sha256: string | null; gitBlob?: string }[]>(),
    /** Read from the file's header once it is complete. */
    architecture: text("architecture"),
    contextTokens: integer("context_tokens"),
    tokenBytes: doublePrecision("token_bytes"),
    state: text("state", { enum: ["downloading", "paused", "uploading", "ready", "failed"] }).notNull(),
    /** Code of the error message of a failed model. */
    problem: text("problem"),
    allowed: boolean("allowed").notNull().default(false),
    /** Whether organisations without a choice of their own use this model. */
    chosen: boolean("chosen").notNull().default(false),
    /** Whether the model is to be chosen once it is ready, because the administrator accepted a recommendation. */
    wanted: boolean("wanted").notNull().default(false),
    /** Lease of the process that downloads or receives the file; renewed every few seconds. */
    heldUntil: at("held_until"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("local_models_chosen").on(t.kind).where(sql`chosen`),
    check("local_models_kind", sql`kind in ('chat', 'embedder', 'reranker', 'speech')`),
    check("local_models_state", sql`state in ('downloading', 'paused', 'uploading', 'ready', 'failed')`),
    check("local_models_served", sql`state = 'ready' or not (chosen or allowed)`),
  ],
);

/** While a row exists, the organisation's data may be sent only to models that the operator has declared local. */
export const localModelRules = pgTable("local_model_rules", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  setBy: uuid("set_by").notNull(),
  setAt: at("set_at").notNull().defaultNow(),
});

/** The local model that the organisation has chosen; without a row, it uses the installation's default. */
export const organizationModels = pgTable(
  "organization_models",
  {
    orgId: uuid("org_id")
      .primaryKey()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** null: no model, so the extractive reader answers. Deleting a model deletes the choice. */
    modelId: uuid("model_id").references(() => localModels.id, { onDelete: "cascade" }),
    setBy: uuid("set_by").notNull(),
    setAt: at("set_at").notNull().defaultNow(),
  },
  (t) => [index("organization_models_model").on(t.modelId)],
);

/** The organisation's own remote model (docs/decisions/031-remote-models-and-budgets.md). */
export const remoteModels = pgTable("remote_models", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  /** Replaced with every change, so that clients built from earlier settings are no longer used. */
  revision: uuid("revision").notNull(),
  preset: text("preset").$type<RemotePresetId>().notNull(),
  baseUrl: text("base_url").notNull(),
  authUrl: text("auth_url"),
  model: text("model").notNull(),
  /** Null when no key is set. The vault binds the ciphertext to the column `api_key` and to the organisation's id. */
  apiKey: bytea("api_key"),
  scope: text("scope").$type<GigachatScope>(),
  /** The operator has configured these addresses, so they may be in a private network and without TLS. */
  mayBePrivate: boolean("may_be_private").notNull().default(false),
  currency: text("currency").$type<Currency>().notNull(),
  /** Price of 1,000 input tokens in millionths of the currency; null when unknown. */
  inputPrice: bigint("input_price", { mode: "number" }),
  /** Price of 1,000 output tokens in millionths of the currency; null when unknown. */
  outputPrice: bigint("output_price", { mode: "number" }),
  /** Tokens that the model reads at once, as the administrator has set them; null: its server is asked. */
  contextTokens: integer("context_tokens"),
  /** The provider's model by which the organisation's twins search by meaning; null: that of the installation, or words alone. */
  embeddingModel: text("embedding_model"),
  enabled: boolean("enabled").notNull(),
  /** Result of the model's exam (docs/decisions/031-remote-models-and-budgets.md); null: none was taken of this model at this address. */
  exam: jsonb("exam").$type<ModelExam>(),
  /** What the model answered in that exam. Apart from its result, which is read before every answer. */
  examAnswers: jsonb("exam_answers").$type<ExamAnswer[]>(),
  /** The exam that is under way, or that ended without a result; null: none. */
  examRun: jsonb("exam_run").$type<ExamRun>(),
  setBy: uuid("set_by").notNull(),
  setAt: at("set_at").notNull().defaultNow(),
});

export interface ExamRun {
  /** A job whose run is no longer stored ends. */
  id: string;
  asked: number;
  /** Code of the error that ended it; null: none did. */
  failure: string | null;
  /** What a run of a shared model has got, so that an interrupted one goes on: a slow model takes hours. */
  answers?: ExamAnswer[];
  records?: number;
  tokens?: number;
}

/**
 * Reader of contacts' media, one row each for recordings (`speech`) and pictures (`picture`). Without a row, or in the mode `off`, nothing
 * is fetched or recognised.
 */
export const mediaReaders = pgTable(
  "media_readers",
  {
    orgId: orgId(),
    kind: text("kind", { enum: ["speech", "picture"] }).notNull(),
    mode: text("mode", { enum: ["off", "local", "endpoint"] }).notNull(),
    /** The connected service, kept while another mode is chosen; null until one is entered. */
    preset: text("preset", { enum: ["openai", "yandex"] }),
    baseUrl: text("base_url"),
    model: text("model"),
    /** Null when no key is set. The vault binds the ciphertext to the column `api_key`, the organisation's id and the kind. */
    apiKey: bytea("api_key"),
    /** The operator has named this address, so it may be in a private network and without TLS. */
    mayBePrivate: boolean("may_be_private").notNull().default(false),
    /** Maximum length in seconds, above which a recording is not recognised; null for pictures. */
    longestSeconds: integer("longest_seconds"),
    /** Daily limit (Moscow time): minutes of recordings, or number of pictures. */
    dailyLimit: integer("daily_limit").notNull(),
    /** Retention of originals in days; null: as long as their messages. */
    keptDays: integer("kept_days"),
    /** The day to which `used` applies: seconds of recordings, or number of pictures. */
    day: text("day").notNull().default(""),
    used: integer("used").notNull().default(0),
    setBy: uuid("set_by").notNull(),
    setAt: at("set_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.kind] }),
    check("media_readers_kind", sql`kind in ('speech', 'picture')`),
    check("media_readers_mode", sql`mode in ('off', 'local', 'endpoint')`),
  ],
);
