/**
 * The data model on one page. Every tenant table carries `orgId` and is held by row-level security (migration
 * `…_row_level_security.sql`); platform tables (listed at the end) are closed to the role of requests altogether.
 */
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { StyleRule } from "#contract/corrections.ts";
import type { WorkingHours } from "#contract/working-hours.ts";

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
  /** Of the texts accepted last; all that were accepted stand in `consents`. */
  consentVersion: text("consent_version"),
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
    /** «Chrome, Windows»: what the browser said of itself, in our words. Deleted with the session, as the address is. */
    device: text("device"),
    ip: text("ip"),
    /** When the person last showed a password, a passkey or the like in this session. */
    freshAt: at("fresh_at"),
  },
  (t) => [index("sessions_user").on(t.userId)],
);

/** The app that shows codes (RFC 6238). */
export const secondFactors = pgTable("second_factors", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** 20 bytes in hex, sealed by the vault (tenant «platform», row = user). */
  secret: bytea("secret").notNull(),
  /** null: shown, and no right code has come yet. */
  enabledAt: at("enabled_at"),
  /** The last time step of 30 s whose code was taken: a code is good once. */
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
  createdAt: createdAt(),
});

/** What opens the account when the app is lost; each is good once and then gone. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    id: serialId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the user's id and the code (80 random bits), hex. */
    codeHash: text("code_hash").notNull(),
  },
  (t) => [uniqueIndex("recovery_codes_user").on(t.userId, t.codeHash)],
);

export const passkeys = pgTable(
  "passkeys",
  {
    id: uuidId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** base64url, as the authenticator names it. */
    credentialId: text("credential_id").notNull().unique(),
    /** COSE. */
    publicKey: bytea("public_key").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull().default([]),
    lastUsedAt: at("last_used_at"),
    createdAt: createdAt(),
  },
  (t) => [index("passkeys_user").on(t.userId)],
);

/** What a half-done sign-in or confirmation waits for; five minutes, used once. */
export const signInChallenges = pgTable(
  "sign_in_challenges",
  {
    id: uuidId(),
    purpose: text("purpose", {
      enum: ["second-factor", "passkey-sign-in", "passkey-add", "passkey-confirm"],
    }).notNull(),
    /** SHA-256 of the value that comes back, hex. */
    tokenHash: text("token_hash").notNull().unique(),
    /** SHA-256 of what else must come back with it: the browser's cookie, the session, the network of the address. */
    boundHash: text("bound_hash").notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** How the first step was made. */
    method: text("method"),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("sign_in_challenges_user").on(t.userId), index("sign_in_challenges_end").on(t.expiresAt)],
);

