/**
 * The data model on one page. Every tenant table has an `orgId` column and is protected by row-level security
 * (`protect_tenant_table` of the migrations). The role of requests has no access to platform tables, which are listed at the end.
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
import type { HealthFactId } from "#contract/health.ts";
import type { WorkingHours } from "#contract/integrations/working-hours.ts";
import type { Currency, GigachatScope, RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { SECRECIES } from "./secrecy/secrecy.ts";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const serialId = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
const uuidId = () => uuid("id").primaryKey().defaultRandom();
const createdAt = () => at("created_at").notNull().defaultNow();
/** Whose secret the words of the row are (platform/db/secrecy). Whoever makes the row states it. */
const secrecy = () => text("secrecy", { enum: SECRECIES }).notNull();

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
  /** Version of the legal texts that the user accepted last; `consents` keeps every acceptance. */
  consentVersion: text("consent_version"),
  /** When whoever runs the installation has passed the dashboard's offer of a model; null: it is still offered. */
  modelOfferPassedAt: at("model_offer_passed_at"),
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
    /** SHA-256 of the cookie that was set together with the token; null for a client that is not a browser. */
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
    /** «Chrome, Windows», derived from the User-Agent header. Deleted with the session, like the IP address. */
    device: text("device"),
    ip: text("ip"),
    /** When the user last proved their identity in this session, with a password, a passkey or the like. */
    identityConfirmedAt: at("fresh_at"),
  },
  (t) => [index("sessions_user").on(t.userId)],
);

/** A user's authenticator app, which shows time-based codes (TOTP, RFC 6238). */
export const secondFactors = pgTable("second_factors", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** 20 bytes in hex, sealed by the vault (tenant «platform», row = user). */
  secret: bytea("secret").notNull(),
  /** null: the secret has been shown, but no correct code has been entered yet. */
  enabledAt: at("enabled_at"),
  /** The last 30-second time step whose code was accepted: each code works once. */
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
  createdAt: createdAt(),
});

/** Codes that sign a user in when the authenticator app is lost. Each works once and is then deleted. */
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
    /** The authenticator's id of the credential, base64url. */
    credentialId: text("credential_id").notNull().unique(),
    /** Encoded as a COSE key. */
    publicKey: bytea("public_key").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull().default([]),
    lastUsedAt: at("last_used_at"),
    createdAt: createdAt(),
  },
  (t) => [index("passkeys_user").on(t.userId)],
);

/** A sign-in or confirmation that still needs a second step. It is valid for five minutes and works once. */
export const signInChallenges = pgTable(
  "sign_in_challenges",
  {
    id: uuidId(),
    purpose: text("purpose", {
      enum: ["second-factor", "passkey-sign-in", "passkey-add", "passkey-confirm"],
    }).notNull(),
    /** SHA-256 of the token that the client must send back, hex. */
    tokenHash: text("token_hash").notNull().unique(),
    /** SHA-256, hex, of what the challenge is bound to: the browser's cookie, the session or the network of the IP address. */
    boundHash: text("bound_hash").notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** How the first step was made. */
    method: text("method"),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("sign_in_challenges_user").on(t.userId), index("sign_in_challenges_end").on(t.expiresAt)],
);

