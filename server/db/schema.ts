/**
 * The data model on one page. Every tenant table carries `orgId` and is held by row-level security (migration
 * `…_row_level_security.sql`); platform tables (listed at the end) are closed to the role of requests altogether.
 */
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const serialId = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
const uuidId = () => uuid("id").primaryKey().defaultRandom();
const createdAt = () => at("created_at").notNull().defaultNow();

// ── Platform: people, organisations, signing in ────────────────────────────────────────────────────────────────────

export const users = pgTable("users", {
  id: uuidId(),
  email: text("email").unique(),
  emailConfirmedAt: at("email_confirmed_at"),
  passwordHash: text("password_hash"),
  firstName: text("first_name").notNull().default(""),
  lastName: text("last_name").notNull().default(""),
  telegramId: text("telegram_id").unique(),
  telegramUsername: text("telegram_username"),
  photoUrl: text("photo_url"),
  authMethod: text("auth_method", { enum: ["telegram", "email"] }).notNull(),
  superAdmin: boolean("super_admin").notNull().default(false),
  createdAt: createdAt(),
});

export const organizations = pgTable("organizations", {
  id: uuidId(),
  name: text("name").notNull(),
  createdAt: createdAt(),
});

export const memberships = pgTable(
  "memberships",
  {
    orgId: uuid("org_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["user", "org_admin", "viewer"] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.userId] }), index("memberships_user").on(t.userId)],
);

export const sessions = pgTable(
  "sessions",
  {
    id: uuidId(),
    /** SHA-256 of the bearer token, hex. */
    tokenHash: text("token_hash").notNull().unique(),
    /** SHA-256 of the cookie born with the token; null for a client that is no browser. */
    cookieHash: text("cookie_hash"),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    orgId: uuid("org_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    lastSeenAt: at("last_seen_at").notNull().defaultNow(),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("sessions_user").on(t.userId)],
);

export const oneTimeLinks = pgTable("one_time_links", {
  id: uuidId(),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  purpose: text("purpose", { enum: ["confirm-email", "reset-password"] }).notNull(),
  tokenHash: text("token_hash").notNull().unique(),
  expiresAt: at("expires_at").notNull(),
  usedAt: at("used_at"),
  createdAt: createdAt(),
});

/** Signatures of login payloads that were used already; kept as long as they would be accepted. */
export const usedTelegramLogins = pgTable("used_telegram_logins", {
  hash: text("hash").primaryKey(),
  expiresAt: at("expires_at").notNull(),
});

/** Failed sign-ins by account and address, for the limit of tries. */
export const loginFailures = pgTable(
  "login_failures",
  { id: serialId(), key: text("key").notNull(), at: at("at").notNull().defaultNow() },
  (t) => [index("login_failures_key").on(t.key, t.at)],
);

/** Append-only: a trigger refuses UPDATE and DELETE. */
export const auditLog = pgTable("audit_log", {
  id: serialId(),
  at: at("at").notNull().defaultNow(),
  orgId: uuid("org_id"),
  userId: uuid("user_id"),
  action: text("action").notNull(),
  subject: text("subject"),
  detail: jsonb("detail").$type<Record<string, unknown>>(),
});

// ── Tenant: twins and what they know ───────────────────────────────────────────────────────────────────────────────

const orgId = () =>
  uuid("org_id")
    .notNull()
    .references(() => organizations.id, { onDelete: "cascade" });
const twinId = () =>
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
    description: text("description").notNull(),
    personality: text("personality").notNull(),
    communicationStyle: text("communication_style").notNull(),
    expertise: text("expertise").array().notNull().default([]),
    status: text("status", { enum: ["training", "ready"] })
      .notNull()
      .default("training"),
    isActive: boolean("is_active").notNull().default(true),
    /** 0..1, null until measured on held-out messages. */
    styleAccuracy: doublePrecision("style_accuracy"),
    /** StyleProfile of contract/quality.ts. */
    styleProfile: jsonb("style_profile").$type<unknown>(),
    /** Grows with every change of passages or exemplars: indexes in memory compare it. */
    knowledgeRevision: bigint("knowledge_revision", { mode: "number" }).notNull().default(0),
    /** Revision that the last finished training saw. */
    trainedRevision: bigint("trained_revision", { mode: "number" }).notNull().default(-1),
    trainingStage: text("training_stage"),
    trainingProgress: doublePrecision("training_progress").notNull().default(1),
    trainingError: text("training_error"),
    lastTrainedAt: at("last_trained_at"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("twins_org").on(t.orgId, t.createdAt)],
);

/** Where knowledge came from: a pasted dialogue, an export file, later a live account. */
export const sources = pgTable(
  "sources",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    kind: text("kind", { enum: ["paste", "export", "integration"] }).notNull(),
    platform: text("platform").notNull(),
    /** Of an export: whose it is, so that a newer export finds its source again; null where nothing comes twice. */
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
    status: text("status").notNull().default("processed"),
    content: text("content").notNull(),
    tags: text("tags").array().notNull().default([]),
    mime: text("mime").notNull().default("text/plain"),
    /** SHA-256 of the content, hex: the same text is not taken twice by one twin. */
    contentHash: text("content_hash").notNull(),
    /** Passages exist for this content (set by the training job). */
    splitAt: at("split_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("documents_org").on(t.orgId, t.createdAt),
    uniqueIndex("documents_twin_content").on(t.twinId, t.contentHash),
  ],
);

/** Audience, here and below: 0 everyone, −1 the owner alone, n > 0 the contact with that id. */
export const passages = pgTable(
  "passages",
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
  (t) => [index("passages_twin").on(t.twinId, t.id), uniqueIndex("passages_document").on(t.documentId, t.ordinal)],
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
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("contacts_external").on(t.twinId, t.platform, t.externalId)],
);

/** A chat of the imported history. */
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
  (t) => [uniqueIndex("chats_external").on(t.twinId, t.platform, t.externalId), index("chats_source").on(t.sourceId)],
);

/** One message of the owner's history. `contactId` is its author, null when the owner wrote it. */
export const messages = pgTable(
  "messages",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    chatId: bigint("chat_id", { mode: "number" })
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    fromOwner: boolean("from_owner").notNull(),
    /** Stable id of the export, or a content hash where it has none. */
    externalId: text("external_id").notNull(),
    replyTo: text("reply_to"),
    kind: text("kind", { enum: ["text", "forward", "media"] })
      .notNull()
      .default("text"),
    text: text("text").notNull(),
    sentAt: at("sent_at").notNull(),
    isTrainingData: boolean("is_training_data").notNull().default(true),
  },
  (t) => [
    uniqueIndex("messages_external").on(t.chatId, t.externalId),
    index("messages_chat_time").on(t.chatId, t.sentAt, t.id),
    index("messages_twin").on(t.twinId, t.id),
    // For the cascade of a deleted contact, which else reads the whole table.
    index("messages_contact").on(t.contactId),
  ],
);

