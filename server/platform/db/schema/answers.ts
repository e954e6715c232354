/** Measurements of how closely twins answer like their owners. */
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { orgId } from "./accounts.ts";
import { at, createdAt, serialId, uuidId } from "./columns.ts";
import { replyExamples } from "./knowledge.ts";
import { twinId } from "./twins.ts";

/** Every measurement of a twin's fidelity (answers/training/measure-fidelity.ts). All shares are 0..1. */
export const fidelityMeasures = pgTable(
  "fidelity_measures",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    revision: bigint("revision", { mode: "number" }).notNull(),
    /** What there were too few of for a measurement; the figures are null then. */
    lacking: text("lacking", { enum: ["own", "held", "people"] }),
    /** √(verified · indistinguishable), with its 90 % interval. */
    value: doublePrecision("value"),
    low: doublePrecision("low"),
    high: doublePrecision("high"),
    verified: doublePrecision("verified"),
    indistinguishable: doublePrecision("indistinguishable"),
    /** Upper bound: the `value` of the owner's own older messages. */
    ceiling: doublePrecision("ceiling"),
    /** Lower bound: the `value` of strangers' messages. */
    floor: doublePrecision("floor"),
    copyRate: doublePrecision("copy_rate"),
    relevance: doublePrecision("relevance"),
    /** Who asked: people whom the owner has answered, or strangers, who meet none of his letters. */
    audience: text("audience", { enum: ["contacts", "strangers"] })
      .notNull()
      .default("contacts"),
    /** Messages that the twin left to its owner. Their replies are not judged, unless too few others remain. */
    handedOver: integer("handed_over").notNull().default(0),
    /** Number of the owner's turns that trained the verifier. */
    own: integer("own").notNull(),
    /** Number of the owner's real replies, held out of the training, that the twin's were compared with. */
    held: integer("held").notNull(),
    /** Number of contacts who served as strangers, because they wrote enough messages. */
    people: integer("people").notNull(),
    durationMs: integer("duration_ms").notNull(),
    measuredAt: at("measured_at").notNull().defaultNow(),
    /** Name of the model that answered; null: none, or a remote one that release 0.2 measured. */
    model: text("model"),
    /** Written only by processes of release 0.2, like the next two. Dropped once no release reads it. */
    voiceId: uuid("voice_id").references(() => voiceAdapters.id, { onDelete: "set null" }),
    /** Version of the voice adapter that was applied. */
    voiceVersion: integer("voice_version"),
    /** A comparison with or without a voice adapter, which does not represent the twin's answers to its contacts. */
    trial: boolean("trial").notNull().default(false),
  },
  (t) => [
    index("fidelity_measures_twin").on(t.twinId, t.id),
    index("fidelity_measures_org").on(t.orgId),
    index("fidelity_measures_voice").on(t.voiceId),
  ],
);

/**
 * Written and read only by processes of release 0.2: LoRA adapters of local models (docs/decisions/029-no-voice-adapters.md). Rows and files
 * are removed at the start and every hour (operations/records/remove-voice-adapters.ts). Dropped once no release reads it.
 */
export const voiceAdapters = pgTable(
  "voice_adapters",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    userId: uuid("user_id").notNull(),
    version: integer("version"),
    fileName: text("file_name").notNull(),
    storedName: text("stored_name").notNull().unique(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    modified: bigint("modified", { mode: "number" }),
    baseName: text("base_name"),
    baseShape: text("base_shape"),
    baseWeights: text("base_weights"),
    baseFile: text("base_file"),
    rank: integer("rank"),
    sha256: text("sha256"),
    active: boolean("active").notNull().default(false),
    failedAt: at("failed_at"),
    forgottenAt: at("forgotten_at"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("voice_adapters_org").on(t.orgId),
    uniqueIndex("voice_adapters_version").on(t.twinId, t.version),
    uniqueIndex("voice_adapters_active").on(t.twinId).where(sql`active`),
    check("voice_adapters_whole", sql`version is not null or not active`),
  ],
);

/** The twin's replies in the newest measurement; each is deleted together with the reply example that it is compared with. */
export const fidelityExamples = pgTable(
  "fidelity_examples",
  {
    id: serialId(),
    orgId: orgId(),
    measureId: bigint("measure_id", { mode: "number" })
      .notNull()
      .references(() => fidelityMeasures.id, { onDelete: "cascade" }),
    replyExampleId: bigint("reply_example_id", { mode: "number" })
      .notNull()
      .references((): AnyPgColumn => replyExamples.id, { onDelete: "cascade" }),
    reply: text("reply").notNull(),
    /** The verifier's log-odds that the owner wrote the reply. */
    logit: doublePrecision("logit").notNull(),
  },
  (t) => [
    index("fidelity_examples_measure").on(t.measureId),
    index("fidelity_examples_reply_example").on(t.replyExampleId),
    index("fidelity_examples_org").on(t.orgId),
  ],
);

/** Results of blind tests, in which the owner guesses which of two replies is his own. */
export const blindTests = pgTable(
  "blind_tests",
  {
    id: uuid("id").primaryKey(),
    orgId: orgId(),
    twinId: twinId(),
    userId: uuid("user_id").notNull(),
    right: integer("right_answers").notNull(),
    total: integer("total").notNull(),
    takenAt: at("taken_at").notNull().defaultNow(),
  },
  (t) => [index("blind_tests_twin").on(t.twinId, t.takenAt), index("blind_tests_org").on(t.orgId)],
);