/** Browsers and programs that an account was entered from, so that a new one is told about. */
export const knownDevices = pgTable(
  "known_devices",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the browser's lasting cookie, or of a program's name and network; hex. */
    deviceHash: text("device_hash").notNull(),
    seenAt: at("seen_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.deviceHash] })],
);

/** What was done to an account that its owner should know of. */
export const securityNotices = pgTable(
  "security_notices",
  {
    id: uuidId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    detail: jsonb("detail").$type<Record<string, string>>().notNull().default({}),
    /** A letter was sent as well. */
    mailed: boolean("mailed").notNull(),
    seenAt: at("seen_at"),
    createdAt: createdAt(),
  },
  (t) => [index("security_notices_user").on(t.userId, t.createdAt)],
);

/** Which texts a person has accepted, and when. */
export const consents = pgTable(
  "consents",
  {
    id: uuidId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    version: text("version").notNull(),
    acceptedAt: at("accepted_at").notNull().defaultNow(),
    /** SHA-256 of the user's id and the address it came from, hex: enough to compare with an address that is claimed. */
    addressHash: text("address_hash").notNull(),
  },
  (t) => [uniqueIndex("consents_once").on(t.userId, t.version)],
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

/**
 * Who is asked into an organisation and has not come yet. An account is made, or a membership added, only when the letter's
 * link is followed: so nobody learns from an invitation who has an account, and nobody is made a member unasked.
 */
export const invitations = pgTable(
  "invitations",
  {
    id: uuidId(),
    orgId: uuid("org_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    firstName: text("first_name").notNull().default(""),
    lastName: text("last_name").notNull().default(""),
    role: text("role", { enum: ["user", "org_admin", "viewer"] }).notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    expiresAt: at("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("invitations_email").on(t.orgId, t.email)],
);

/** Signatures of login payloads that were used already; kept as long as they would be accepted. */
export const usedTelegramLogins = pgTable("used_telegram_logins", {
  hash: text("hash").primaryKey(),
  expiresAt: at("expires_at").notNull(),
});

/** Letters that left or were about to, for their limits; kept for a day. */
export const lettersSent = pgTable(
  "letters_sent",
  {
    id: serialId(),
    kind: text("kind", { enum: ["confirmation", "reset", "invitation"] }).notNull(),
    /** SHA-256 of the address, hex. */
    recipient: text("recipient").notNull(),
    /** Who asked for it; gone with them, while the mailbox's own count stays. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    orgId: uuid("org_id").references(() => organizations.id, { onDelete: "set null" }),
    at: at("at").notNull().defaultNow(),
  },
  (t) => [
    index("letters_sent_recipient").on(t.recipient, t.kind, t.at),
    index("letters_sent_user").on(t.userId, t.at),
    index("letters_sent_org").on(t.orgId, t.at),
    index("letters_sent_at").on(t.at),
  ],
);

/** Failed sign-ins by account and address, and by account, for the limit of tries. */
export const loginFailures = pgTable(
  "login_failures",
  { id: serialId(), key: text("key").notNull(), at: at("at").notNull().defaultNow() },
  (t) => [index("login_failures_key").on(t.key, t.at)],
);

/** Which master key has which number (records/master-key); the keys themselves are never here. */
export const masterKeys = pgTable("master_keys", {
  version: integer("version").primaryKey(),
  /** HMAC-SHA256 of a fixed text under the key, its first half, hex. */
  fingerprint: text("fingerprint").notNull().unique(),
  createdAt: createdAt(),
});

/** Append-only: a trigger refuses UPDATE and DELETE. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: serialId(),
    at: at("at").notNull().defaultNow(),
    orgId: uuid("org_id"),
    userId: uuid("user_id"),
    action: text("action").notNull(),
    subject: text("subject"),
    detail: jsonb("detail").$type<Record<string, unknown>>(),
  },
  (t) => [index("audit_log_org").on(t.orgId, t.id)],
);

// ── Tenant: twins and what they know ───────────────────────────────────────────────────────────────────────────────

const orgId = () =>
  uuid("org_id")
    .notNull()
    .references(() => organizations.id, { onDelete: "cascade" });
const twinId = () =>
  uuid("twin_id")
    .notNull()
    .references(() => twins.id, { onDelete: "cascade" });

const integrationId = () =>
  uuid("integration_id")
    .notNull()
    .references(() => integrations.id, { onDelete: "cascade" });

export const twins = pgTable(
  "twins",
  {
    id: uuidId(),
    orgId: orgId(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** As people outside know it (twins/public-name.ts); null: by its name. */
    publicName: text("public_name"),
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
    /** OwnersStyle of contract/quality.ts. */
    styleProfile: jsonb("style_profile").$type<unknown>(),
    /** Grows with every change of passages or exemplars: indexes in memory compare it. */
    knowledgeRevision: bigint("knowledge_revision", { mode: "number" }).notNull().default(0),
    /** Revision that the last finished training saw. */
    trainedRevision: bigint("trained_revision", { mode: "number" }).notNull().default(-1),
    trainingStage: text("training_stage"),
    trainingProgress: doublePrecision("training_progress").notNull().default(1),
    trainingError: text("training_error"),
    /** Runs of the job that never came back, since the last progress (jobs/counted-run.ts). */
    trainingCutOff: integer("training_cut_off").notNull().default(0),
    /** How far the meanings of what it knows are learnt (search/meaning/learn-meanings.ts); null: nobody has asked for it. */
    meaningModel: text("meaning_model"),
    meaningRevision: bigint("meaning_revision", { mode: "number" }).notNull().default(-1),
    meaningError: text("meaning_error"),
    /** Like `trainingCutOff`. */
    meaningCutOff: integer("meaning_cut_off").notNull().default(0),
    /** The revision whose letters were searched for facts (server/facts). */
    factsRevision: bigint("facts_revision", { mode: "number" }).notNull().default(-1),
    /** Most tokens of the language model in one day of Moscow's; null: what the server gives each twin. */
    dailyModelTokens: bigint("daily_model_tokens", { mode: "number" }),
    lastTrainedAt: at("last_trained_at"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("twins_org").on(t.orgId, t.createdAt)],
);

/** How like its owner a twin answered, each time it was measured (training/measure-fidelity.ts). Shares are 0..1. */
export const fidelityMeasures = pgTable(
  "fidelity_measures",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /** Of the knowledge that was measured. */
    revision: bigint("revision", { mode: "number" }).notNull(),
    /** What there was too little of, in place of figures. */
    lacking: text("lacking", { enum: ["own", "held", "people"] }),
    /** √(verified · indistinguishable), with its 90 % interval. */
    value: doublePrecision("value"),
    low: doublePrecision("low"),
    high: doublePrecision("high"),
    verified: doublePrecision("verified"),
    indistinguishable: doublePrecision("indistinguishable"),
    /** What the owner's own older messages reach, and strangers. */
    ceiling: doublePrecision("ceiling"),
    floor: doublePrecision("floor"),
    copyRate: doublePrecision("copy_rate"),
    relevance: doublePrecision("relevance"),
    /** The owner's turns that the verifier learnt from, true replies compared with, people with enough messages. */
    own: integer("own").notNull(),
    held: integer("held").notNull(),
    people: integer("people").notNull(),
    durationMs: integer("duration_ms").notNull(),
    measuredAt: at("measured_at").notNull().defaultNow(),
  },
  (t) => [index("fidelity_measures_twin").on(t.twinId, t.id), index("fidelity_measures_org").on(t.orgId)],
);

/** The replies of the newest measure; gone with the pair that they are shown beside. */
export const fidelityExamples = pgTable(
  "fidelity_examples",
  {
    id: serialId(),
    orgId: orgId(),
    measureId: bigint("measure_id", { mode: "number" })
      .notNull()
      .references(() => fidelityMeasures.id, { onDelete: "cascade" }),
    exemplarId: bigint("exemplar_id", { mode: "number" })
      .notNull()
      .references((): AnyPgColumn => exemplars.id, { onDelete: "cascade" }),
    reply: text("reply").notNull(),
    /** The verifier's log-odds that the owner wrote it. */
    logit: doublePrecision("logit").notNull(),
  },
  (t) => [
    index("fidelity_examples_measure").on(t.measureId),
    index("fidelity_examples_exemplar").on(t.exemplarId),
    index("fidelity_examples_org").on(t.orgId),
  ],
);

/** What an owner took for his own among his and the twin's replies. */
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
    /** «@ivan»: as people find each other on the platform; it may change hands, so nobody is known by it. */
    handle: text("handle"),
    /** How the twin speaks to this contact; null: as it finds itself. */
    tone: text("tone", { enum: ["ты", "вы"] }),
    /** Key of the group of the twin's `styleProfile` in whose manner the owner writes to this contact. */
    styleGroup: text("style_group"),
    /** Whether the contact agrees that an AI answers and their words are kept; null: nobody has noted it. */
    consent: text("consent", { enum: ["given", "refused"] }),
    consentAt: at("consent_at"),
    /** The member who noted it. */
    consentBy: uuid("consent_by"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("contacts_external").on(t.twinId, t.platform, t.externalId)],
);

/** What the owner has noted about a contact: known in answers to that contact, and in no others. */
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
  (t) => [
    uniqueIndex("chats_external").on(t.twinId, t.platform, t.externalId),
    index("chats_source").on(t.sourceId),
    uniqueIndex("chats_place").on(t.id, t.twinId, t.orgId),
  ],
);

/** A row of a chat is of its twin and its organisation: one check of each of a million rows, and one cascade. */
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
    inChat("messages_place", t),
    uniqueIndex("messages_external").on(t.chatId, t.externalId),
    index("messages_chat_time").on(t.chatId, t.sentAt, t.id),
    // The knowledge base pages and searches newest first.
    index("messages_time").on(t.orgId, t.sentAt, t.id),
    index("messages_twin").on(t.twinId, t.id),
    // For the cascade of a deleted contact, which else reads the whole table.
    index("messages_contact").on(t.contactId),
  ],
);

/** A pair: what came in, and what the owner answered. It is for its own contact and the owner; what is open to all stands in `open_replies`. */
export const exemplars = pgTable(
  "exemplars",
  {
    id: serialId(),
    ...chatPlace(),
    /** Who wrote the incoming turn. */
    contactId: bigint("contact_id", { mode: "number" })
      .notNull()
      .references(() => contacts.id, { onDelete: "cascade" }),
    incoming: text("incoming").notNull(),
    reply: text("reply").notNull(),
    /** First message of the reply turn: the pair is made once. */
    replyMessageId: bigint("reply_message_id", { mode: "number" })
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    repliedAt: at("replied_at").notNull(),
  },
  (t) => [
    inChat("exemplars_place", t),
    index("exemplars_twin").on(t.twinId, t.id),
    uniqueIndex("exemplars_reply").on(t.replyMessageId),
    index("exemplars_chat").on(t.chatId),
    index("exemplars_contact").on(t.contactId),
  ],
);

/**
 * What everybody may be told of the owner's past replies, and nothing else of them (docs/decisions/031): opened by the owner, or
 * said to so many contacts in so many words (open-replies/recurring.ts). Its words are changed under a new id alone.
 */
export const openReplies = pgTable(
  "open_replies",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    origin: text("origin", { enum: ["opened", "recurring"] }).notNull(),
    /** What it is found by: as the owner has left it, or the words alone that at least three contacts asked with. */
    question: text("question").notNull(),
    reply: text("reply").notNull(),
    /** Contacts who got it, where it recurs. */
    people: integer("people").notNull().default(1),
    /** A closed one is found by nobody; it stays so that the owner may take that back. */
    state: text("state", { enum: ["open", "closed"] })
      .notNull()
      .default("open"),
    /** Of one that the owner has opened: whose it was, and the reply; gone with either. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    replyMessageId: bigint("reply_message_id", { mode: "number" }).references(() => messages.id, {
      onDelete: "cascade",
    }),
    createdAt: createdAt(),
    /** Of the newest change: indexes in memory compare it. */
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

/** The pairs that a recurring reply was read off; a trigger removes the reply with the first of them that goes. */
export const openReplyWitnesses = pgTable(
  "open_reply_witnesses",
  {
    orgId: orgId(),
    openReplyId: bigint("open_reply_id", { mode: "number" })
      .notNull()
      .references(() => openReplies.id, { onDelete: "cascade" }),
    exemplarId: bigint("exemplar_id", { mode: "number" })
      .notNull()
      .references(() => exemplars.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.openReplyId, t.exemplarId] }),
    index("open_reply_witnesses_exemplar").on(t.exemplarId),
    index("open_reply_witnesses_org").on(t.orgId),
  ],
);

