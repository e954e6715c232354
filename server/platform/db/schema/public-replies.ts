/** Public replies, facts, corrections, and embeddings of everything that is searched. */
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { StyleRule } from "#contract/corrections.ts";
import { orgId } from "./accounts.ts";
import { at, bytea, createdAt, serialId, uuidId } from "./columns.ts";
import { chats, chunks, contacts, messages, replyExampleId, replyExamples } from "./knowledge.ts";
import { twinId } from "./twins.ts";

/**
 * The only past replies of the owner that may be used in answers to everybody (docs/decisions/021-shared-past-replies.md). Either the owner
 * has opened them or has sent them to enough contacts in the same words (knowledge/public-replies/recurring.ts). A changed text gets a new
 * id.
 */
export const openReplies = pgTable(
  "open_replies",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    origin: text("origin", { enum: ["opened", "recurring"] }).notNull(),
    /** The search text: the question as the owner edited it, or only the words that at least three contacts used. */
    question: text("question").notNull(),
    reply: text("reply").notNull(),
    /** Number of contacts who received it; 1 for a reply that the owner has opened. */
    people: integer("people").notNull().default(1),
    /** A closed reply is never used; the row stays so that the owner can open it again. */
    state: text("state", { enum: ["open", "closed"] })
      .notNull()
      .default("open"),
    /** For a reply that the owner has opened: the contact who received it and the reply itself. The row is deleted with either. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    replyMessageId: bigint("reply_message_id", { mode: "number" }).references(() => messages.id, {
      onDelete: "cascade",
    }),
    createdAt: createdAt(),
    /** In-memory indexes compare it to notice changes. */
    changedAt: at("changed_at").notNull().defaultNow(),
  },
  (t) => [
    index("open_replies_twin").on(t.twinId, t.id),
    index("open_replies_org").on(t.orgId),
    index("open_replies_contact").on(t.contactId),
    uniqueIndex("open_replies_reply").on(t.replyMessageId),
    check(
      "open_replies_of_one",
      sql`(origin = 'opened') = (reply_message_id is not null) and (origin = 'opened') = (contact_id is not null)`,
    ),
  ],
);

/** The reply examples from which a recurring reply was derived. A trigger deletes the reply as soon as one of them is deleted. */
export const openReplyWitnesses = pgTable(
  "open_reply_witnesses",
  {
    orgId: orgId(),
    openReplyId: bigint("open_reply_id", { mode: "number" })
      .notNull()
      .references(() => openReplies.id, { onDelete: "cascade" }),
    replyExampleId: replyExampleId(),
  },
  (t) => [
    primaryKey({ columns: [t.openReplyId, t.replyExampleId] }),
    index("open_reply_witnesses_reply_example").on(t.replyExampleId),
    index("open_reply_witnesses_org").on(t.orgId),
  ],
);

/**
 * Texts of the owner that show a model how he writes to everybody (knowledge/public-replies/style-samples.ts). Unlike `open_replies` they
 * answer nothing: no search finds them, and no fact is taken from them.
 */
export const styleSamples = pgTable(
  "style_samples",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /**
     * `common`: a past reply of common words, chosen by the training; `written`: the owner's answer to an invented message; `opened`: a past
     * reply, or a draft that he rewrote, which he opened with personal data masked.
     */
    origin: text("origin", { enum: ["common", "written", "opened"] }).notNull(),
    /** The invented message; null: what a past reply answered is not kept. */
    incoming: text("incoming"),
    /** A line break separates the messages of one burst. */
    text: text("text").notNull(),
    /** A closed sample is in no prompt; the row stays so that the training does not choose it again. */
    state: text("state", { enum: ["open", "closed"] })
      .notNull()
      .default("open"),
    /** For a draft that the owner rewrote and opened: who received it. The row is deleted with the contact. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    /** The past reply that holds the text; null for what was written anew. The row is deleted with it. */
    replyExampleId: bigint("reply_example_id", { mode: "number" }).references(() => replyExamples.id, {
      onDelete: "cascade",
    }),
    createdAt: createdAt(),
  },
  (t) => [
    index("style_samples_twin").on(t.twinId, t.id),
    index("style_samples_org").on(t.orgId),
    index("style_samples_contact").on(t.contactId),
    uniqueIndex("style_samples_reply_example").on(t.replyExampleId),
    check(
      "style_samples_of_one",
      sql`case origin when 'written' then 0 else 1 end = num_nonnulls(reply_example_id, contact_id)
        and (origin = 'opened' or contact_id is null)`,
    ),
    check("style_samples_incoming", sql`(origin = 'written') = (incoming is not null)`),
  ],
);