/** Browsers and programs that have signed in to an account, so that its owner is told of a new one. */
export const knownDevices = pgTable(
  "known_devices",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the browser's persistent cookie, or of a program's name and network; hex. */
    deviceHash: text("device_hash").notNull(),
    seenAt: at("seen_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.deviceHash] })],
);

/** Changes to an account that its owner should know about. */
export const securityNotices = pgTable(
  "security_notices",
  {
    id: uuidId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    detail: jsonb("detail").$type<Record<string, string>>().notNull().default({}),
    /** Whether an email was sent as well. */
    mailed: boolean("mailed").notNull(),
    seenAt: at("seen_at"),
    createdAt: createdAt(),
  },
  (t) => [index("security_notices_user").on(t.userId, t.createdAt)],
);

/** Browsers that a user is told in by push messages (server/accounts/notifications). */
export const pushDevices = pgTable(
  "push_devices",
  {
    id: uuidId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Where it was switched on; null once that session has expired. Signing out ends both. */
    sessionId: uuid("session_id").references(() => sessions.id, { onDelete: "set null" }),
    /** URL of the browser's push service: whoever knows it and the keys can send to the browser. */
    endpoint: text("endpoint").notNull().unique(),
    /** P-256 public key and shared secret of the browser (RFC 8291). */
    p256dh: bytea("p256dh").notNull(),
    auth: bytea("auth").notNull(),
    /** «Chrome, Windows»; null when the browser did not say. */
    name: text("name"),
    /** When the browser last said that it is still subscribed. */
    seenAt: at("seen_at").notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [index("push_devices_user").on(t.userId), index("push_devices_session").on(t.sessionId)],
);

/** The key pair by which push services know this installation: one row. */
export const pushKeys = pgTable(
  "push_keys",
  {
    id: smallint("id").primaryKey().default(1),
    /** Base64url. */
    publicKey: text("public_key").notNull(),
    /** Sealed by the vault. */
    privateKey: bytea("private_key").notNull(),
    createdAt: createdAt(),
  },
  () => [check("push_keys_one", sql`id = 1`)],
);

/** Which versions of the legal texts a user has accepted, and when. */
export const consents = pgTable(
  "consents",
  {
    id: uuidId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    version: text("version").notNull(),
    acceptedAt: at("accepted_at").notNull().defaultNow(),
    /** SHA-256 of the user's id and IP address, hex: enough to check an address that somebody claims. */
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
 * Invitations to an organisation that have not been accepted yet. An account or a membership is created only when the link in
 * the email is followed: an invitation reveals to nobody who has an account, and makes nobody a member against their will.
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

/** Hashes of Telegram login payloads that were already used; kept for as long as the payload would be accepted. */
export const usedTelegramLogins = pgTable("used_telegram_logins", {
  hash: text("hash").primaryKey(),
  expiresAt: at("expires_at").notNull(),
});

/** Emails that were sent or were about to be sent, counted for rate limits. Rows are kept for a day. */
export const lettersSent = pgTable(
  "letters_sent",
  {
    id: serialId(),
    kind: text("kind", { enum: ["confirmation", "reset", "invitation"] }).notNull(),
    /** SHA-256 of the email address, hex. */
    recipient: text("recipient").notNull(),
    /** Who caused the email; null once the user is deleted, while the row still counts for the recipient. */
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

/** Failed sign-ins, keyed by account and IP address and by account alone, for the limit of attempts. */
export const loginFailures = pgTable(
  "login_failures",
  { id: serialId(), key: text("key").notNull(), at: at("at").notNull().defaultNow() },
  (t) => [index("login_failures_key").on(t.key, t.at)],
);

/** Version numbers of the master keys (operations/records/master-key). The keys themselves are never stored. */
export const masterKeys = pgTable("master_keys", {
  version: integer("version").primaryKey(),
  /** The first half of the HMAC-SHA256 of a fixed text under the key, hex. */
  fingerprint: text("fingerprint").notNull().unique(),
  createdAt: createdAt(),
});

/** Problems of the server that are watched, for alerts to whoever runs it (server/operations/health/alerts). */
export const alerts = pgTable(
  "alerts",
  {
    /** Host name of the machine; empty for what all servers on this database share. */
    server: text("server").notNull(),
    problem: text("problem").$type<HealthFactId>().notNull(),
    since: at("since").notNull(),
    seen: at("seen").notNull(),
    /** The time in which it was a failure; null: it is to be looked at, no more. */
    failureSince: at("failure_since"),
    failureSeen: at("failure_seen"),
    toldAt: at("told_at"),
    toldAs: text("told_as", { enum: ["attention", "failure"] }),
    /** How often it was told. */
    times: integer("times").notNull().default(0),
    /** Until then one process is telling it. */
    claimedUntil: at("claimed_until"),
  },
  (t) => [
    primaryKey({ columns: [t.server, t.problem] }),
    check("alerts_told_as", sql`told_as in ('attention', 'failure')`),
  ],
);

/** Processes of this installation as each has told of itself (server/operations/health/processes.ts). */
export const serverProcesses = pgTable("server_processes", {
  /** Another one after each start. */
  id: uuid("id").primaryKey(),
  host: text("host").notNull(),
  pid: integer("pid").notNull(),
  role: text("role", { enum: ["all", "web", "worker"] }).notNull(),
  version: text("version").notNull(),
  startedAt: at("started_at").notNull(),
  reportedAt: at("reported_at").notNull(),
  /** How often it makes a backup; null: it makes none. */
  backupHours: doublePrecision("backup_hours"),
  /** These four are of the hour before. */
  failedRequests: integer("failed_requests").notNull(),
  failedJobs: integer("failed_jobs").notNull(),
  modelReplies: integer("model_replies").notNull(),
  modelFailures: integer("model_failures").notNull(),
  /** Of the event loop. */
  delayMs: integer("delay_ms").notNull(),
  worstDelayMs: integer("worst_delay_ms").notNull(),
  memoryBytes: bigint("memory_bytes", { mode: "number" }).notNull(),
  heapBytes: bigint("heap_bytes", { mode: "number" }).notNull(),
  heapLimitBytes: bigint("heap_limit_bytes", { mode: "number" }).notNull(),
});

/** The last backup that was made and the last that failed, on whichever machine. */
export const lastBackups = pgTable(
  "last_backups",
  {
    outcome: text("outcome", { enum: ["made", "failed"] }).primaryKey(),
    at: at("at").notNull(),
    host: text("host").notNull(),
    /** Of the one that was made. */
    bytes: bigint("bytes", { mode: "number" }),
    /** Whether it was read back whole. */
    verified: boolean("verified"),
    /** Why the other one failed, a Russian sentence. */
    reason: text("reason"),
  },
  () => [
    check("last_backups_outcome", sql`outcome in ('made', 'failed')`),
    check("last_backups_told", sql`(outcome = 'made') = (bytes is not null and verified is not null)`),
    check("last_backups_reason", sql`(outcome = 'failed') = (reason is not null)`),
  ],
);

/**
 * The password of the requests' login (server/platform/db/request-role.ts), sealed with each master key by which a server may have to find it: it
 * stays the same while master keys change.
 */
export const requestLogins = pgTable(
  "request_logins",
  {
    login: text("login").notNull(),
    /** Tells keys apart and nothing of them, hex. */
    fingerprint: text("fingerprint").notNull(),
    /** Base64. */
    sealed: text("sealed").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.login, t.fingerprint] })],
);

/**
 * Model files that were downloaded or uploaded into the data folder on the screen «Модель» (docs/decisions/030-local-models.md). They belong to the
 * installation, not to an organisation.
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
    /** Commit, path and SHA-256 (hex) of the file on the hub, so that a resumed download continues the same file. */
    revision: text("revision"),
    path: text("path"),
    sha256: text("sha256"),
    /** Of a model of several files: each with its name here, and what the hub says of it; null for one file. */
    parts:
      jsonb("parts").$type<{ name: string; path: string; bytes: number; sha256: string | null; gitBlob?: string }[]>(),
    /** Read from the file's header once it is complete. */
    architecture: text("architecture"),
    contextTokens: integer("context_tokens"),
    tokenBytes: doublePrecision("token_bytes"),
    state: text("state", { enum: ["downloading", "paused", "uploading", "ready", "failed"] }).notNull(),
    /** Code of the message that tells why it failed. */
    problem: text("problem"),
    /** Whether organisations may choose it. */
    allowed: boolean("allowed").notNull().default(false),
    /** Whether it serves the organisations that have chosen no model themselves. */
    chosen: boolean("chosen").notNull().default(false),
    /** Whether it is to be chosen as soon as it is ready: it was advised, and taken as advised. */
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
    /** The name that contacts see (accounts/twins/public-name.ts); null: the same as `name`. */
    publicName: text("public_name"),
    description: text("description").notNull(),
    personality: text("personality").notNull(),
    communicationStyle: text("communication_style").notNull(),
    expertise: text("expertise").array().notNull().default([]),
    status: text("status", { enum: ["training", "ready"] })
      .notNull()
      .default("training"),
    isActive: boolean("is_active").notNull().default(true),
    /** Fidelity, 0..1; null until it has been measured on held-out messages. */
    styleAccuracy: doublePrecision("style_accuracy"),
    /** `OwnersStyle` of contract/quality.ts. */
    styleProfile: jsonb("style_profile").$type<unknown>(),
    /** Grows with every change of chunks or reply examples, so that indexes in memory notice that they are stale. */
    knowledgeRevision: bigint("knowledge_revision", { mode: "number" }).notNull().default(0),
    /** The knowledge revision of the last finished training. */
    trainedRevision: bigint("trained_revision", { mode: "number" }).notNull().default(-1),
    trainingStage: text("training_stage"),
    trainingProgress: doublePrecision("training_progress").notNull().default(1),
    trainingError: text("training_error"),
    /** Runs of the job that never finished, counted since its last progress (platform/jobs/crash-limit.ts). */
    trainingCutOff: integer("training_cut_off").notNull().default(0),
    /** The model and the knowledge revision whose embeddings are complete (knowledge/search/embeddings/learn-embeddings.ts); null: never requested. */
    embeddingModel: text("embedding_model"),
    embeddingRevision: bigint("embedding_revision", { mode: "number" }).notNull().default(-1),
    embeddingError: text("embedding_error"),
    /** Like `trainingCutOff`. */
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

/** Every measurement of a twin's fidelity (answers/training/measure-fidelity.ts). All shares are 0..1. */
export const fidelityMeasures = pgTable(
  "fidelity_measures",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /** The knowledge revision that was measured. */
    revision: bigint("revision", { mode: "number" }).notNull(),
    /** What there was too little of to measure; the figures are null then. */
    lacking: text("lacking", { enum: ["own", "held", "people"] }),
    /** √(verified · indistinguishable), with its 90 % interval. */
    value: doublePrecision("value"),
    low: doublePrecision("low"),
    high: doublePrecision("high"),
    verified: doublePrecision("verified"),
    indistinguishable: doublePrecision("indistinguishable"),
    /** `value` that the owner's own older messages reach (upper bound), and that strangers' messages reach (lower bound). */
    ceiling: doublePrecision("ceiling"),
    floor: doublePrecision("floor"),
    copyRate: doublePrecision("copy_rate"),
    relevance: doublePrecision("relevance"),
    /** Counts: the owner's turns that trained the verifier, held-out real replies, and contacts with enough messages. */
    own: integer("own").notNull(),
    held: integer("held").notNull(),
    people: integer("people").notNull(),
    durationMs: integer("duration_ms").notNull(),
    measuredAt: at("measured_at").notNull().defaultNow(),
    /** Name of the local model that answered; null: a remote model or none. */
    model: text("model"),
    /** The voice adapter that was applied; null: none, or one that was deleted since. */
    voiceId: uuid("voice_id").references(() => voiceAdapters.id, { onDelete: "set null" }),
    /** `voice_adapters.version` of that adapter; kept when the adapter is deleted. */
    voiceVersion: integer("voice_version"),
    /** A comparison run with or without a voice adapter, which does not describe how the twin answers its contacts. */
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
    /** The base model that it was checked against: its name and its tensors' shapes (models/local/adapters/base-shapes.ts). */
    baseName: text("base_name"),
    baseShape: text("base_shape"),
    /** Which model of these shapes, and which file of it (docs/decisions/029-reply-candidates-and-voice-adapters.md); null: it came before these were noted. */
    baseWeights: text("base_weights"),
    baseFile: text("base_file"),
    rank: integer("rank"),
    /** SHA-256 of the uploaded file, hex. */
    sha256: text("sha256"),
    /** Whether the twin answers with it. */
    active: boolean("active").notNull().default(false),
    /** When the model last failed to load it and answered without it; null: no failure is known. */
    failedAt: at("failed_at"),
    /** Letters that it may have learnt from were deleted then: nobody hears it any more. */
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

/** The twin's replies in the newest measurement, each deleted with the reply example that it is shown beside. */
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
    /** The verifier's log-odds that the owner wrote it. */
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

/**
 * The only past replies of the owner that may be used in answers to everybody (docs/decisions/021-shared-past-replies.md): the owner has opened them, or
 * has sent them to enough contacts in the same words (knowledge/public-replies/recurring.ts). A changed text gets a new id.
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
    /** How many contacts received it; 1 for one that the owner has opened. */
    people: integer("people").notNull().default(1),
    /** A closed reply is never used; the row stays so that the owner can open it again. */
    state: text("state", { enum: ["open", "closed"] })
      .notNull()
      .default("open"),
    /** For one that the owner has opened: the contact who received it and the reply itself. It is deleted with either. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    replyMessageId: bigint("reply_message_id", { mode: "number" }).references(() => messages.id, {
      onDelete: "cascade",
    }),
    createdAt: createdAt(),
    /** Compared by indexes in memory, so that they notice changes. */
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

/** The reply examples that a recurring reply was derived from. A trigger deletes the reply as soon as one of them is deleted. */
export const openReplyWitnesses = pgTable(
  "open_reply_witnesses",
  {
    orgId: orgId(),
    openReplyId: bigint("open_reply_id", { mode: "number" })
      .notNull()
      .references(() => openReplies.id, { onDelete: "cascade" }),
    replyExampleId: bigint("reply_example_id", { mode: "number" })
      .notNull()
      .references(() => replyExamples.id, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.openReplyId, t.replyExampleId] }),
    index("open_reply_witnesses_reply_example").on(t.replyExampleId),
    index("open_reply_witnesses_org").on(t.orgId),
  ],
);

/** Reply examples that the owner is asked to open for everybody; replaced by each training. */
export const replyProposals = pgTable(
  "reply_proposals",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    replyExampleId: bigint("reply_example_id", { mode: "number" })
      .notNull()
      .references(() => replyExamples.id, { onDelete: "cascade" }),
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
 * Facts about prices, hours, places and conditions that were found in the owner's past replies (server/knowledge/facts). Only the owner sees a
 * proposal; once he confirms it, it becomes a correction. A proposal is deleted with its reply example; that it was rejected stays
 * recorded in `declined_replies`.
 */
export const factProposals = pgTable(
  "fact_proposals",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /** The newest reply example that states the fact. */
    replyExampleId: bigint("reply_example_id", { mode: "number" })
      .notNull()
      .references(() => replyExamples.id, { onDelete: "cascade" }),
    /** SHA-256 of the normalised question (`subject`) and answer (`value`): two values of one subject contradict each other. */
    subject: bytea("subject").notNull(),
    value: bytea("value").notNull(),
    /** The original wording with personal data masked. */
    question: text("question").notNull(),
    reply: text("reply").notNull(),
    /** How many reply examples state it, and how many contacts received them. */
    times: integer("times").notNull(),
    people: integer("people").notNull(),
    saidAt: at("said_at").notNull(),
    state: text("state", { enum: ["proposed", "confirmed", "rejected"] })
      .notNull()
      .default("proposed"),
    /** Identical in all proposals that one decision covered. */
    decidedAt: at("decided_at"),
    /** For a confirmed proposal: the correction that states it now, and the one that stated otherwise before. */
    correctionId: uuid("correction_id").references((): AnyPgColumn => corrections.id, { onDelete: "set null" }),
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

/** Replies and facts that must not be proposed again, as SHA-256 of their words, so that the refusal outlives the words. */
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

/**
 * Embedding of a chunk, or of the question of a reply example or an open reply, by the model in `model`. It is deleted with its text.
 * Where pgvector is installed, platform/db/pgvector.ts adds columns that the database fills from `codes`.
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
    /** SHA-256 of the text that was embedded, so that the same text is paid for once. */
    contentHash: bytea("content_hash").notNull(),
    /** The direction of the vector: one signed byte a dimension (knowledge/search/embeddings/codes.ts). */
    codes: bytea("codes").notNull(),
    /** The signs of the vector's dimensions, one bit each. */
    signs: bytea("signs").notNull(),
    /** For a chunk: concatenated codes of its quotable pieces (knowledge/search/embeddings/learn-pieces.ts); null: not computed. */
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

/** A resumable upload of an export file. The length of the stored file says how much has arrived. */
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
    /** Modification time of the file on the uploader's machine, ms since 1970. */
    modified: bigint("modified", { mode: "number" }),
    /** null until the upload is complete. */
    format: text("format"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("export_uploads_org").on(t.orgId, t.userId), index("export_uploads_twin").on(t.twinId)],
);

/** The import of an export file or of a connected account into the history. */
export const imports = pgTable(
  "imports",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    userId: uuid("user_id").notNull(),
    fileName: text("file_name").notNull(),
    /** Random name inside the data folder's `uploads` of the file, or of the folder with several files; null once deleted. */
    storedName: text("stored_name"),
    /** The account that is read; null for a file. */
    integrationId: uuid("integration_id").references((): AnyPgColumn => integrations.id, { onDelete: "cascade" }),
    /** For an account: what to read and where to resume (`AccountPosition` of imports/account/account-import.ts). */
    position: jsonb("position").$type<unknown>(),
    /** The platform has asked us not to call it before this time. */
    waitingUntil: at("waiting_until"),
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    status: text("status", { enum: ["reading", "preview", "running", "done", "failed", "cancelled"] }).notNull(),
    format: text("format"),
    incomplete: boolean("incomplete").notNull().default(false),
    /** Chats, people and rejected lines found in the file (`ImportState` of contract/knowledge/imports.ts). */
    preview: jsonb("preview").$type<unknown>(),
    ownerId: text("owner_id"),
    chatIds: text("chat_ids").array(),
    consentAt: at("consent_at"),
    sourceId: uuid("source_id"),
    /** Whether recordings and pictures of the chosen chats are taken from the archive and read. */
    withAttached: boolean("with_attached").notNull().default(false),
    total: integer("total").notNull().default(0),
    /** Messages of the file handled so far; a resumed job continues after them. */
    processed: integer("processed").notNull().default(0),
    imported: integer("imported").notNull().default(0),
    duplicates: integer("duplicates").notNull().default(0),
    error: text("error"),
    /** Runs of its job that never finished, counted since its last progress (platform/jobs/crash-limit.ts). */
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
    /** For a conversation with a contact: the integration that it takes place on, and its id on the platform. */
    integrationId: uuid("integration_id").references((): AnyPgColumn => integrations.id, { onDelete: "set null" }),
    externalId: text("external_id"),
    /** What the twin may do in this conversation by itself; null: the integration's setting applies. */
    autonomy: text("autonomy", { enum: ["off", "draft", "confident", "auto"] }),
    /** The twin is silent until then, because the owner has taken over. */
    pausedUntil: at("paused_until"),
    /** When the contact was last told that nobody answers outside working hours. */
    awayToldAt: at("away_told_at"),
    /** When the contact asked for no more replies. */
    optedOutAt: at("opted_out_at"),
    /** When the contact was told that an AI answers. */
    disclosedAt: at("disclosed_at"),
    /** `context` of the newest incoming message (inbox/channels/protocol/channel.ts), and when it arrived. */
    replyContext: jsonb("reply_context").$type<Record<string, unknown>>().notNull().default({}),
    lastInboundAt: at("last_inbound_at"),
    /** How many of the contact's messages nobody has answered or looked at. */
    unread: integer("unread").notNull().default(0),
    /** The member who is responsible for the conversation. */
    assigneeId: uuid("assignee_id"),
    /** It is out of the lists until then; once past, it stands on top of them until somebody opens it. Null: never put off, or seen. */
    snoozedUntil: at("snoozed_until"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("conversations_external").on(t.integrationId, t.externalId),
    // A page of the list is read from it without sorting; the counters above the list are read from it without the rows.
    index("conversations_org").on(t.orgId, t.updatedAt, t.id, t.status, t.unread, t.messageCount, t.userId),
    index("conversations_twin").on(t.twinId),
    index("conversations_contact").on(t.contactId),
    index("conversations_snoozed").on(t.orgId, t.snoozedUntil).where(sql`snoozed_until is not null`),
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
    /** For an `assistant` message: `owner` when the owner wrote it; null: the twin did. */
    author: text("author", { enum: ["owner"] }),
    content: text("content").notNull(),
    /** Of `content` and `citations`. */
    secrecy: secrecy(),
    /** `Citations` of answers/replies/citations.ts: sources, reply examples, confidence, basis and reason of an answer. */
    citations: jsonb("citations").$type<unknown>(),
    /** Milliseconds from the question's arrival to the complete answer; null for questions. */
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
  },
  (t) => [
    index("conversation_messages_order").on(t.conversationId, t.id),
    index("conversation_messages_org").on(t.orgId, t.id),
    // Parts of words, whatever their case; «ё» and «е» are one (docs/decisions/036-inbox-search-snooze-and-notifications.md).
    index("conversation_messages_words").using(
      "gin",
      t.orgId,
      sql`translate(lower(${t.content}), 'ё', 'е') gin_trgm_ops`,
    ),
  ],
);

/** Members' internal notes on a conversation; nothing that makes answers reads them. */
export const conversationNotes = pgTable(
  "conversation_notes",
  {
    id: uuidId(),
    orgId: orgId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** The author; nobody else may change the note. */
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

/** A word of the organisation's by which its members sort conversations. */
export const labels = pgTable(
  "labels",
  {
    id: uuidId(),
    orgId: orgId(),
    name: text("name").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("labels_name").on(t.orgId, sql`lower(${t.name})`)],
);

export const conversationLabels = pgTable(
  "conversation_labels",
  {
    orgId: orgId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    labelId: uuid("label_id")
      .notNull()
      .references(() => labels.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.labelId] }),
    index("conversation_labels_label").on(t.labelId),
    index("conversation_labels_org").on(t.orgId),
  ],
);

/** A text that members put into the reply field and send themselves; the twin knows nothing of it. */
export const savedReplies = pgTable(
  "saved_replies",
  {
    id: uuidId(),
    orgId: orgId(),
    title: text("title").notNull(),
    /** «{имя}» stands for the contact's first name. */
    text: text("text").notNull(),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("saved_replies_org").on(t.orgId, t.title)],
);

/**
 * A member's feedback on one of the twin's answers: either a rating of an answer that was given (`messageId`), or a draft that the
 * member changed before sending (`outboxId`; `correction` is the text that was sent, and there is no rating).
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
    /** The outbox row whose `question` and `original` text the correction replaces. */
    outboxId: uuid("outbox_id")
      .unique()
      .references((): AnyPgColumn => outbox.id, { onDelete: "cascade" }),
    userId: uuid("user_id").notNull(),
    /** 1..5; null for a draft. */
    rating: integer("rating"),
    comment: text("comment"),
    /** The answer in the owner's own words. */
    correction: text("correction"),
    /** Of `comment` and `correction`: that of the answer which they are about. */
    secrecy: secrecy(),
    /** When the twin's owner decided whether the twin should learn from it; null: not yet. */
    settledAt: at("settled_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("reply_feedback_once").on(t.messageId, t.userId),
    index("reply_feedback_twin").on(t.twinId, t.id),
    index("reply_feedback_org").on(t.orgId, t.createdAt),
    check(
      "reply_feedback_of_one",
      sql`num_nonnulls(message_id, outbox_id) = 1 and (outbox_id is null or correction is not null)
        and (message_id is null or num_nonnulls(rating, correction) > 0)`,
    ),
  ],
);

/**
 * What the owner has taught his twin by correcting an answer. Only the state ever changes: editing creates another row, so that a version
 * of the twin can refer to what it contained. A correction is deleted with the contact or the chat whose words it holds.
 */
export const corrections = pgTable(
  "corrections",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    kind: text("kind", { enum: ["fact", "style", "example"] }).notNull(),
    question: text("question").notNull(),
    /** What was said before the question, oldest first. */
    context: jsonb("context").$type<{ role: "user" | "assistant"; content: string }[]>().notNull(),
    /** The twin's answer that is corrected. */
    twinReply: text("twin_reply").notNull(),
    /** The fact or the reply; for a style correction, the owner's wording. */
    text: text("text").notNull(),
    /** Empty unless `kind` is `style`. */
    rules: jsonb("rules").$type<StyleRule[]>().notNull().default([]),
    /** Other wordings of the question that the owner has marked as asking the same. */
    rewordings: jsonb("rewordings").$type<string[]>().notNull().default([]),
    /** Concatenated vectors of the question and of each rewording, encoded like `embeddings.codes`; null: none, or not computed yet. */
    embeddingCodes: bytea("embedding_codes"),
    embeddingModel: text("embedding_model"),
    audience: bigint("audience", { mode: "number" }).notNull(),
    /** The contact in whose conversation it was made. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    /** The imported chat that the question comes from; null: it does not come from the history. */
    chatId: bigint("chat_id", { mode: "number" }).references(() => chats.id, { onDelete: "cascade" }),
    state: text("state", { enum: ["active", "off", "removed"] })
      .notNull()
      .default("active"),
    /** Whether it is replayed as a test case after each training, and the results of the last replay and of the one before. */
    caseKept: boolean("case_kept").notNull().default(true),
    caseResult: text("case_result", { enum: ["passed", "failed"] }),
    caseBefore: text("case_before", { enum: ["passed", "failed"] }),
    caseReply: text("case_reply"),
    caseCheckedAt: at("case_checked_at"),
    /** `fact_proposals.subject` when it was created by confirming a proposed fact. */
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

/**
 * A question that the twin could not answer, in whatever words it was asked (server/inbox/gaps). It holds nobody's words: those stand in
 * `gap_questions` and go with their conversations.
 */
export const gaps = pgTable(
  "gaps",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    state: text("state", { enum: ["open", "answered", "ignored"] })
      .notNull()
      .default("open"),
    /** Why it is ignored: it is no question, or the twin is not to answer it. */
    ignoredAs: text("ignored_as", { enum: ["not_question", "no_answer"] }),
    /** Who has answered it: the owner here, or what the twin has learnt elsewhere since. */
    answeredBy: text("answered_by", { enum: ["owner", "knowledge"] }),
    correctionId: uuid("correction_id").references((): AnyPgColumn => corrections.id, { onDelete: "set null" }),
    decidedAt: at("decided_at"),
    /** When the twin was last asked it again. */
    checkedAt: at("checked_at").notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [
    index("gaps_twin").on(t.twinId, t.state),
    index("gaps_org").on(t.orgId),
    index("gaps_correction").on(t.correctionId),
    check("gaps_state", sql`state in ('open', 'answered', 'ignored')`),
    check("gaps_ignored", sql`(state = 'ignored') = (ignored_as is not null)`),
    check("gaps_answered", sql`(state = 'answered') = (answered_by is not null)`),
  ],
);

/** A message that the twin left without an answer: of a contact, or of the owner in his test chat. */
export const gapQuestions = pgTable(
  "gap_questions",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /** null: not sorted yet. */
    gapId: uuid("gap_id").references(() => gaps.id, { onDelete: "cascade" }),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** The last message of what was asked in one go. */
    messageId: bigint("message_id", { mode: "number" })
      .notNull()
      .references(() => conversationMessages.id, { onDelete: "cascade" }),
    said: text("said").notNull(),
    /** The same as a question that needs nothing before it; null until it is sorted. */
    question: text("question"),
    /** The question's vector, like `embeddings.codes`; null: questions were compared by words alone. */
    embeddingCodes: bytea("embedding_codes"),
    embeddingModel: text("embedding_model"),
    /** Whether the twin answers it now; null: it was not asked again. */
    answered: boolean("answered"),
    /**
     * What became of the answer for whoever asked: `sent` went out by itself, `draft` waits for approval, `by_hand`: the owner has
     * answered there himself, `own_chat`: the owner had asked, `unreachable`: nothing can be sent. null: not told yet.
     */
    told: text("told", { enum: ["sent", "draft", "by_hand", "own_chat", "unreachable"] }),
    /** The answer that was made for whoever asked. */
    outboxId: uuid("outbox_id").references((): AnyPgColumn => outbox.id, { onDelete: "set null" }),
    askedAt: at("asked_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("gap_questions_message").on(t.messageId),
    index("gap_questions_twin").on(t.twinId, t.askedAt),
    index("gap_questions_gap").on(t.gapId, t.id),
    index("gap_questions_conversation").on(t.conversationId),
    index("gap_questions_outbox").on(t.outboxId),
    index("gap_questions_org").on(t.orgId, t.askedAt),
    check("gap_questions_told", sql`told in ('sent', 'draft', 'by_hand', 'own_chat', 'unreachable')`),
  ],
);

/** A twin's state after a training or a saved change, to which it can be restored. */
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

// ── Tenant: platforms that the twin is connected to ────────────────────────────────────────────────────────────────

export const integrations = pgTable(
  "integrations",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    platform: text("platform", {
      enum: ["telegram", "whatsapp", "email", "slack", "discord", "max", "vk", "web"],
    }).notNull(),
    status: text("status", { enum: ["active", "inactive", "error"] })
      .notNull()
      .default("active"),
    /** Explains the status to the owner, in Russian; null when nothing is wrong. */
    statusReason: text("status_reason"),
    /** The platform's credentials as JSON, sealed by the vault (column `credentials`). */
    credentials: bytea("credentials").notNull(),
    /** The number as the owner entered it; screens hide its middle digits. */
    phoneNumber: text("phone_number"),
    /** Settings that are not secret: `{ success_rate?: number }`. */
    settings: jsonb("settings").$type<Record<string, unknown>>().notNull().default({}),
    /** What the twin may do on this integration by itself. */
    autonomy: text("autonomy", { enum: ["off", "draft", "confident", "auto"] })
      .notNull()
      .default("draft"),
    /** `WorkingHours` of contract/integrations/working-hours.ts; null: the twin answers at any time. */
    workingHours: jsonb("working_hours").$type<WorkingHours>(),
    /** Consecutive failures to send, and until when sending is paused because of them (inbox/channels/core/outbox/circuit-breaker.ts). */
    sendFailures: integer("send_failures").notNull().default(0),
    sendPausedUntil: at("send_paused_until"),
    /** When the owner last tested the connection. */
    checkedAt: at("checked_at"),
    /** The source of the messages imported through it; null before the first import. */
    sourceId: uuid("source_id").references(() => sources.id, { onDelete: "set null" }),
    messagesImported: integer("messages_imported").notNull().default(0),
    messagesHandled: integer("messages_handled").notNull().default(0),
    lastSyncAt: at("last_sync_at"),
    /** The account's name on the platform, «@bot»; null until the platform was reached. */
    account: text("account"),
    /** The account's id on the platform, such as WhatsApp's phone_number_id. */
    accountId: text("account_id"),
    /** Where receiving resumes; the shape depends on the platform. */
    cursor: jsonb("cursor").$type<Record<string, unknown>>().notNull().default({}),
    /** Failed attempts to store each delivery, keyed by its hash (inbox/channels/core/inbox/set-aside/poison-guard.ts). */
    failedDeliveries: jsonb("failed_deliveries").$type<Record<string, number>>().notNull().default({}),
    /** Only the process that holds the lease receives for the integration. */
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    /** Opaque last segment of the webhook URL that the platform calls; null until one was registered. */
    webhookPath: text("webhook_path").unique(),
    /** Secret that authenticates the platform's webhook calls, sealed by the vault (column `webhook_secret`). */
    webhookSecret: bytea("webhook_secret"),
    lastEventAt: at("last_event_at"),
    /** Why an active integration is disconnected at the moment; it reconnects by itself. */
    trouble: text("trouble"),
    /** What the integration cannot do in its present setup, although it works. */
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

/** A twin's chat widget on its owner's sites; its integration (platform `web`) says whether and how the twin answers. */
export const widgets = pgTable(
  "widgets",
  {
    /** Public: the site's code contains it. */
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId().unique(),
    integrationId: integrationId().unique(),
    /** Origins whose pages may show the widget. */
    allowedSites: text("allowed_sites").array().notNull().default([]),
    title: text("title").notNull(),
    greeting: text("greeting").notNull(),
    /** #rrggbb */
    color: text("color").notNull(),
    /** Limit of visitors' messages per day (Moscow time), and how many there were on `usageDay`. */
    dailyMessages: integer("daily_messages").notNull(),
    usageDay: text("usage_day").notNull().default(""),
    usageMessages: integer("usage_messages").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("widgets_org").on(t.orgId)],
);

/** Messages per IP address, widget and day, so that no address uses up the limit of all visitors (inbox/widget/count-message.ts). */
export const widgetAddresses = pgTable(
  "widget_addresses",
  {
    orgId: orgId(),
    widgetId: uuid("widget_id")
      .notNull()
      .references(() => widgets.id, { onDelete: "cascade" }),
    /** SHA-256 of widget, day and IP address, hex: rows of different days cannot be linked. */
    addressHash: text("address_hash").notNull(),
    /** Day in Moscow time, YYYY-MM-DD; rows of past days are deleted. */
    day: text("day").notNull(),
    messages: integer("messages").notNull(),
    /** Hour of the latest message (hours since 1970), and how many messages came in that hour. */
    hour: integer("hour").notNull(),
    hourMessages: integer("hour_messages").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.widgetId, t.addressHash] }),
    index("widget_addresses_org").on(t.orgId),
    index("widget_addresses_day").on(t.day),
  ],
);

/** What a channel's client keeps between connections, such as session keys and peers' access hashes. */
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

/** A login to a Telegram account that waits for its code. It belongs to the member who began it and expires after ten minutes. */
export const telegramLogins = pgTable(
  "telegram_logins",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** What was typed and the unfinished session (`LoginState` of inbox/integrations/telegram-login.ts), sealed; null once the login is over. */
    state: bytea("state"),
    /** Wrong codes and passwords so far. */
    failures: integer("failures").notNull().default(0),
    /** Lock: only one request at a time talks to Telegram for this login. */
    busyUntil: at("busy_until"),
    createdAt: createdAt(),
  },
  (t) => [
    index("telegram_logins_user").on(t.userId, t.createdAt),
    index("telegram_logins_org").on(t.orgId),
    index("telegram_logins_twin").on(t.twinId),
  ],
);