/** Pairs that the owner is asked whether to open; made anew by each training. */
export const replyProposals = pgTable(
  "reply_proposals",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    exemplarId: bigint("exemplar_id", { mode: "number" })
      .notNull()
      .references(() => exemplars.id, { onDelete: "cascade" }),
    /** said: so many contacts were told the like; asked: so many asked the like. */
    reason: text("reason", { enum: ["said", "asked"] }).notNull(),
    people: integer("people").notNull(),
    skipped: boolean("skipped").notNull().default(false),
  },
  (t) => [
    uniqueIndex("reply_proposals_exemplar").on(t.exemplarId),
    index("reply_proposals_twin").on(t.twinId, t.id),
    index("reply_proposals_org").on(t.orgId),
  ],
);

/**
 * What the owner's past replies say of prices, hours, places and conditions (server/facts): proposed to him alone until he confirms it, then
 * a correction of his says it. Its words go with the pair that they were read off; that it was decided outlives them in `declined_replies`.
 */
export const factProposals = pgTable(
  "fact_proposals",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /** The newest pair that says it. */
    exemplarId: bigint("exemplar_id", { mode: "number" })
      .notNull()
      .references(() => exemplars.id, { onDelete: "cascade" }),
    /** SHA-256 of what is asked, and of what is answered, without the words around: other values of one subject contradict each other. */
    subject: bytea("subject").notNull(),
    value: bytea("value").notNull(),
    /** As they were written, personal data masked. */
    question: text("question").notNull(),
    reply: text("reply").notNull(),
    /** Pairs that say it, and contacts who got it. */
    times: integer("times").notNull(),
    people: integer("people").notNull(),
    saidAt: at("said_at").notNull(),
    state: text("state", { enum: ["proposed", "confirmed", "rejected"] })
      .notNull()
      .default("proposed"),
    /** The same for all that one decision was about. */
    decidedAt: at("decided_at"),
    /** Of a confirmed one: what says it now, and what had said otherwise until then. */
    correctionId: uuid("correction_id").references((): AnyPgColumn => corrections.id, { onDelete: "set null" }),
    replacedId: uuid("replaced_id").references((): AnyPgColumn => corrections.id, { onDelete: "set null" }),
  },
  (t) => [
    uniqueIndex("fact_proposals_once").on(t.twinId, t.subject, t.value),
    index("fact_proposals_exemplar").on(t.exemplarId),
    index("fact_proposals_correction").on(t.correctionId),
    index("fact_proposals_replaced").on(t.replacedId),
    index("fact_proposals_org").on(t.orgId),
    check("fact_proposals_state", sql`state in ('proposed', 'confirmed', 'rejected')`),
  ],
);

/** What the owner will not have opened or proposed again: SHA-256 of the reply's words, or of a fact, so that it outlives them. */
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

/**
 * What a passage, or the question of a pair or of an open reply, means to the model of `EMBEDDING_MODEL`; gone with what it was taken from. Where
 * pgvector serves, db/pgvector.ts adds columns that the database fills from `codes`.
 */