/** A pair: what came in, and what the owner answered. */
export const exemplars = pgTable(
  "exemplars",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    chatId: bigint("chat_id", { mode: "number" })
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    /** Who wrote the incoming turn; its words are shown to the owner and to that contact only. */
    contactId: bigint("contact_id", { mode: "number" })
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    incoming: text("incoming").notNull(),
    reply: text("reply").notNull(),
    /** First message of the reply turn: the pair is made once. */
    replyMessageId: bigint("reply_message_id", { mode: "number" })
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** Who may be served the reply: 0 when it holds nothing private, else the contact. */
    audience: bigint("audience", { mode: "number" }).notNull(),
    repliedAt: at("replied_at").notNull(),
  },
  (t) => [
    index("exemplars_twin").on(t.twinId, t.id),
    uniqueIndex("exemplars_reply").on(t.replyMessageId),
    index("exemplars_chat").on(t.chatId),
    index("exemplars_contact").on(t.contactId),
  ],
);

/** Encoded inverted indexes; rebuilt from the tables above at any time. */
export const indexSegments = pgTable(
  "index_segments",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    kind: text("kind", { enum: ["passage", "exemplar", "message"] }).notNull(),
    /** Unit ids in [firstId, lastId] are in this segment. */
    firstId: bigint("first_id", { mode: "number" }).notNull(),
    lastId: bigint("last_id", { mode: "number" }).notNull(),
    units: integer("units").notNull(),
    bytes: bytea("bytes").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("index_segments_place").on(t.twinId, t.kind, t.firstId)],
);

