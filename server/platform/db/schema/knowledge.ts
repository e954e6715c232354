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
    /** The account that an export belongs to, so that a newer export updates the same source; null where nothing is imported twice. */
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
     * Of a recording or a picture: `processing` while it is read, `unsure` until somebody has looked at what was read, `failed`. Only of
     * `processed` documents does the twin know anything.
     */
    status: text("status").notNull().default("processed"),
    content: text("content").notNull(),
    tags: text("tags").array().notNull().default([]),
    mime: text("mime").notNull().default("text/plain"),
    /** SHA-256 of the content, of a recording or a picture of its bytes, hex: a twin takes the same only once. */
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

/** A site of the owner's, read into documents page by page (knowledge/websites). */
export const websites = pgTable(
  "websites",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    /** Where the reading begins. */
    url: text("url").notNull(),
    /** Host and port, without «www.»: a twin has a site once. */
    site: text("site").notNull(),
    documentType: text("document_type", {
      enum: ["faq", "product", "sales", "support", "training", "policy", "conversation"],
    }).notNull(),
    state: text("state", { enum: ["reading", "ready", "cancelled", "failed"] })
      .notNull()
      .default("reading"),
    /** Why it ended early or left pages out, a Russian sentence. */
    reason: text("reason"),
    /** How often it was read, the present reading included. */
    reading: integer("reading").notNull().default(1),
    /** Received in this reading. */
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    /** Who has said that it is his site, and acts for it in the job. */
    confirmedBy: uuid("confirmed_by").notNull(),
    confirmedAt: at("confirmed_at").notNull().defaultNow(),
    /** Runs of its job that never finished (platform/jobs/crash-limit.ts). */
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

/** Pages that were found on a site. */
export const websitePages = pgTable(
  "website_pages",
  {
    id: serialId(),
    orgId: orgId(),
    websiteId: uuid("website_id")
      .notNull()
      .references(() => websites.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** Links between it and the page where the reading began. */
    depth: smallint("depth").notNull(),
    state: text("state", { enum: ["waiting", "document", "left", "failed"] })
      .notNull()
      .default("waiting"),
    /** Why it is no document, a Russian sentence. */
    reason: text("reason"),
    /** null: it is none, or the owner has deleted it. */
    documentId: uuid("document_id").references(() => documents.id, { onDelete: "set null" }),
    /** SHA-256 of the title and text that were read last, hex: what is the same is not replaced. */
    readHash: text("read_hash"),
    /** What the latest reading has made of its document; null: it is as it was. */
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

/** Audience, here and below: 0 everyone, −1 the owner alone, n > 0 the contact with that id. */
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

/** A person who wrote to the owner or to the twin, as one platform knows them. */
export const contacts = pgTable(
  "contacts",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    platform: text("platform").notNull(),
    externalId: text("external_id").notNull(),
    name: text("name").notNull(),
    /** User name on the platform, «@ivan». Another person may take it over, so it identifies nobody. */
    handle: text("handle"),
    /** How the twin addresses this contact; null: it decides from the history. */
    tone: text("tone", { enum: ["ты", "вы"] }),
    /** Key of the style group (in `twins.styleProfile`) that this contact belongs to. */
    styleGroup: text("style_group"),
    /** Whether the contact agrees that an AI answers and their messages are stored; null: not recorded. */
    consent: text("consent", { enum: ["given", "refused"] }),
    consentAt: at("consent_at"),
    /** The member who recorded it. */
    consentBy: uuid("consent_by"),
    /** Equal for contacts of which a member has said that they are one person; null: nobody has. */
    personId: uuid("person_id"),
    /** Since when replies are held because somebody wrote «СТОП» in this contact's name whose identity nothing shows. */
    unprovenStopAt: at("unproven_stop_at"),
    /**
     * As `personId`, but kept when they are parted again: what three people must have received before others may learn of it counts
     * them as one from then on (knowledge/messages/people.ts).
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

/** What members have noted about a contact, for themselves: no answer may repeat it (docs/decisions/026-answer-verification.md). */
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

/** A chat in the imported history. */
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

/** One message of the owner's history. `contactId` is its author, null when the owner wrote it. */
export const messages = pgTable(
  "messages",
  {
    id: serialId(),
    ...chatPlace(),
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    fromOwner: boolean("from_owner").notNull(),
    /** The message's id in the export, or a hash of its content where the export has no ids. */
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
    // The knowledge base pages and searches newest first.
    index("messages_time").on(t.orgId, t.sentAt, t.id),
    index("messages_twin").on(t.twinId, t.id),
    // Without it, deleting a contact scans the whole table for the cascade.
    index("messages_contact").on(t.contactId),
  ],
);

/**
 * A message that came in and the owner's reply to it. It may be used in answers to the same contact and to the owner; replies that may be
 * used for everybody stand in `open_replies`.
 */
export const replyExamples = pgTable(
  "reply_examples",
  {
    id: serialId(),
    ...chatPlace(),
    /** Who wrote the incoming turn. */
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