export const embeddings = pgTable(
  "embeddings",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    passageId: bigint("passage_id", { mode: "number" }).references(() => passages.id, { onDelete: "cascade" }),
    exemplarId: bigint("exemplar_id", { mode: "number" }).references(() => exemplars.id, { onDelete: "cascade" }),
    openReplyId: bigint("open_reply_id", { mode: "number" }).references(() => openReplies.id, { onDelete: "cascade" }),
    model: text("model").notNull(),
    /** SHA-256 of the text that the model was given: a text is paid for once. */
    contentHash: bytea("content_hash").notNull(),
    /** The direction of the vector: one signed byte a dimension (search/meaning/codes.ts). */
    codes: bytea("codes").notNull(),
    /** Its signs, one bit a dimension. */
    signs: bytea("signs").notNull(),
    /** Of a passage: the codes of each piece that it may be quoted by, one behind the other (search/meaning/learn-pieces.ts); null: not learnt. */
    pieceCodes: bytea("piece_codes"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("embeddings_passage").on(t.passageId),
    uniqueIndex("embeddings_exemplar").on(t.exemplarId),
    uniqueIndex("embeddings_open_reply").on(t.openReplyId),
    index("embeddings_twin").on(t.twinId, t.id),
    index("embeddings_content").on(t.twinId, t.contentHash),
    index("embeddings_org").on(t.orgId),
    check("embeddings_of_one", sql`num_nonnulls(passage_id, exemplar_id, open_reply_id) = 1`),
  ],
);

/** A file of an export on its way here; how much has arrived is the length of the stored file. */
export const exportUploads = pgTable(
  "export_uploads",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    userId: uuid("user_id").notNull(),
    fileName: text("file_name").notNull(),
    /** Random name inside the data folder's `uploads`. */
    storedName: text("stored_name").notNull().unique(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** When the sender's file was changed last, ms. */
    modified: bigint("modified", { mode: "number" }),
    /** Null until all of it is here. */
    format: text("format"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("export_uploads_org").on(t.orgId, t.userId), index("export_uploads_twin").on(t.twinId)],
);

/** An export file, or a connected account, on its way into the history. */
export const imports = pgTable(
  "imports",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    userId: uuid("user_id").notNull(),
    fileName: text("file_name").notNull(),
    /** Random name inside the data folder's `uploads`, of the file or the folder of several; null once it is gone. */
    storedName: text("stored_name"),
    /** The account that is read; null for a file. */
    integrationId: uuid("integration_id").references((): AnyPgColumn => integrations.id, { onDelete: "cascade" }),
    /** Of an account: how much is wanted, and where reading goes on (`AccountPosition` of imports/account-import.ts). */
    position: jsonb("position").$type<unknown>(),
    /** Until when the platform wants us to wait. */
    waitingUntil: at("waiting_until"),
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
    /** Runs of its job that never came back, since the last progress (jobs/counted-run.ts). */
    cutOff: integer("cut_off").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("imports_twin").on(t.twinId, t.createdAt),
    index("imports_org").on(t.orgId, t.createdAt),
    index("imports_integration").on(t.integrationId, t.createdAt),
  ],
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
    /** Of a contact's conversation: where it is held, and what the platform calls it. */
    integrationId: uuid("integration_id").references((): AnyPgColumn => integrations.id, { onDelete: "set null" }),
    externalId: text("external_id"),
    /** What the twin may do here by itself; null: as in the whole integration. */
    autonomy: text("autonomy", { enum: ["off", "draft", "confident", "auto"] }),
    /** The owner speaks himself until then. */
    pausedUntil: at("paused_until"),
    /** The contact was last told that it is closed. */
    awayToldAt: at("away_told_at"),
    /** The contact has asked for no more replies. */
    optedOutAt: at("opted_out_at"),
    /** The contact was told that an AI answers. */
    disclosedAt: at("disclosed_at"),
    /** `context` of the newest message that came in, and when that was (channels/channel.ts). */
    replyContext: jsonb("reply_context").$type<Record<string, unknown>>().notNull().default({}),
    lastInboundAt: at("last_inbound_at"),
    /** The contact's messages that nobody has answered or looked at. */
    unread: integer("unread").notNull().default(0),
    /** The member who is to see to it. */
    assigneeId: uuid("assignee_id"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("conversations_external").on(t.integrationId, t.externalId),
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
    /** Of an `assistant` line: who wrote it, where it was not the twin. */
    author: text("author", { enum: ["owner"] }),
    content: text("content").notNull(),
    /** What an answer stood on: sources, exemplars, confidence, basis, reason. */
    grounds: jsonb("grounds").$type<unknown>(),
    /** From the question's arrival to the whole answer, ms; null for questions. */
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
  },
  (t) => [index("conversation_messages_order").on(t.conversationId, t.id)],
);

/** What members tell each other about a conversation: never sent, never shown to a model. */
export const conversationNotes = pgTable(
  "conversation_notes",
  {
    id: uuidId(),
    orgId: orgId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** Who alone may change it. */
    authorId: uuid("author_id").notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
    editedAt: at("edited_at"),
  },
  (t) => [
    index("conversation_notes_place").on(t.conversationId, t.createdAt),
    index("conversation_notes_org").on(t.orgId),
  ],
);

/**
 * What a member thinks of one of the twin's answers: of one that was given (`messageId`), or of a draft that he sent in
 * his own words (`outboxId`, then `correction` is what he sent and nobody has rated).
 */
export const replyFeedback = pgTable(
  "reply_feedback",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    messageId: bigint("message_id", { mode: "number" }).references(() => conversationMessages.id, {
      onDelete: "cascade",
    }),
    /** Its `question` and `original` are what the correction corrects. */
    outboxId: uuid("outbox_id")
      .unique()
      .references((): AnyPgColumn => outbox.id, { onDelete: "cascade" }),
    userId: uuid("user_id").notNull(),
    /** 1..5 */
    rating: integer("rating"),
    comment: text("comment"),
    /** How the owner would have put it. */
    correction: text("correction"),
    /** The twin's owner has said whether anything is to be learnt of it. */
    settledAt: at("settled_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("reply_feedback_once").on(t.messageId, t.userId),
    index("reply_feedback_twin").on(t.twinId, t.id),
    index("reply_feedback_org").on(t.orgId, t.createdAt),
  ],
);

/**
 * What the owner has taught his twin by correcting an answer. Never changed but for its state: an edited one is another row, so
 * that a version of the twin names what it held. Gone with the contact or the chat whose words it holds.
 */