/** An export file on its way into the history. */
export const imports = pgTable(
  "imports",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    userId: uuid("user_id").notNull(),
    fileName: text("file_name").notNull(),
    /** Random name inside the data folder's `uploads`; null once the file is gone. */
    storedName: text("stored_name"),
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    status: text("status", { enum: ["reading", "preview", "running", "done", "failed", "cancelled"] }).notNull(),
    format: text("format"),
    incomplete: boolean("incomplete").notNull().default(false),
    /** What the reading found: chats, people, rejected lines (ImportState of contract/imports.ts). */
    preview: jsonb("preview").$type<unknown>(),
    ownerId: text("owner_id"),
    chatIds: text("chat_ids").array(),
    consentAt: at("consent_at"),
    sourceId: uuid("source_id"),
    total: integer("total").notNull().default(0),
    /** Messages of the file handled so far: a resumed job starts behind them. */
    processed: integer("processed").notNull().default(0),
    imported: integer("imported").notNull().default(0),
    duplicates: integer("duplicates").notNull().default(0),
    error: text("error"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("imports_twin").on(t.twinId, t.createdAt), index("imports_org").on(t.orgId, t.createdAt)],
);

// ── Tenant: conversations of the twin ──────────────────────────────────────────────────────────────────────────────

export const conversations = pgTable(
  "conversations",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    /** `test` is the owner's own chat with the twin. */
    platform: text("platform").notNull().default("test"),
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    /** The member who chats in a test chat; null when a contact does. */
    userId: uuid("user_id"),
    participantName: text("participant_name").notNull(),
    status: text("status", { enum: ["active", "closed"] })
      .notNull()
      .default("active"),
    messageCount: integer("message_count").notNull().default(0),
    lastMessage: text("last_message"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("conversations_org").on(t.orgId, t.updatedAt),
    index("conversations_twin").on(t.twinId),
    index("conversations_contact").on(t.contactId),
  ],
);

export const conversationMessages = pgTable(
  "conversation_messages",
  {
    id: serialId(),
    orgId: orgId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["user", "assistant"] }).notNull(),
    content: text("content").notNull(),
    /** What an answer stood on: sources, exemplars, confidence, basis, reason. */
    grounds: jsonb("grounds").$type<unknown>(),
    createdAt: createdAt(),
  },
  (t) => [index("conversation_messages_order").on(t.conversationId, t.id)],
);

/** What happened, for the dashboard; also the count of handled messages. */
export const activity = pgTable(
  "activity",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: uuid("twin_id").references(() => twins.id, { onDelete: "cascade" }),
    type: text("type").notNull(),
    twinName: text("twin_name").notNull(),
    description: text("description").notNull(),
    createdAt: createdAt(),
  },
  // By twin for the cascade of a deleted twin: entries are as many as replies.
  (t) => [index("activity_org").on(t.orgId, t.id), index("activity_twin").on(t.twinId)],
);

/** Handled messages by day: totals stay cheap whatever the history. `day` is UTC, YYYY-MM-DD. */
export const dailyUsage = pgTable(
  "daily_usage",
  {
    orgId: orgId(),
    twinId: twinId(),
    day: text("day").notNull(),
    messages: integer("messages").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.twinId, t.day] }), index("daily_usage_org").on(t.orgId, t.day)],
);

/** Answers of POSTs that were sent with an Idempotency-Key, kept for a day. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    orgId: orgId(),
    userId: uuid("user_id").notNull(),
    key: text("key").notNull(),
    requestHash: text("request_hash").notNull(),
    status: integer("status"),
    body: jsonb("body").$type<unknown>(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.userId, t.key] })],
);

/** Closed to the role of requests; reached by server/auth and server/organizations through the base connection. */
export const PLATFORM_TABLES = [
  "users",
  "organizations",
  "memberships",
  "sessions",
  "one_time_links",
  "used_telegram_logins",
  "login_failures",
  "audit_log",
] as const;