/** Reply examples that the owner is asked to open for everybody; replaced by each training. */
export const replyProposals = pgTable(
  "reply_proposals",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    replyExampleId: replyExampleId(),
    /** said: `people` contacts received a similar reply; asked: `people` contacts asked a similar question. */
    reason: text("reason", { enum: ["said", "asked"] }).notNull(),
    people: integer("people").notNull(),
    skipped: boolean("skipped").notNull().default(false),
  },
  (t) => [
    uniqueIndex("reply_proposals_reply_example").on(t.replyExampleId),
    index("reply_proposals_twin").on(t.twinId, t.id),
    index("reply_proposals_org").on(t.orgId),
  ],
);

/**
 * Facts about prices, hours, places and conditions that were found in the owner's past replies (server/knowledge/facts). Only the owner
 * sees a proposal; once confirmed, it becomes a correction. A proposal is deleted with its reply example, but a rejection stays recorded in
 * `declined_replies`.
 */
export const factProposals = pgTable(
  "fact_proposals",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /** The newest reply example that states the fact. */
    replyExampleId: replyExampleId(),
    /** SHA-256 of the normalised question. */
    subject: bytea("subject").notNull(),
    /** SHA-256 of the normalised answer. Two values of one subject contradict each other. */
    value: bytea("value").notNull(),
    /** The contact's wording with personal data masked. */
    question: text("question").notNull(),
    /** The owner's wording with personal data masked. */
    reply: text("reply").notNull(),
    /** Number of reply examples that state the fact. */
    times: integer("times").notNull(),
    /** Number of contacts who received them. */
    people: integer("people").notNull(),
    saidAt: at("said_at").notNull(),
    state: text("state", { enum: ["proposed", "confirmed", "rejected"] })
      .notNull()
      .default("proposed"),
    /** Equal in all proposals that one decision covered. */
    decidedAt: at("decided_at"),
    /** For a confirmed proposal: the correction that now states the fact. */
    correctionId: uuid("correction_id").references((): AnyPgColumn => corrections.id, { onDelete: "set null" }),
    /** For a confirmed proposal: the correction that previously stated otherwise. */
    replacedId: uuid("replaced_id").references((): AnyPgColumn => corrections.id, { onDelete: "set null" }),
  },
  (t) => [
    uniqueIndex("fact_proposals_once").on(t.twinId, t.subject, t.value),
    index("fact_proposals_reply_example").on(t.replyExampleId),
    index("fact_proposals_correction").on(t.correctionId),
    index("fact_proposals_replaced").on(t.replacedId),
    index("fact_proposals_org").on(t.orgId),
    check("fact_proposals_state", sql`state in ('proposed', 'confirmed', 'rejected')`),
  ],
);

/** SHA-256 of replies and facts that must not be proposed again, so that the rejection outlives the words. */
export const declinedReplies = pgTable(
  "declined_replies",
  {
    orgId: orgId(),
    twinId: twinId(),
    contentHash: bytea("content_hash").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.twinId, t.contentHash] }), index("declined_replies_org").on(t.orgId)],
);

/**
 * Embedding of a chunk, or of the question of a reply example or an open reply, by the model in `model`. It is deleted with its text. If
 * pgvector is installed, platform/db/pgvector.ts adds columns that the database fills from `codes`.
 */