export const corrections = pgTable(
  "corrections",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    kind: text("kind", { enum: ["fact", "style", "exemplar"] }).notNull(),
    question: text("question").notNull(),
    /** What was said before the question, oldest first. */
    context: jsonb("context").$type<{ role: "user" | "assistant"; content: string }[]>().notNull(),
    /** As the twin had answered. */
    twinReply: text("twin_reply").notNull(),
    /** The fact or the reply; of a style correction, how the owner put it. */
    text: text("text").notNull(),
    /** Of a style correction. */
    rules: jsonb("rules").$type<StyleRule[]>().notNull().default([]),
    /** Other wordings of the question that the owner has named as asking the same. */
    rewordings: jsonb("rewordings").$type<string[]>().notNull().default([]),
    /** Of the question, then of each rewording, one behind the other: vectors as `embeddings.codes`; null: not learnt, or it has none. */
    meaningCodes: bytea("meaning_codes"),
    meaningModel: text("meaning_model"),
    audience: bigint("audience", { mode: "number" }).notNull(),
    /** Whose talk it was made in. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    /** Of the history, where the question is from there. */
    chatId: bigint("chat_id", { mode: "number" }).references(() => chats.id, { onDelete: "cascade" }),
    state: text("state", { enum: ["active", "off", "removed"] })
      .notNull()
      .default("active"),
    /** Whether it is replayed after each training; what came of it last, and the time before. */
    caseKept: boolean("case_kept").notNull().default(true),
    caseResult: text("case_result", { enum: ["passed", "failed"] }),
    caseBefore: text("case_before", { enum: ["passed", "failed"] }),
    caseReply: text("case_reply"),
    caseCheckedAt: at("case_checked_at"),
    /** Of a fact that was found in the letters and confirmed: `fact_proposals.subject`. */
    factSubject: bytea("fact_subject"),
    createdBy: uuid("created_by").notNull(),
    /** Grows: in what order they came. */
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

/** A twin as it was after a training or a saved change. */
export const twinVersions = pgTable(
  "twin_versions",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    cause: text("cause", { enum: ["before", "training", "settings", "corrections", "restored"] }).notNull(),
    /** Who saved the change; null: nobody did. */
    authorId: uuid("author_id"),
    /** TwinSnapshot of twins/versions.ts. */
    snapshot: jsonb("snapshot").$type<unknown>().notNull(),
    /** Grows: in what order they came. */
    place: bigint("place", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    createdAt: createdAt(),
    /** Of the last change that was joined to it. */
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("twin_versions_twin").on(t.twinId, t.place), index("twin_versions_org").on(t.orgId)],
);

// ── Tenant: platforms that the twin is connected to ────────────────────────────────────────────────────────────────

export const integrations = pgTable(
  "integrations",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    platform: text("platform", { enum: ["telegram", "whatsapp", "email", "slack", "discord", "web"] }).notNull(),
    status: text("status", { enum: ["active", "inactive", "error"] })
      .notNull()
      .default("active"),
    /** Why the status is what it is, for the owner; null when all is well. */
    statusReason: text("status_reason"),
    /** The platform's credentials as JSON, sealed by the vault (column `credentials`). */
    credentials: bytea("credentials").notNull(),
    /** As the owner gave it; shown with its middle hidden. */
    phoneNumber: text("phone_number"),
    /** What is no secret: `{ success_rate?: number }`. */
    settings: jsonb("settings").$type<Record<string, unknown>>().notNull().default({}),
    /** What the twin may do by itself here. */
    autonomy: text("autonomy", { enum: ["off", "draft", "confident", "auto"] })
      .notNull()
      .default("draft"),
    /** WorkingHours of contract/working-hours.ts; null: always. */
    workingHours: jsonb("working_hours").$type<WorkingHours>(),
    /** Failures of the platform in a row, and until when sending waits for it (channels/breaker.ts). */
    sendFailures: integer("send_failures").notNull().default(0),
    sendPausedUntil: at("send_paused_until"),
    /** When its owner last asked the platform whether it serves us. */
    checkedAt: at("checked_at"),
    /** Of what it has brought into the history; null before the first import. */
    sourceId: uuid("source_id").references(() => sources.id, { onDelete: "set null" }),
    messagesImported: integer("messages_imported").notNull().default(0),
    messagesHandled: integer("messages_handled").notNull().default(0),
    lastSyncAt: at("last_sync_at"),
    /** As the platform calls the account, «@bot»; null until it was reached. */
    account: text("account"),
    /** The platform's own id of it: WhatsApp's phone_number_id. */
    accountId: text("account_id"),
    /** Where receiving goes on; each platform's own. */
    cursor: jsonb("cursor").$type<Record<string, unknown>>().notNull().default({}),
    /** How often the platform's deliveries could not be taken in, by a hash of each: channels/set-aside/poison-guard.ts. */
    failedDeliveries: jsonb("failed_deliveries").$type<Record<string, number>>().notNull().default({}),
    /** One process receives for an integration: the one that holds its lease. */
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    /** The last part of the address that the platform calls; opaque. Null until it was told one. */
    webhookPath: text("webhook_path").unique(),
    /** What the platform proves itself with there, sealed by the vault (column `webhook_secret`). */
    webhookSecret: bytea("webhook_secret"),
    lastEventAt: at("last_event_at"),
    /** Why it is not connected just now though active; it tries again by itself. */
    trouble: text("trouble"),
    /** What it cannot do as it is set up, though all is well. */
    limitation: text("limitation"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("integrations_org").on(t.orgId, t.createdAt),
    index("integrations_twin").on(t.twinId),
    index("integrations_source").on(t.sourceId),
  ],
);

/** A twin's chat on sites of its owner; the integration of platform `web` says whether and how it answers. */
export const widgets = pgTable(
  "widgets",
  {
    /** Public: it stands in the code of the site. */
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId().unique(),
    integrationId: integrationId().unique(),
    /** Origins whose pages may show it. */
    allowedSites: text("allowed_sites").array().notNull().default([]),
    title: text("title").notNull(),
    greeting: text("greeting").notNull(),
    /** #rrggbb */
    color: text("color").notNull(),
    /** Most messages of visitors in one day of Moscow's, and how many there were on `usageDay`. */
    dailyMessages: integer("daily_messages").notNull(),
    usageDay: text("usage_day").notNull().default(""),
    usageMessages: integer("usage_messages").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("widgets_org").on(t.orgId)],
);

/** Messages of one network address to a widget on one day: none uses up what is there for all visitors (widget/count-message.ts). */
export const widgetAddresses = pgTable(
  "widget_addresses",
  {
    orgId: orgId(),
    widgetId: uuid("widget_id")
      .notNull()
      .references(() => widgets.id, { onDelete: "cascade" }),
    /** SHA-256 of widget, day and address, hex: another day's row is another's. */
    addressHash: text("address_hash").notNull(),
    /** Moscow's, YYYY-MM-DD: rows of days that are over are deleted. */
    day: text("day").notNull(),
    messages: integer("messages").notNull(),
    /** Hours since 1970 of the latest, and how many there were in that hour. */
    hour: integer("hour").notNull(),
    hourMessages: integer("hour_messages").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.widgetId, t.addressHash] }),
    index("widget_addresses_org").on(t.orgId),
    index("widget_addresses_day").on(t.day),
  ],
);

