/** Voice adapters, and measurements of how closely twins answer like their owners. */
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
    /** Number of the owner's turns that trained the verifier. */
    own: integer("own").notNull(),
    /** Number of the owner's real replies that were held out of the training. */
    held: integer("held").notNull(),
    /** Number of contacts who served as strangers, because they wrote enough messages. */
    people: integer("people").notNull(),
    durationMs: integer("duration_ms").notNull(),
    measuredAt: at("measured_at").notNull().defaultNow(),
    /** Name of the local model that answered; null: a remote model or none. */
    model: text("model"),
    /** The voice adapter that was applied; null when there was none, and after its deletion. */
    voiceId: uuid("voice_id").references(() => voiceAdapters.id, { onDelete: "set null" }),
    /** `voice_adapters.version` of that adapter; kept when the adapter is deleted. */
    voiceVersion: integer("voice_version"),
    /** A comparison run with or without a voice adapter, which does not represent the twin's answers to its contacts. */
    trial: boolean("trial").notNull().default(false),
  },
  (t) => [
    index("fidelity_measures_twin").on(t.twinId, t.id),
    index("fidelity_measures_org").on(t.orgId),
    index("fidelity_measures_voice").on(t.voiceId),
  ],
);

/** A twin's voice adapter: a LoRA adapter for a local model, trained outside this server (docs/decisions/029-reply-candidates-and-voice-adapters.md). */
export const voiceAdapters = pgTable(
  "voice_adapters",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    /** Who uploaded it. */
    userId: uuid("user_id").notNull(),
    /** Numbered 1, 2, 3 … within the twin; null until the upload is complete and checked. */
    version: integer("version"),
    fileName: text("file_name").notNull(),
    /** Random name inside the data folder's `uploads`. */
    storedName: text("stored_name").notNull().unique(),
    /** The announced size; after the upload, the size of the stored file. */
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** Modification time of the file on the uploader's machine, ms since 1970. */
    modified: bigint("modified", { mode: "number" }),
    /** The base model that the adapter was checked against: its name and its tensors' shapes (models/adapters/base-shapes.ts). */
    baseName: text("base_name"),
    baseShape: text("base_shape"),
    /**
     * Digests of that model and of its file (docs/decisions/029-reply-candidates-and-voice-adapters.md); null: uploaded before they were
     * stored.
     */
    baseWeights: text("base_weights"),
    baseFile: text("base_file"),
    rank: integer("rank"),
    /** SHA-256 of the uploaded file, hex. */
    sha256: text("sha256"),
    active: boolean("active").notNull().default(false),
    /** When the model last failed to load the adapter and answered without it; null: no failure is known. */
    failedAt: at("failed_at"),
    /** When letters that the adapter may have learnt from were deleted; it has not been used since. */
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
