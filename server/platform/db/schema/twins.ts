import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { organizations, orgId, users } from "./accounts.ts";
import { at, createdAt, uuidId } from "./columns.ts";

export const twinId = () =>
  uuid("twin_id")
    .notNull()
    .references(() => twins.id, { onDelete: "cascade" });

export const twins = pgTable(
  "twins",
  {
    id: uuidId(),
    orgId: orgId(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** The name that contacts see (accounts/twins/public-name.ts); null: the same as `name`. */
    publicName: text("public_name"),
    description: text("description").notNull(),
    personality: text("personality").notNull(),
    communicationStyle: text("communication_style").notNull(),
    expertise: text("expertise").array().notNull().default([]),
    /** See `TwinPurpose` of contract/twins.ts. */
    purpose: text("purpose", { enum: ["business", "friends"] })
      .notNull()
      .default("business"),
    status: text("status", { enum: ["training", "ready"] })
      .notNull()
      .default("training"),
    isActive: boolean("is_active").notNull().default(true),
    /** Fidelity, 0..1; null until it has been measured on held-out messages. */
    styleAccuracy: doublePrecision("style_accuracy"),
    /** `OwnersStyle` of contract/quality.ts. */
    styleProfile: jsonb("style_profile").$type<unknown>(),
    /** `StatedSelf` of contract/knowledge/self-presentation.ts; null: the owner has stated nothing of himself. */
    selfPresentation: jsonb("self_presentation").$type<unknown>(),
    /** Grows with every change of chunks or reply examples, so that in-memory indexes notice that they are stale. */
    knowledgeRevision: bigint("knowledge_revision", { mode: "number" }).notNull().default(0),
    trainedRevision: bigint("trained_revision", { mode: "number" }).notNull().default(-1),
    trainingStage: text("training_stage"),
    trainingProgress: doublePrecision("training_progress").notNull().default(1),
    trainingError: text("training_error"),
    /** Number of interrupted job runs since the last progress (platform/jobs/crash-limit.ts). */
    trainingCutOff: integer("training_cut_off").notNull().default(0),
    /** The model and the knowledge revision whose embeddings are complete (knowledge/embeddings/learn-embeddings.ts); null: never requested. */
    embeddingModel: text("embedding_model"),
    embeddingRevision: bigint("embedding_revision", { mode: "number" }).notNull().default(-1),
    embeddingError: text("embedding_error"),
    embeddingCutOff: integer("embedding_cut_off").notNull().default(0),
    /** The knowledge revision whose correspondence was last searched for facts (server/knowledge/facts). */
    factsRevision: bigint("facts_revision", { mode: "number" }).notNull().default(-1),
    /** Limit of language model tokens per day (Moscow time); null: the server's default for each twin. */
    dailyModelTokens: bigint("daily_model_tokens", { mode: "number" }),
    lastTrainedAt: at("last_trained_at"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("twins_org").on(t.orgId, t.createdAt)],
);

/** A twin's state after a training or a saved change; the owner can restore it. */
export const twinVersions = pgTable(
  "twin_versions",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    cause: text("cause", { enum: ["before", "training", "settings", "corrections", "restored"] }).notNull(),
    /** Who saved the change; null for a training. */
    authorId: uuid("author_id"),
    /** `TwinSnapshot` of accounts/twins/versions.ts. */
    snapshot: jsonb("snapshot").$type<unknown>().notNull(),
    /** Ascending order of creation. */
    place: bigint("place", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    createdAt: createdAt(),
    /** When the last change was merged into this version. */
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("twin_versions_twin").on(t.twinId, t.place), index("twin_versions_org").on(t.orgId)],
);

/** While a row exists, all twins of the organisation are stopped. */
export const twinStops = pgTable("twin_stops", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  stoppedBy: uuid("stopped_by").notNull(),
  stoppedAt: at("stopped_at").notNull().defaultNow(),
});

/** Daily counters, so that totals and averages stay cheap however long the history is. `day` is in Moscow time, YYYY-MM-DD. */
export const dailyUsage = pgTable(
  "daily_usage",
  {
    orgId: orgId(),
    twinId: twinId(),
    day: text("day").notNull(),
    messages: integer("messages").notNull().default(0),
    /** Number of answers that the two sums below include. */
    measured: integer("measured").notNull().default(0),
    /** Sum of confidences, each 0..1. */
    confidenceSum: doublePrecision("confidence_sum").notNull().default(0),
    /** Sum of durations, ms. */
    durationSum: bigint("duration_sum", { mode: "number" }).notNull().default(0),
    /**
     * The part of the four counters above that comes from members' test chats, which say nothing about customers
     * (docs/decisions/037-analytics-counts.md).
     */
    tests: integer("tests").notNull().default(0),
    testsMeasured: integer("tests_measured").notNull().default(0),
    testsConfidenceSum: doublePrecision("tests_confidence_sum").notNull().default(0),
    testsDurationSum: bigint("tests_duration_sum", { mode: "number" }).notNull().default(0),
    embeddingTokens: bigint("embedding_tokens", { mode: "number" }).notNull().default(0),
    /** Language model tokens, reserved before each call (accounts/twins/model-budget.ts). */
    modelTokens: bigint("model_tokens", { mode: "number" }).notNull().default(0),
    /** The highest warning sent to the owner, in per cent of the day's limit: 0, 80 or 100. */
    modelTold: smallint("model_told").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.twinId, t.day] }), index("daily_usage_org").on(t.orgId, t.day)],
);

/** An organisation's daily limit (Moscow time) of language model tokens for all its twins, and their usage on `day`. */
export const modelBudgets = pgTable("model_budgets", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  /** Limit set by the organisation's administrator; null: the server's default. */
  dailyTokens: bigint("daily_tokens", { mode: "number" }),
  day: text("day").notNull().default(""),
  tokens: bigint("tokens", { mode: "number" }).notNull().default(0),
  /** Spending limit set by the administrator, in millionths of the currency of `remote_models`; null: only tokens are limited. */
  dailyMoney: bigint("daily_money", { mode: "number" }),
  /** Amount spent on `day`, in the same unit. */
  money: bigint("money", { mode: "number" }).notNull().default(0),
  /** The highest warning sent, like `daily_usage.model_told`. */
  told: smallint("told").notNull().default(0),
});