/** What a channel's client keeps between connections: keys of the session, peers' access hashes. Each value is sealed. */
export const channelState = pgTable(
  "channel_state",
  {
    orgId: orgId(),
    integrationId: integrationId(),
    key: text("key").notNull(),
    /** Sealed by the vault (row `<integration>:<key>`, column `value`). */
    value: bytea("value").notNull(),
  },
  (t) => [primaryKey({ columns: [t.integrationId, t.key] }), index("channel_state_org").on(t.orgId)],
);

/** A login to a Telegram account that waits for its code; of the member who began it, for ten minutes. */
export const telegramLogins = pgTable(
  "telegram_logins",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** What was typed and the session that is being made (`LoginState` of channels/telegram-login.ts), sealed; null once it is over. */
    state: bytea("state"),
    /** Wrong codes and passwords so far. */
    failures: integer("failures").notNull().default(0),
    /** One request at a time speaks to Telegram for it. */
    busyUntil: at("busy_until"),
    createdAt: createdAt(),
  },
  (t) => [
    index("telegram_logins_user").on(t.userId, t.createdAt),
    index("telegram_logins_org").on(t.orgId),
    index("telegram_logins_twin").on(t.twinId),
  ],
);

/** What came in, stored before the platform is told so; `(integration, event)` makes a repeated delivery one row. */
export const inboxEvents = pgTable(
  "inbox_events",
  {
    id: serialId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** The platform's own id of the delivery. */
    eventId: text("event_id").notNull(),
    /** The platform's name of the conversation. */
    conversationKey: text("conversation_key").notNull(),
    /** Order within the conversation, as the platform counts. */
    position: bigint("position", { mode: "number" }).notNull(),
    /** `Inbound` of channels/channel.ts; null for what could not be read, and for a word of the owner's own to his bot. */
    inbound: jsonb("inbound").$type<unknown>(),
    status: text("status", { enum: ["pending", "done", "ignored", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    error: text("error"),
    /** Its line in the conversation, once it is there. */
    messageId: bigint("message_id", { mode: "number" }).references(() => conversationMessages.id, {
      onDelete: "cascade",
    }),
    receivedAt: at("received_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("inbox_events_once").on(t.integrationId, t.eventId),
    index("inbox_events_open").on(t.integrationId, t.conversationKey).where(sql`status = 'pending'`),
    index("inbox_events_failed").on(t.integrationId).where(sql`status = 'failed'`),
    index("inbox_events_message").on(t.messageId),
    index("inbox_events_org").on(t.orgId),
  ],
);

/** What the twin has to say, or its owner by the twin's channel. It goes `draft` → `pending` → `sending` → `sent`; `unknown` is never sent again by itself. */
export const outbox = pgTable(
  "outbox",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** Who wrote it, where it was not the twin. */
    author: text("author", { enum: ["owner"] }),
    /** What is answered; "" for the owner's own words. */
    question: text("question").notNull(),
    text: text("text").notNull(),
    /** As the twin wrote it, where the owner has changed it. */
    original: text("original"),
    state: text("state", { enum: ["draft", "pending", "sending", "sent", "unknown", "failed", "cancelled"] }).notNull(),
    /** Why it waits for the owner, or why it did not go out. */
    reason: text("reason"),
    /** This and the next of the twin's answers only. */
    confidence: doublePrecision("confidence"),
    /** Grounds of replies/reply.ts. */
    grounds: jsonb("grounds").$type<unknown>(),
    /** From the incoming message to the whole answer, ms. */
    durationMs: integer("duration_ms"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    /** While it is being sent: what it belongs to is being deleted, and whoever sends it is to end (twins/sends.ts). */
    endAsked: boolean("end_asked").notNull().default(false),
    /** Of the parts that were delivered, in order. */
    externalIds: text("external_ids").array().notNull().default([]),
    decidedBy: uuid("decided_by"),
    /** Once it has gone out, the twin learns it as a correction (channels/outbox.ts). */
    teaches: boolean("teaches").notNull().default(false),
    createdAt: createdAt(),
    sentAt: at("sent_at"),
  },
  (t) => [
    index("outbox_org").on(t.orgId, t.state, t.createdAt),
    index("outbox_conversation").on(t.conversationId, t.createdAt),
    index("outbox_integration").on(t.integrationId),
    index("outbox_due").on(t.nextAttemptAt).where(sql`state = 'pending'`),
  ],
);

/** What an integration went through lately, for its owner. */
export const integrationEvents = pgTable(
  "integration_events",
  {
    id: serialId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** A Russian sentence. */
    text: text("text").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("integration_events_place").on(t.integrationId, t.id), index("integration_events_org").on(t.orgId)],
);

/** What strangers have sent and could not be read, for the owner to have it read again or to put it away. */
export const setAsideEvents = pgTable(
  "set_aside_events",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** As the platform names it: a letter's folder and number, an update's id. */
    name: text("name").notNull(),
    /** What it is and whom it is from as far as that is known, in Russian: «Письмо от anna@example.ru «Заказ»». */
    title: text("title").notNull(),
    /** Why, in Russian. */
    reason: text("reason").notNull(),
    /** As it came, where the platform does not give it a second time. */
    raw: jsonb("raw").$type<unknown>(),
    /** `again`: the owner wants it read once more; receiving does so. */
    state: text("state", { enum: ["aside", "again"] })
      .notNull()
      .default("aside"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("set_aside_events_once").on(t.integrationId, t.name),
    index("set_aside_events_org").on(t.orgId, t.createdAt),
  ],
);

/** Accounts of Telegram Business that lend chats to a bot; what is said there is kept once the owner has accepted. */
export const businessConnections = pgTable(
  "business_connections",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** Telegram's own. */
    externalId: text("external_id").notNull(),
    name: text("name").notNull(),
    canReply: boolean("can_reply").notNull(),
    enabled: boolean("enabled").notNull(),
    /** Of the update that the row stands on. */
    order: bigint("order", { mode: "number" }).notNull(),
    acceptedAt: at("accepted_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("business_connections_once").on(t.integrationId, t.externalId),
    index("business_connections_org").on(t.orgId),
  ],
);

/** A member's own chat with the bot of an integration, where he decides on drafts; before `chatId` is known, the link to it. */
export const ownerChats = pgTable(
  "owner_chats",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the code of the link that waits to be opened, hex; good once. */
    codeHash: text("code_hash"),
    codeExpiresAt: at("code_expires_at"),
    /** The platform's own. */
    chatId: text("chat_id"),
    /** As its owner is called there. */
    name: text("name"),
    linkedAt: at("linked_at"),
    /** The platform wants us to wait until then. */
    waitUntil: at("wait_until"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("owner_chats_member").on(t.integrationId, t.userId),
    uniqueIndex("owner_chats_chat").on(t.integrationId, t.chatId),
    index("owner_chats_org").on(t.orgId),
    index("owner_chats_user").on(t.userId),
  ],
);

/** A draft as one of these chats shows it. */
export const ownerNotices = pgTable(
  "owner_notices",
  {
    id: uuidId(),
    orgId: orgId(),
    ownerChatId: uuid("owner_chat_id")
      .notNull()
      .references(() => ownerChats.id, { onDelete: "cascade" }),
    /** null: the draft has been deleted, and what shows it is to say so. */
    outboxId: uuid("outbox_id").references((): AnyPgColumn => outbox.id, { onDelete: "set null" }),
    /** The platform's ids of the messages that show it; more than one where nobody could know that the first had arrived. */
    messageIds: text("message_ids").array().notNull().default([]),
    /** Of the draft as they show it (channels/tell-owner.ts). */
    version: text("version"),
    /** Its message is on its way since then. */
    sendingSince: at("sending_since"),
    /** As of an answer in the outbox. */
    endAsked: boolean("end_asked").notNull().default(false),
    /** An attempt before may have arrived. */
    doubtful: boolean("doubtful").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    /** The message that asks for another text; its answer is that text. */
    askedIn: text("asked_in"),
    /** Nothing more is to be shown. */
    closedAt: at("closed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("owner_notices_once").on(t.ownerChatId, t.outboxId),
    index("owner_notices_outbox").on(t.outboxId),
    index("owner_notices_open").on(t.ownerChatId).where(sql`closed_at is null`),
    index("owner_notices_org").on(t.orgId),
  ],
);

/** A row stands while all twins of the organisation are stopped. */
export const twinStops = pgTable("twin_stops", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  stoppedBy: uuid("stopped_by").notNull(),
  stoppedAt: at("stopped_at").notNull().defaultNow(),
});

/** A row stands while the organisation's words go to no model but those that the operator calls local. */
export const localModelRules = pgTable("local_model_rules", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  setBy: uuid("set_by").notNull(),
  setAt: at("set_at").notNull().defaultNow(),
});

// ── Tenant: other programs that ask the twin ─────────────────────────────────────────────────────────────────────────

/** A key of a twin. It speaks for whoever made it: with their right to the twin it ends. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** The first characters of the key, for the eye. */
    prefix: text("prefix").notNull(),
    /** SHA-256 of the key, hex. */
    tokenHash: text("token_hash").notNull().unique(),
    scopes: text("scopes", { enum: ["ask", "drafts", "mcp"] })
      .array()
      .notNull(),
    /** Most of each in one day of Moscow's. */
    dailyMessages: integer("daily_messages").notNull(),
    dailyTokens: integer("daily_tokens").notNull(),
    expiresAt: at("expires_at"),
    revokedAt: at("revoked_at"),
    lastUsedAt: at("last_used_at"),
    createdAt: createdAt(),
  },
  (t) => [index("api_keys_twin").on(t.twinId, t.createdAt), index("api_keys_org").on(t.orgId)],
);

/** What a key has used, by day: its limits are taken from here before anything is answered. */
export const apiKeyUsage = pgTable(
  "api_key_usage",
  {
    orgId: orgId(),
    keyId: uuid("key_id")
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    /** Moscow's, YYYY-MM-DD. */
    day: text("day").notNull(),
    messages: integer("messages").notNull().default(0),
    tokens: bigint("tokens", { mode: "number" }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.day] }), index("api_key_usage_org").on(t.orgId)],
);
/** An address that is told what happens to a twin (Standard Webhooks). */
export const webhooks = pgTable(
  "webhooks",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    url: text("url").notNull(),
    events: text("events", { enum: ["message.received", "reply.sent", "draft.created", "takeover.started"] })
      .array()
      .notNull(),
    includeTexts: boolean("include_texts").notNull(),
    enabled: boolean("enabled").notNull(),
    /** Why we have switched it off ourselves. */
    disabledReason: text("disabled_reason"),
    failingSince: at("failing_since"),
    /** `whsec_…`, sealed by the vault; the one before signs as well until `previousUntil`. */
    secret: bytea("secret").notNull(),
    previousSecret: bytea("previous_secret"),
    previousUntil: at("previous_until"),
    createdAt: createdAt(),
  },
  (t) => [index("webhooks_twin").on(t.twinId, t.createdAt), index("webhooks_org").on(t.orgId)],
);