/** Deliveries of platforms, stored before they are acknowledged. `(integration, event)` is unique, so a repeated delivery is one row. */
export const inboxEvents = pgTable(
  "inbox_events",
  {
    id: serialId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** The platform's own id of the delivery. */
    eventId: text("event_id").notNull(),
    /** The conversation's id on the platform. */
    conversationKey: text("conversation_key").notNull(),
    /** The platform's own order within the conversation. */
    position: bigint("position", { mode: "number" }).notNull(),
    /** `Inbound` of inbox/channels/protocol/channel.ts; null for a delivery that could not be read and for the owner's messages to his own bot. */
    inbound: jsonb("inbound").$type<unknown>(),
    status: text("status", { enum: ["pending", "done", "ignored", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    error: text("error"),
    /** The stored message, once the event was handled. */
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
    index("inbox_events_org").on(t.orgId, t.receivedAt),
  ],
);

/**
 * Messages that the twin, or its owner through the twin's channel, sends. The state goes `draft` → `pending` → `sending` → `sent`; a
 * message whose delivery is `unknown` is never sent again automatically.
 */
export const outbox = pgTable(
  "outbox",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** `owner` when the owner wrote it; null: the twin did. */
    author: text("author", { enum: ["owner"] }),
    /** The message that is answered; "" for the owner's own message. */
    question: text("question").notNull(),
    text: text("text").notNull(),
    /** The twin's text when the owner has changed it; null: unchanged. */
    original: text("original"),
    /** Of `text`, `original` and `citations`. An edit keeps it: a reworded letter is still a letter. */
    secrecy: secrecy(),
    state: text("state", { enum: ["draft", "pending", "sending", "sent", "unknown", "failed", "cancelled"] }).notNull(),
    /** Why it waits for the owner, or why it was not sent. */
    reason: text("reason"),
    /** 0..1; like `citations`, null for messages that the owner wrote. */
    confidence: doublePrecision("confidence"),
    /** `Citations` of answers/replies/citations.ts. */
    citations: jsonb("citations").$type<unknown>(),
    /** Milliseconds from the incoming message to the complete answer. */
    durationMs: integer("duration_ms"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    /** Tells the sender to stop, because what the message belongs to is being deleted (accounts/twins/in-flight-sends.ts). */
    endAsked: boolean("end_asked").notNull().default(false),
    /** Platform ids of the delivered parts, in order. */
    externalIds: text("external_ids").array().notNull().default([]),
    decidedBy: uuid("decided_by"),
    /** Whether it was to be sent by itself to an address whose holder has proven nothing (inbox/channels/core/answers/unproven-limit.ts). */
    toUnproven: boolean("to_unproven").notNull().default(false),
    /** Written by processes of 0.2 alone, which knew no scope: true is the contact's. Dropped once no release reads it. */
    teaches: boolean("teaches").notNull().default(false),
    /** For whom the twin learns the text as a correction once it is sent (knowledge/corrections/teach-sent.ts); null: it learns nothing. */
    teachesScope: text("teaches_scope", { enum: ["contact", "everybody"] }),
    createdAt: createdAt(),
    sentAt: at("sent_at"),
  },
  (t) => [
    index("outbox_org").on(t.orgId, t.state, t.createdAt),
    index("outbox_conversation").on(t.conversationId, t.createdAt),
    index("outbox_integration").on(t.integrationId),
    index("outbox_due").on(t.nextAttemptAt).where(sql`state = 'pending'`),
    index("outbox_unproven").on(t.integrationId, t.createdAt).where(sql`to_unproven`),
  ],
);

/** Recent events of an integration, shown to its owner. */
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

/** Incoming messages that could not be read. The owner can have one read again or dismiss it. */
export const setAsideEvents = pgTable(
  "set_aside_events",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** The platform's name for it: an email's folder and number, or an update's id. */
    name: text("name").notNull(),
    /** What it is and from whom, as far as known, in Russian: «Письмо от anna@example.ru «Заказ»». */
    title: text("title").notNull(),
    /** Why it could not be read, in Russian. */
    reason: text("reason").notNull(),
    /** The raw message, kept where the platform does not deliver it a second time. */
    raw: jsonb("raw").$type<unknown>(),
    /** `again`: the owner has asked to read it once more, and the receiver will. */
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

/** Telegram Business accounts that have connected their chats to a bot. Their messages are stored once the owner has accepted. */
export const businessConnections = pgTable(
  "business_connections",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** Telegram's id of the business connection. */
    externalId: text("external_id").notNull(),
    name: text("name").notNull(),
    canReply: boolean("can_reply").notNull(),
    enabled: boolean("enabled").notNull(),
    /** Number of the update that last changed the row, so that an older update changes nothing. */
    order: bigint("order", { mode: "number" }).notNull(),
    acceptedAt: at("accepted_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("business_connections_once").on(t.integrationId, t.externalId),
    index("business_connections_org").on(t.orgId),
  ],
);

/** A member's own chat with an integration's bot, where he approves drafts. Until `chatId` is known, it is a link waiting to be opened. */
export const ownerChats = pgTable(
  "owner_chats",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the link's code, hex; the code works once. */
    codeHash: text("code_hash"),
    codeExpiresAt: at("code_expires_at"),
    /** The chat's id on the platform. */
    chatId: text("chat_id"),
    /** The member's name on the platform. */
    name: text("name"),
    linkedAt: at("linked_at"),
    /** The platform has asked us not to send before this time. */
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

/** What a member is told of outside the screen, and what he has been told (server/accounts/notifications). No row: of nothing. */
export const notificationSettings = pgTable(
  "notification_settings",
  {
    orgId: orgId(),
    userId: uuid("user_id").notNull(),
    draftsPush: boolean("drafts_push").notNull(),
    draftsMail: boolean("drafts_mail").notNull(),
    troublePush: boolean("trouble_push").notNull(),
    troubleMail: boolean("trouble_mail").notNull(),
    /** He was told of the drafts made until then. */
    draftsPushedTo: at("drafts_pushed_to").notNull().defaultNow(),
    draftsMailedTo: at("drafts_mailed_to").notNull().defaultNow(),
    /** When a letter about drafts was last sent. */
    mailedAt: at("mailed_at"),
    /** Integrations in error of which he was told. */
    toldTrouble: uuid("told_trouble").array().notNull().default(sql`'{}'`),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.userId] }),
    foreignKey({
      name: "notification_settings_member",
      columns: [t.orgId, t.userId],
      foreignColumns: [memberships.orgId, memberships.userId],
    }).onDelete("cascade"),
    index("notification_settings_user").on(t.userId),
  ],
);

/** A draft that is shown in one of the owner chats. */
export const ownerNotices = pgTable(
  "owner_notices",
  {
    id: uuidId(),
    orgId: orgId(),
    ownerChatId: uuid("owner_chat_id")
      .notNull()
      .references(() => ownerChats.id, { onDelete: "cascade" }),
    /** null: the draft was deleted, and the messages that show it must be updated. */
    outboxId: uuid("outbox_id").references((): AnyPgColumn => outbox.id, { onDelete: "set null" }),
    /** Platform ids of the messages that show it; more than one when the first was resent because its arrival was uncertain. */
    messageIds: text("message_ids").array().notNull().default([]),
    /** Version of the draft that these messages show (inbox/channels/owner-chat/notify-owner.ts). */
    version: text("version"),
    /** When the message in flight was started; null: none is. */
    sendingSince: at("sending_since"),
    /** As `outbox.endAsked`. */
    endAsked: boolean("end_asked").notNull().default(false),
    /** An earlier attempt may have arrived. */
    doubtful: boolean("doubtful").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    /** Platform id of the message that asks the member for another text; the reply to it is that text. */
    askedIn: text("asked_in"),
    /** When the draft was decided or deleted, so that nothing more has to be shown. */
    closedAt: at("closed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("owner_notices_once").on(t.ownerChatId, t.outboxId),
    index("owner_notices_outbox").on(t.outboxId),
    index("owner_notices_open").on(t.ownerChatId).where(sql`closed_at is null`),
    index("owner_notices_org").on(t.orgId, t.closedAt),
  ],
);

/** A row exists while all twins of the organisation are stopped. */
export const twinStops = pgTable("twin_stops", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  stoppedBy: uuid("stopped_by").notNull(),
  stoppedAt: at("stopped_at").notNull().defaultNow(),
});

/** A row exists while the organisation's data may be sent only to models that the operator has declared local. */
export const localModelRules = pgTable("local_model_rules", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  setBy: uuid("set_by").notNull(),
  setAt: at("set_at").notNull().defaultNow(),
});

/** The local model that the organisation has chosen; without a row, the server's default answers. */
export const organizationModels = pgTable(
  "organization_models",
  {
    orgId: uuid("org_id")
      .primaryKey()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** null: no model, the extractive reader answers. Deleting a model deletes the choice. */
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
  /** Sealed by the vault (column `api_key`, row: the organisation's id); null: none. */
  apiKey: bytea("api_key"),
  scope: text("scope").$type<GigachatScope>(),
  /** The operator has configured these addresses, so they may be in a private network and without TLS. */
  mayBePrivate: boolean("may_be_private").notNull().default(false),
  currency: text("currency").$type<Currency>().notNull(),
  /** Prices of 1,000 tokens in millionths of the currency; null: unknown. */
  inputPrice: bigint("input_price", { mode: "number" }),
  outputPrice: bigint("output_price", { mode: "number" }),
  enabled: boolean("enabled").notNull(),
  setBy: uuid("set_by").notNull(),
  setAt: at("set_at").notNull().defaultNow(),
});

/**
 * Who reads what contacts send besides text: recordings (`speech`) and pictures (`picture`) have a row each. Without a row, or with the mode
 * `off`, nobody does, and nothing is fetched.
 */
export const mediaReaders = pgTable(
  "media_readers",
  {
    orgId: orgId(),
    kind: text("kind", { enum: ["speech", "picture"] }).notNull(),
    mode: text("mode", { enum: ["off", "local", "endpoint"] }).notNull(),
    /** The endpoint, kept also while another mode is chosen; null: none was ever entered. */
    preset: text("preset", { enum: ["openai", "yandex"] }),
    baseUrl: text("base_url"),
    model: text("model"),
    /** Sealed by the vault (column `api_key`, row: the organisation's id and the kind); null: none. */
    apiKey: bytea("api_key"),
    /** The operator has named this address, so it may be in a private network and without TLS. */
    mayBePrivate: boolean("may_be_private").notNull().default(false),
    /** What is longer is not read, seconds; null for pictures. */
    longestSeconds: integer("longest_seconds"),
    /** How much is read in a day (Moscow time): minutes of recordings, or pictures. */
    dailyLimit: integer("daily_limit").notNull(),
    /** How long the originals are kept; null: as long as their messages. */
    keptDays: integer("kept_days"),
    /** The day that `used` counts: seconds of recordings, or pictures. */
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

/**
 * A recording or a picture, and what it says: of a contact's message, which it goes with (with the event until that is written into the
 * conversation), or uploaded as a document, whose text is what it says. A trigger writes the names of removed rows' files into `media_remains`.
 */
export const mediaFiles = pgTable(
  "media_files",
  {
    id: uuidId(),
    orgId: orgId(),
    /** One of the four: the document, the message of an imported history, or the event until it is written into the conversation and then the message. */
    eventId: bigint("event_id", { mode: "number" }).references(() => inboxEvents.id, { onDelete: "cascade" }),
    messageId: bigint("message_id", { mode: "number" }).references(() => conversationMessages.id, {
      onDelete: "cascade",
    }),
    documentId: uuid("document_id").references(() => documents.id, { onDelete: "cascade" }),
    importedMessageId: bigint("imported_message_id", { mode: "number" }).references(() => messages.id, {
      onDelete: "cascade",
    }),
    /** The import that has brought it. */
    importId: uuid("import_id").references(() => imports.id, { onDelete: "set null" }),
    /** Its place among those of the event, from 0. */
    place: smallint("place").notNull(),
    kind: text("kind", { enum: ["speech", "picture"] }).notNull(),
    /** As the transcript calls it: «Голосовое сообщение»; of a document, its file's name. */
    name: text("name").notNull(),
    /** Where the platform keeps it: `at` of `Attached` (inbox/channels/protocol/channel.ts); where it lies in an import's files (imports/attached/). */
    source: jsonb("source").$type<Record<string, unknown>>().notNull(),
    /** `waiting` to be fetched and read; `done`: it was read, however surely; `failed`: it will not be, and `note` says why. */
    state: text("state", { enum: ["waiting", "done", "failed"] })
      .notNull()
      .default("waiting"),
    /** Begun attempts, counted before the work. */
    attempts: integer("attempts").notNull().default(0),
    /** The original in the FileStore, named before it is written; null: not fetched yet, or removed because its time was over. */
    storedName: text("stored_name").unique(),
    /** When the whole original lay there. */
    storedAt: at("stored_at"),
    /** By its first bytes. */
    mime: text("mime"),
    bytes: integer("bytes").notNull().default(0),
    seconds: doublePrecision("seconds"),
    /** "" for a document, which has it itself. */
    text: text("text").notNull().default(""),
    /** 0 to 1; null: it was not read. */
    confidence: doublePrecision("confidence"),
    language: text("language"),
    /** Why it was not read, a Russian sentence. */
    note: text("note"),
    createdAt: createdAt(),
    readAt: at("read_at"),
  },
  (t) => [
    uniqueIndex("media_files_place").on(t.eventId, t.place),
    index("media_files_message").on(t.messageId),
    uniqueIndex("media_files_document").on(t.documentId),
    uniqueIndex("media_files_imported").on(t.importedMessageId, t.place),
    index("media_files_import").on(t.importId),
    index("media_files_org").on(t.orgId, t.createdAt),
    index("media_files_waiting").on(t.createdAt).where(sql`state = 'waiting'`),
    check("media_files_owner", sql`num_nonnulls(event_id, message_id, document_id, imported_message_id) = 1`),
    check("media_files_kind", sql`kind in ('speech', 'picture')`),
    check("media_files_state", sql`state in ('waiting', 'done', 'failed')`),
  ],
);

/** Names of originals whose rows are gone, until the files are (server/models/media/originals/remains.ts). */
export const mediaRemains = pgTable("media_remains", { storedName: text("stored_name").primaryKey() });

// ── Tenant: other programs that ask the twin ─────────────────────────────────────────────────────────────────────────

/** API key of a twin. It acts for its creator and stops working when they lose access to the twin. */
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
    /** The first characters of the key, so that people can tell keys apart. */
    prefix: text("prefix").notNull(),
    /** SHA-256 of the key, hex. */
    tokenHash: text("token_hash").notNull().unique(),
    scopes: text("scopes", { enum: ["ask", "drafts", "mcp"] })
      .array()
      .notNull(),
    /** Limits per day (Moscow time). */
    dailyMessages: integer("daily_messages").notNull(),
    dailyTokens: integer("daily_tokens").notNull(),
    expiresAt: at("expires_at"),
    revokedAt: at("revoked_at"),
    lastUsedAt: at("last_used_at"),
    /** Since when the calls of a minute are counted, and how many have come since. */
    minuteFrom: at("minute_from"),
    minuteCalls: integer("minute_calls").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [index("api_keys_twin").on(t.twinId, t.createdAt), index("api_keys_org").on(t.orgId)],
);

/** A key's usage per day, checked and increased before each answer. */
export const apiKeyUsage = pgTable(
  "api_key_usage",
  {
    orgId: orgId(),
    keyId: uuid("key_id")
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    /** Day in Moscow time, YYYY-MM-DD. */
    day: text("day").notNull(),
    messages: integer("messages").notNull().default(0),
    tokens: bigint("tokens", { mode: "number" }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.day] }), index("api_key_usage_org").on(t.orgId)],
);
/** A URL that is notified of a twin's events (Standard Webhooks). */
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
    /** Why the server has switched it off; null: it has not. */
    disabledReason: text("disabled_reason"),
    failingSince: at("failing_since"),
    /** `whsec_…`, sealed by the vault. The previous secret signs as well until `previousUntil`. */
    secret: bytea("secret").notNull(),
    previousSecret: bytea("previous_secret"),
    previousUntil: at("previous_until"),
    createdAt: createdAt(),
  },
  (t) => [index("webhooks_twin").on(t.twinId, t.createdAt), index("webhooks_org").on(t.orgId)],
);