export const embeddings = pgTable(
  "embeddings",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    chunkId: bigint("chunk_id", { mode: "number" }).references(() => chunks.id, { onDelete: "cascade" }),
    replyExampleId: bigint("reply_example_id", { mode: "number" }).references(() => replyExamples.id, {
      onDelete: "cascade",
    }),
    openReplyId: bigint("open_reply_id", { mode: "number" }).references(() => openReplies.id, { onDelete: "cascade" }),
    model: text("model").notNull(),
    /** SHA-256 of the embedded text, so that the same text is paid for once. */
    contentHash: bytea("content_hash").notNull(),
    /** The direction of the vector: one signed byte per dimension (knowledge/embeddings/codes.ts). */
    codes: bytea("codes").notNull(),
    /** The signs of the vector's components, one bit each. */
    signs: bytea("signs").notNull(),
    /** For a chunk: concatenated codes of its quotable pieces (knowledge/embeddings/learn-pieces.ts); null: not computed. */
    pieceCodes: bytea("piece_codes"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("embeddings_chunk").on(t.chunkId),
    uniqueIndex("embeddings_reply_example").on(t.replyExampleId),
    uniqueIndex("embeddings_open_reply").on(t.openReplyId),
    index("embeddings_twin").on(t.twinId, t.id),
    index("embeddings_content").on(t.twinId, t.contentHash),
    index("embeddings_org").on(t.orgId),
    check("embeddings_of_one", sql`num_nonnulls(chunk_id, reply_example_id, open_reply_id) = 1`),
  ],
);

/**
 * Corrections of answers, from which the twin learns. Only the state ever changes: an edit creates a new row, because versions of the twin
 * refer to the old one. A correction is deleted with the contact or the chat whose words it holds.
 */
export const corrections = pgTable(
  "corrections",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    kind: text("kind", { enum: ["fact", "style", "example"] }).notNull(),
    question: text("question").notNull(),
    /** The turns before the question, oldest first. */
    context: jsonb("context").$type<{ role: "user" | "assistant"; content: string }[]>().notNull(),
    /** The twin's answer that the correction replaces. */
    twinReply: text("twin_reply").notNull(),
    /** The fact or the reply; for a style correction, the owner's wording. */
    text: text("text").notNull(),
    /** Empty unless `kind` is `style`. */
    rules: jsonb("rules").$type<StyleRule[]>().notNull().default([]),
    /** Other wordings of the question that the owner has marked as equivalent. */
    rewordings: jsonb("rewordings").$type<string[]>().notNull().default([]),
    /** Concatenated vectors of the question and of each rewording, encoded like `embeddings.codes`; null until they are computed. */
    embeddingCodes: bytea("embedding_codes"),
    embeddingModel: text("embedding_model"),
    audience: bigint("audience", { mode: "number" }).notNull(),
    /** The contact in whose conversation the correction was made. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    /** The imported chat that the question comes from; null: it does not come from the history. */
    chatId: bigint("chat_id", { mode: "number" }).references(() => chats.id, { onDelete: "cascade" }),
    state: text("state", { enum: ["active", "off", "removed"] })
      .notNull()
      .default("active"),
    /** Whether the correction is replayed as a test case after each training. */
    caseKept: boolean("case_kept").notNull().default(true),
    /** Result of the latest replay. */
    caseResult: text("case_result", { enum: ["passed", "failed"] }),
    /** Result of the replay before it. */
    caseBefore: text("case_before", { enum: ["passed", "failed"] }),
    caseReply: text("case_reply"),
    caseCheckedAt: at("case_checked_at"),
    /** `fact_proposals.subject`, if the correction was created by confirming a proposed fact. */
    factSubject: bytea("fact_subject"),
    createdBy: uuid("created_by").notNull(),
    /** Ascending order of creation. */
    place: bigint("place", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    createdAt: createdAt(),
  },
  (t) => [
    index("corrections_twin").on(t.twinId, t.state, t.place),
    index("corrections_contact").on(t.contactId),
    index("corrections_chat").on(t.chatId),
    index("corrections_org").on(t.orgId),
  ],
);