/** What was or is to be told; the id is `webhook-id`, the same for each attempt. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuidId(),
    orgId: orgId(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** Which it speaks of, and with which it goes; null for a trial. */
    conversationId: uuid("conversation_id").references(() => conversations.id, { onDelete: "cascade" }),
    event: text("event").notNull(),
    /** JSON as it is signed. */
    payload: text("payload").notNull(),
    state: text("state", { enum: ["pending", "delivered", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    /** HTTP status of the last answer. */
    status: integer("status"),
    error: text("error"),
    /** An attempt is under way since then; `endAsked` as of an answer in the outbox. */
    sendingSince: at("sending_since"),
    endAsked: boolean("end_asked").notNull().default(false),
    createdAt: createdAt(),
    deliveredAt: at("delivered_at"),
  },
  (t) => [
    index("webhook_deliveries_log").on(t.webhookId, t.createdAt),
    index("webhook_deliveries_conversation").on(t.conversationId),
    index("webhook_deliveries_age").on(t.createdAt),
    index("webhook_deliveries_org").on(t.orgId),
    index("webhook_deliveries_due").on(t.nextAttemptAt).where(sql`state = 'pending'`),
  ],
);

// ── Plans ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What can be subscribed to; seeded by a migration, edited by the platform's administrators. */
export const subscriptionPlans = pgTable("subscription_plans", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  description: text("description").notNull(),
  /** Roubles for each billing period. */
  price: integer("price").notNull(),
  billingPeriod: text("billing_period", { enum: ["month", "year"] })
    .notNull()
    .default("month"),
  isActive: boolean("is_active").notNull().default(true),
  features: text("features").array().notNull().default([]),
  /** Order in lists. */
  place: integer("place").notNull(),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

/** Tenant. The plan of an organisation; without a row it is `starter`. */
export const subscriptions = pgTable("subscriptions", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  planId: text("plan_id")
    .notNull()
    .references(() => subscriptionPlans.id),
  since: at("since").notNull().defaultNow(),
});

/** Tenant. An invoice: asked for by an administrator of the organisation, marked as paid by the platform's. */
export const payments = pgTable(
  "payments",
  {
    id: uuidId(),
    orgId: orgId(),
    planId: text("plan_id")
      .notNull()
      .references(() => subscriptionPlans.id),
    /** Roubles. */
    amount: integer("amount").notNull(),
    status: text("status", { enum: ["pending", "paid", "cancelled"] })
      .notNull()
      .default("pending"),
    createdAt: createdAt(),
    paidAt: at("paid_at"),
  },
  (t) => [index("payments_org").on(t.orgId, t.createdAt)],
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
    /** Where it happened: what was asked there is shown to its readers alone. null for an answer: nothing of the talk is kept. */
    conversationId: uuid("conversation_id").references(() => conversations.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  // By twin and conversation for the cascades of what is deleted: entries are as many as replies.
  (t) => [
    index("activity_org").on(t.orgId, t.id),
    index("activity_twin").on(t.twinId),
    index("activity_conversation").on(t.conversationId),
  ],
);

/** Handled messages by day: totals and means stay cheap whatever the history. `day` is Moscow's, YYYY-MM-DD. */
export const dailyUsage = pgTable(
  "daily_usage",
  {
    orgId: orgId(),
    twinId: twinId(),
    day: text("day").notNull(),
    messages: integer("messages").notNull().default(0),
    /** Answers whose confidence and duration the two sums below hold. */
    measured: integer("measured").notNull().default(0),
    /** Of confidences 0..1. */
    confidenceSum: doublePrecision("confidence_sum").notNull().default(0),
    /** Milliseconds. */
    durationSum: bigint("duration_sum", { mode: "number" }).notNull().default(0),
    /** That learning meanings has cost. */
    embeddingTokens: bigint("embedding_tokens", { mode: "number" }).notNull().default(0),
    /** Of the language model, taken before each call (twins/model-budget.ts). */
    modelTokens: bigint("model_tokens", { mode: "number" }).notNull().default(0),
    /** Percent of the day's limit that the owner has been told of: 0, 80, 100. */
    modelTold: smallint("model_told").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.twinId, t.day] }), index("daily_usage_org").on(t.orgId, t.day)],
);