/** Notifications to webhooks. The id is sent as `webhook-id` and is the same for each attempt. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuidId(),
    orgId: orgId(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** The conversation that the event is about, deleted together with it; null for a test event. */
    conversationId: uuid("conversation_id").references(() => conversations.id, { onDelete: "cascade" }),
    event: text("event").notNull(),
    /** The exact JSON text that is signed. */
    payload: text("payload").notNull(),
    state: text("state", { enum: ["pending", "delivered", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    /** HTTP status of the last response. */
    status: integer("status"),
    error: text("error"),
    /** When the attempt in flight was started; null: none is. `endAsked` as in `outbox`. */
    sendingSince: at("sending_since"),
    endAsked: boolean("end_asked").notNull().default(false),
    createdAt: createdAt(),
    deliveredAt: at("delivered_at"),
  },
  (t) => [
    index("webhook_deliveries_log").on(t.webhookId, t.createdAt),
    index("webhook_deliveries_conversation").on(t.conversationId),
    index("webhook_deliveries_org").on(t.orgId, t.createdAt),
    index("webhook_deliveries_due").on(t.nextAttemptAt).where(sql`state = 'pending'`),
  ],
);

// ── CRM ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const crmSystem = () => text("system", { enum: ["amocrm", "bitrix24"] }).notNull();

/** The CRM accounts that an organisation has signed in to, one of each system (docs/decisions/035-api-keys-site-chat-webhooks-and-crm.md). */
export const crmConnections = pgTable(
  "crm_connections",
  {
    id: uuidId(),
    orgId: orgId(),
    system: crmSystem(),
    /** «company.amocrm.ru» */
    host: text("host").notNull(),
    /** `CrmTokens` of inbox/crm/crm-system.ts as JSON, sealed by the vault. */
    tokens: bytea("tokens").notNull(),
    /** broken: the CRM refuses the access, an administrator must sign in again. */
    state: text("state", { enum: ["connected", "broken"] })
      .notNull()
      .default("connected"),
    /** Explains `broken`, in Russian. */
    reason: text("reason"),
    /** Since when a process renews the access; `tokens` stay the former ones until it has ended. */
    refreshingSince: at("refreshing_since"),
    refreshedAt: at("refreshed_at").notNull().defaultNow(),
    connectedBy: uuid("connected_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("crm_connections_account").on(t.orgId, t.system, t.host),
    index("crm_connections_by").on(t.connectedBy),
  ],
);

/** Sign-ins to a CRM that a member has begun; each is ended once, by the same member. */
export const crmSignIns = pgTable(
  "crm_sign_ins",
  {
    id: uuidId(),
    orgId: orgId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of OAuth's `state`, hex. */
    stateHash: text("state_hash").notNull().unique(),
    system: crmSystem(),
    host: text("host").notNull(),
    /** `CrmApp` of inbox/crm/crm-system.ts as JSON, sealed by the vault. */
    app: bytea("app").notNull(),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("crm_sign_ins_org").on(t.orgId, t.userId), index("crm_sign_ins_user").on(t.userId)],
);

/** The twins whose answered conversations go to a CRM. */
export const crmTwins = pgTable(
  "crm_twins",
  {
    orgId: orgId(),
    twinId: twinId().primaryKey(),
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => crmConnections.id, { onDelete: "cascade" }),
    includeTexts: boolean("include_texts").notNull(),
  },
  (t) => [index("crm_twins_org").on(t.orgId), index("crm_twins_connection").on(t.connectionId)],
);

/** A conversation's contact and deal in the CRM. Each state is committed before the call that it names is made. */
export const crmCards = pgTable(
  "crm_cards",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    connectionId: uuid("connection_id")
      .notNull()
      .references(() => crmConnections.id, { onDelete: "cascade" }),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    state: text("state", { enum: ["waiting", "making", "noting", "made", "failed"] })
      .notNull()
      .default("waiting"),
    /** The CRM's own ids. */
    contactId: text("contact_id"),
    dealId: text("deal_id"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    /** When a call was begun whose outcome is not written yet. */
    calledAt: at("called_at"),
    /** What the CRM has last refused it for, in Russian. */
    error: text("error"),
    createdAt: createdAt(),
    madeAt: at("made_at"),
  },
  (t) => [
    uniqueIndex("crm_cards_conversation").on(t.conversationId, t.connectionId),
    index("crm_cards_connection").on(t.connectionId, t.state),
    index("crm_cards_twin").on(t.twinId),
    index("crm_cards_org").on(t.orgId),
    index("crm_cards_due").on(t.nextAttemptAt).where(sql`state in ('waiting', 'making', 'noting')`),
  ],
);

// ── Plans ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Subscription plans; created by a migration, edited by the platform's administrators. */
export const subscriptionPlans = pgTable("subscription_plans", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  description: text("description").notNull(),
  /** Roubles per billing period. */
  price: integer("price").notNull(),
  billingPeriod: text("billing_period", { enum: ["month", "year"] })
    .notNull()
    .default("month"),
  isActive: boolean("is_active").notNull().default(true),
  features: text("features").array().notNull().default([]),
  /** Position in lists, ascending. */
  place: integer("place").notNull(),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

/** Tenant table. The plan of an organisation; without a row it is `starter`. */
export const subscriptions = pgTable("subscriptions", {
  orgId: uuid("org_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  planId: text("plan_id")
    .notNull()
    .references(() => subscriptionPlans.id),
  since: at("since").notNull().defaultNow(),
});

/** Tenant table. Invoices, requested by an organisation's administrator and marked as paid by a platform administrator. */
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

/**
 * The dashboard's activity feed, a row a reply. Partitioned by month, which drizzle does not say: platform/db/growth/month-partitions.ts makes and drops
 * the partitions (docs/decisions/011-data-retention.md).
 */
export const activity = pgTable(
  "activity",
  {
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    orgId: orgId(),
    twinId: uuid("twin_id").references(() => twins.id, { onDelete: "cascade" }),
    type: text("type").notNull(),
    twinName: text("twin_name").notNull(),
    description: text("description").notNull(),
    /** The conversation, whose readers alone see what was asked there; null for an entry that keeps nothing of a conversation. */
    conversationId: uuid("conversation_id").references(() => conversations.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  // The indexes by twin and conversation serve the cascades of deletions: there are as many entries as replies.
  (t) => [
    primaryKey({ name: "activity_pkey", columns: [t.id, t.createdAt] }),
    index("activity_org").on(t.orgId, t.id),
    index("activity_twin").on(t.twinId),
    index("activity_conversation").on(t.conversationId),
  ],
);

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
    /** What of the four above comes from members' test chats, which say nothing of customers (docs/decisions/037-analytics-counts.md). */
    tests: integer("tests").notNull().default(0),
    testsMeasured: integer("tests_measured").notNull().default(0),
    testsConfidenceSum: doublePrecision("tests_confidence_sum").notNull().default(0),
    testsDurationSum: bigint("tests_duration_sum", { mode: "number" }).notNull().default(0),
    /** Tokens spent on computing embeddings. */
    embeddingTokens: bigint("embedding_tokens", { mode: "number" }).notNull().default(0),
    /** Language model tokens, reserved before each call (accounts/twins/model-budget.ts). */
    modelTokens: bigint("model_tokens", { mode: "number" }).notNull().default(0),
    /** The highest warning sent to the owner, in percent of the day's limit: 0, 80 or 100. */
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
  /** Spent on `day`, in the same unit. */
  money: bigint("money", { mode: "number" }).notNull().default(0),
  /** The highest warning sent, like `daily_usage.model_told`. */
  told: smallint("told").notNull().default(0),
});

/**
 * Zip files with all data of a user or an organisation, made on request (operations/records/export). A trigger marks one as failed when data that it
 * may contain is deleted, so that deleted data does not survive in a waiting file.
 */
export const dataExports = pgTable(
  "data_exports",
  {
    id: uuidId(),
    orgId: orgId(),
    /** Who requested it; nobody else may download it. */
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    scope: text("scope", { enum: ["account", "organization"] }).notNull(),
    state: text("state", { enum: ["waiting", "running", "ready", "failed"] })
      .notNull()
      .default("waiting"),
    /** Why it failed: `ExportFailure` of contract/organizations/records.ts. */
    reason: text("reason", { enum: ["storage_full", "no_space", "broken", "outdated", "not_allowed"] }),
    /** Rows exported so far, and the total counted at the start. */
    done: bigint("done", { mode: "number" }).notNull().default(0),
    total: bigint("total", { mode: "number" }).notNull().default(0),
    /** Random name inside the data folder's `uploads`; null once the file is deleted. */
    storedName: text("stored_name").unique(),
    /** Disk space used or reserved. */
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    /** Runs of its job that never finished (platform/jobs/crash-limit.ts). */
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

/** Files in S3-compatible storage (docs/decisions/012-file-storage-and-disk-quotas.md); of files in the data folder nothing stands here. */
export const storedFiles = pgTable("stored_files", {
  /** The random name that another table calls `stored_name`; behind a `/`, the place among files that belong together. */
  name: text("name").primaryKey(),
  bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
  /** The latest one to have begun to append; no other may store anything. */
  writer: uuid("writer"),
  createdAt: createdAt(),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

/** Objects in S3-compatible storage, each written down before it is there and until it is gone. */
export const storedPieces = pgTable(
  "stored_pieces",
  {
    /** The object's key behind the prefix of STORAGE_URL. */
    key: text("key").primaryKey(),
    /** null: its file was removed. */
    name: text("name").references(() => storedFiles.name, { onDelete: "set null", onUpdate: "cascade" }),
    /** Order in the file, from 0; null: not yet, or no longer, a part of it. */
    place: integer("place"),
    bytes: integer("bytes").notNull(),
    /** Hex. */
    sha256: text("sha256").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("stored_pieces_place").on(t.name, t.place), index("stored_pieces_left").on(t.createdAt)],
);

/** Responses to POST requests with an Idempotency-Key header, kept for a day. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    orgId: orgId(),
    userId: uuid("user_id").notNull(),
    key: text("key").notNull(),
    requestHash: text("request_hash").notNull(),
    /** Drawn by the request that has acquired the key; null: by a release that drew none. */
    claim: uuid("claim"),
    /** Ids in the request's URL or body and in its response; the row is deleted together with anything that has one of these ids. */
    mentions: text("mentions").array().notNull().default([]),
    status: integer("status"),
    body: jsonb("body").$type<unknown>(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.userId, t.key] })],
);

/** Tables that the role of requests cannot access; server/accounts/auth and server/accounts/organizations use them through the base connection. */
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
  "push_devices",
  "push_keys",
  "sign_in_challenges",
  "known_devices",
  "security_notices",
  "consents",
  "audit_log",
  "alerts",
  "last_backups",
  "local_models",
  "master_keys",
  "media_remains",
  "request_logins",
  "server_processes",
  "subscription_plans",
  "stored_files",
  "stored_pieces",
] as const;
