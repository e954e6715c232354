/** What a twin knows: documents, websites, contacts, their messages with the owner, and the search index. */
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { orgId } from "./accounts.ts";
import { at, bytea, createdAt, serialId, uuidId } from "./columns.ts";
import { twinId } from "./twins.ts";

/** Where knowledge came from: a pasted conversation, an export file or a connected account. */
export const sources = pgTable(
  "sources",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    kind: text("kind", { enum: ["paste", "export", "integration"] }).notNull(),
    platform: text("platform").notNull(),
    /** The exported account's id, so that a newer export updates the same source; null for a source that is not imported again. */
    externalId: text("external_id"),
    name: text("name").notNull(),
    status: text("status", { enum: ["active", "inactive"] })
      .notNull()
      .default("active"),
    messageCount: integer("message_count").notNull().default(0),
    lastImportAt: at("last_import_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("sources_twin").on(t.twinId),
    uniqueIndex("sources_external").on(t.twinId, t.kind, t.platform, t.externalId),
  ],
);

export const documents = pgTable(
  "documents",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    name: text("name").notNull(),
    type: text("type", {
      enum: ["faq", "product", "sales", "support", "training", "policy", "conversation"],
    }).notNull(),
    /**
     * For a recording or a picture: `processing` while it is recognised, `unsure` until a member has checked the text, `failed`. The twin
     * learns only from `processed` documents.
     */
    status: text("status").notNull().default("processed"),
    content: text("content").notNull(),
    tags: text("tags").array().notNull().default([]),
    mime: text("mime").notNull().default("text/plain"),
    /** SHA-256 of the content (for a recording or a picture, of its bytes), hex: a twin stores the same content only once. */
    contentHash: text("content_hash").notNull(),
    /** When the training job split this content into chunks; null: not yet. */
    splitAt: at("split_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("documents_org").on(t.orgId, t.createdAt),
    uniqueIndex("documents_twin_content").on(t.twinId, t.contentHash),
  ],
);

/** A website of the owner's, read into documents page by page (knowledge/websites). */
export const websites = pgTable(
  "websites",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    /** The first page that is read. */
    url: text("url").notNull(),
    /** Host and port, without «www.»: unique within a twin. */
    site: text("site").notNull(),
    documentType: text("document_type", {
      enum: ["faq", "product", "sales", "support", "training", "policy", "conversation"],
    }).notNull(),
    state: text("state", { enum: ["reading", "ready", "cancelled", "failed"] })
      .notNull()
      .default("reading"),
    /** Why reading ended early or skipped pages, in Russian. */
    reason: text("reason"),
    /** Number of readings, including the present one. */
    reading: integer("reading").notNull().default(1),
    /** Number of bytes received in the present reading. */
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    /** The member who has confirmed that the site is his; the job acts on his behalf. */
    confirmedBy: uuid("confirmed_by").notNull(),
    confirmedAt: at("confirmed_at").notNull().defaultNow(),
    /** Number of interrupted job runs (platform/jobs/crash-limit.ts). */
    cutOff: integer("cut_off").notNull().default(0),
    startedAt: at("started_at").notNull().defaultNow(),
    finishedAt: at("finished_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("websites_once").on(t.twinId, t.site),
    index("websites_org").on(t.orgId, t.createdAt),
    check("websites_state", sql`state in ('reading', 'ready', 'cancelled', 'failed')`),
  ],
);

export const websitePages = pgTable(
  "website_pages",
  {
    id: serialId(),
    orgId: orgId(),
    websiteId: uuid("website_id")
      .notNull()
      .references(() => websites.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** Number of links between this page and the first page. */
    depth: smallint("depth").notNull(),
    state: text("state", { enum: ["waiting", "document", "left", "failed"] })
      .notNull()
      .default("waiting"),
    /** Why the page is not a document, in Russian. */
    reason: text("reason"),
    /** null: the page gave no document, or the owner has deleted it. */
    documentId: uuid("document_id").references(() => documents.id, { onDelete: "set null" }),
    /** SHA-256 of the title and text at the last reading, hex: an unchanged page is not stored again. */
    readHash: text("read_hash"),
    /** How the latest reading changed the document; null: unchanged. */
    change: text("change", { enum: ["added", "changed", "gone"] }),
    readAt: at("read_at"),
  },
  (t) => [
    uniqueIndex("website_pages_once").on(t.websiteId, t.url),
    uniqueIndex("website_pages_document").on(t.documentId),
    index("website_pages_org").on(t.orgId),
    check("website_pages_state", sql`state in ('waiting', 'document', 'left', 'failed')`),
    check("website_pages_change", sql`change in ('added', 'changed', 'gone')`),
  ],
);

/** Audience, here and in other tables: 0 everyone, −1 only the owner, n > 0 the contact with that id. */
export const chunks = pgTable(
  "chunks",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    documentId: uuid("document_id")
      .notNull()
      .references(() => documents.id, { onDelete: "cascade" }),
    ordinal: integer("ordinal").notNull(),
    heading: text("heading"),
    text: text("text").notNull(),
    audience: bigint("audience", { mode: "number" }).notNull().default(0),
  },
  (t) => [index("chunks_twin").on(t.twinId, t.id), uniqueIndex("chunks_document").on(t.documentId, t.ordinal)],
);