/** Tokens of the language model that all twins of an organisation may take in one day of Moscow's, and took on `day`. */
export const modelBudgets = pgTable("model_budgets", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  /** As its administrator has set it; null: what the server allows. */
  dailyTokens: bigint("daily_tokens", { mode: "number" }),
  day: text("day").notNull().default(""),
  tokens: bigint("tokens", { mode: "number" }).notNull().default(0),
  /** As `daily_usage.model_told`. */
  told: smallint("told").notNull().default(0),
});

/**
 * A zip of everything that somebody has asked for (records/export). A trigger fails it when something is deleted of what it may hold:
 * a copy that waits is a copy that leaks.
 */
export const dataExports = pgTable(
  "data_exports",
  {
    id: uuidId(),
    orgId: orgId(),
    /** Who asked, and alone may have it. */
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    scope: text("scope", { enum: ["account", "organization"] }).notNull(),
    state: text("state", { enum: ["waiting", "running", "ready", "failed"] })
      .notNull()
      .default("waiting"),
    /** Of contract/records.ts. */
    reason: text("reason", { enum: ["storage_full", "no_space", "broken", "outdated", "not_allowed"] }),
    /** Rows handled, and how many there were at the beginning. */
    done: bigint("done", { mode: "number" }).notNull().default(0),
    total: bigint("total", { mode: "number" }).notNull().default(0),
    /** Random name inside the data folder's `uploads`; null once the file is gone. */
    storedName: text("stored_name").unique(),
    /** Taken of the disk, or about to be. */
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    /** Runs of its job that never came back (jobs/counted-run.ts). */
    cutOff: integer("cut_off").notNull().default(0),
    createdAt: createdAt(),
    readyAt: at("ready_at"),
    /** When the file is deleted. */
    keptUntil: at("kept_until"),
  },
  (t) => [
    uniqueIndex("data_exports_one").on(t.orgId, t.userId, t.scope),
    index("data_exports_user").on(t.userId),
    index("data_exports_end").on(t.keptUntil),
    check("data_exports_scope", sql`scope in ('account', 'organization')`),
    check("data_exports_state", sql`state in ('waiting', 'running', 'ready', 'failed')`),
    check("data_exports_reason", sql`reason in ('storage_full', 'no_space', 'broken', 'outdated', 'not_allowed')`),
  ],
);

/** Answers of POSTs that were sent with an Idempotency-Key, kept for a day. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    orgId: orgId(),
    userId: uuid("user_id").notNull(),
    key: text("key").notNull(),
    requestHash: text("request_hash").notNull(),
    /** Ids that stand in the call's address, its body or its answer: with what has one of them the answer is deleted. */
    mentions: text("mentions").array().notNull().default([]),
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
  "invitations",
  "used_telegram_logins",
  "login_failures",
  "letters_sent",
  "second_factors",
  "recovery_codes",
  "passkeys",
  "sign_in_challenges",
  "known_devices",
  "security_notices",
  "consents",
  "audit_log",
  "master_keys",
  "subscription_plans",
] as const;