/** A person who has written to the owner or to the twin, as known on one platform. */
export const contacts = pgTable(
  "contacts",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    platform: text("platform").notNull(),
    externalId: text("external_id").notNull(),
    name: text("name").notNull(),
    /** User name on the platform, «@ivan». It identifies no person, because another one may take it over. */
    handle: text("handle"),
    /** How the twin addresses this contact; null: it decides from the history. */
    tone: text("tone", { enum: ["ты", "вы"] }),
    /** Key of the style group (in `twins.styleProfile`) that this contact belongs to. */
    styleGroup: text("style_group"),
    /** Whether the contact agrees that an AI answers and that messages are stored; null: not recorded. */
    consent: text("consent", { enum: ["given", "refused"] }),
    consentAt: at("consent_at"),
    consentBy: uuid("consent_by"),
    /** Shared by contacts that a member has declared to be one person; null: not declared. */
    personId: uuid("person_id"),
    /** Since when replies are held back, because an unproven sender wrote «СТОП» in this contact's name. */
    unprovenStopAt: at("unproven_stop_at"),
    /**
     * Like `personId`, but kept after the contacts are separated again. Rules that require several recipients count such contacts as one
     * for ever (knowledge/messages/people.ts).
     */
    mergedId: uuid("merged_id"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("contacts_external").on(t.twinId, t.platform, t.externalId),
    index("contacts_person").on(t.personId).where(sql`${t.personId} is not null`),
    index("contacts_merged").on(t.mergedId).where(sql`${t.mergedId} is not null`),
  ],
);

/** Members' notes about a contact, for themselves: no answer may repeat them (docs/decisions/026-answer-verification.md). */
export const contactFacts = pgTable(
  "contact_facts",
  {
    id: uuidId(),
    orgId: orgId(),
    contactId: bigint("contact_id", { mode: "number" })
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    text: text("text").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("contact_facts_contact").on(t.contactId, t.createdAt), index("contact_facts_org").on(t.orgId)],
);

export const chats = pgTable(
  "chats",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    sourceId: uuid("source_id")
      .notNull()
      .references(() => sources.id, { onDelete: "cascade" }),
    platform: text("platform").notNull(),
    externalId: text("external_id").notNull(),
    kind: text("kind", { enum: ["private", "group", "channel", "saved"] }).notNull(),
    name: text("name").notNull(),
  },
  (t) => [
    uniqueIndex("chats_external").on(t.twinId, t.platform, t.externalId),
    index("chats_source").on(t.sourceId),
    uniqueIndex("chats_place").on(t.id, t.twinId, t.orgId),
  ],
);

/** Ties a row to its chat, twin and organisation with one composite foreign key: one check and one cascade for a million rows. */
const chatPlace = () => ({
  orgId: uuid("org_id").notNull(),
  twinId: uuid("twin_id").notNull(),
  chatId: bigint("chat_id", { mode: "number" }).notNull(),
});

const inChat = (name: string, t: { chatId: AnyPgColumn; twinId: AnyPgColumn; orgId: AnyPgColumn }) =>
  foreignKey({
    name,
    columns: [t.chatId, t.twinId, t.orgId],
    foreignColumns: [chats.id, chats.twinId, chats.orgId],
  }).onDelete("cascade");

/** One message of the owner's history. `contactId` is its author; null when the owner wrote it. */
export const messages = pgTable(
  "messages",
  {
    id: serialId(),
    ...chatPlace(),
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    fromOwner: boolean("from_owner").notNull(),
    /** The message's id in the export, or a hash of its content when the export has no ids. */
    externalId: text("external_id").notNull(),
    replyTo: text("reply_to"),
    kind: text("kind", { enum: ["text", "said", "forward", "media"] })
      .notNull()
      .default("text"),
    text: text("text").notNull(),
    sentAt: at("sent_at").notNull(),
    isTrainingData: boolean("is_training_data").notNull().default(true),
  },
  (t) => [
    inChat("messages_place", t),
    uniqueIndex("messages_external").on(t.chatId, t.externalId),
    index("messages_chat_time").on(t.chatId, t.sentAt, t.id),
    // Serves the knowledge base's pages and searches, newest first.
    index("messages_time").on(t.orgId, t.sentAt, t.id),
    index("messages_twin").on(t.twinId, t.id),
    // Without it, deleting a contact scans the whole table for the cascade.
    index("messages_contact").on(t.contactId),
  ],
);

/**
 * An incoming message and the owner's reply to it. Answers to the same contact and to the owner may use it; replies for everybody are in
 * `open_replies`.
 */
export const replyExamples = pgTable(
  "reply_examples",
  {
    id: serialId(),
    ...chatPlace(),
    /** The author of the incoming turn. */
    contactId: bigint("contact_id", { mode: "number" })
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    incoming: text("incoming").notNull(),
    reply: text("reply").notNull(),
    /** First message of the reply turn; unique, so that a pair is stored once. */
    replyMessageId: bigint("reply_message_id", { mode: "number" })
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    repliedAt: at("replied_at").notNull(),
  },
  (t) => [
    inChat("reply_examples_place", t),
    index("reply_examples_twin").on(t.twinId, t.id),
    uniqueIndex("reply_examples_reply").on(t.replyMessageId),
    index("reply_examples_chat").on(t.chatId),
    index("reply_examples_contact").on(t.contactId),
  ],
);

export const replyExampleId = () =>
  bigint("reply_example_id", { mode: "number" })
    .notNull()
    .references(() => replyExamples.id, { onDelete: "cascade" });

/** Encoded inverted indexes; they can be rebuilt from the tables above at any time. */
export const indexSegments = pgTable(
  "index_segments",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    kind: text("kind", { enum: ["chunk", "example", "message"] }).notNull(),
    /** Unit ids in [firstId, lastId] are in this segment. */
    firstId: bigint("first_id", { mode: "number" }).notNull(),
    lastId: bigint("last_id", { mode: "number" }).notNull(),
    units: integer("units").notNull(),
    bytes: bytea("bytes").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("index_segments_place").on(t.twinId, t.kind, t.firstId)],
);
