import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { at, bytea, createdAt, serialId, uuidId } from "./columns.ts";

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
  /** Version of the legal texts that the user accepted last; `consents` holds every acceptance. */
  consentVersion: text("consent_version"),
  /** When the operator dismissed the dashboard's offer of a model; null: it is still offered. */
  modelOfferPassedAt: at("model_offer_passed_at"),
  createdAt: createdAt(),
});

export const userId = () =>
  uuid("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

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
    userId: userId(),
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
    userId: userId(),
    orgId: uuid("org_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    lastSeenAt: at("last_seen_at").notNull().defaultNow(),
    expiresAt: at("expires_at").notNull(),
    /** «Chrome, Windows», derived from the User-Agent header. Deleted with the session, like the IP address. */
    device: text("device"),
    ip: text("ip"),
    identityConfirmedAt: at("fresh_at"),
  },
  (t) => [index("sessions_user").on(t.userId)],
);

/** A user's authenticator app, which shows time-based codes (TOTP, RFC 6238). */
export const secondFactors = pgTable("second_factors", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** 20 bytes in hex, encrypted by the vault (tenant «platform», row = user). */
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
    userId: userId(),
    /** SHA-256 of the user's id and the code (80 random bits), hex. */
    codeHash: text("code_hash").notNull(),
  },
  (t) => [uniqueIndex("recovery_codes_user").on(t.userId, t.codeHash)],
);

export const passkeys = pgTable(
  "passkeys",
  {
    id: uuidId(),
    userId: userId(),
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
    /** SHA-256, hex. The challenge is valid only for the same browser cookie, the same session or the same IP network. */
    boundHash: text("bound_hash").notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    method: text("method"),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("sign_in_challenges_user").on(t.userId), index("sign_in_challenges_end").on(t.expiresAt)],
);

/** Browsers and programs that have signed in to an account, so that its owner is notified of new ones. */
export const knownDevices = pgTable(
  "known_devices",
  {
    userId: userId(),
    /** SHA-256 of the browser's persistent cookie, or of a program's name and network; hex. */
    deviceHash: text("device_hash").notNull(),
    seenAt: at("seen_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.deviceHash] })],
);

/** Changes to an account that its owner is notified of. */
export const securityNotices = pgTable(
  "security_notices",
  {
    id: uuidId(),
    userId: userId(),
    kind: text("kind").notNull(),
    detail: jsonb("detail").$type<Record<string, string>>().notNull().default({}),
    mailed: boolean("mailed").notNull(),
    seenAt: at("seen_at"),
    createdAt: createdAt(),
  },
  (t) => [index("security_notices_user").on(t.userId, t.createdAt)],
);

/** Browsers in which a user gets push messages (server/accounts/notifications). */
export const pushDevices = pgTable(
  "push_devices",
  {
    id: uuidId(),
    userId: userId(),
    /** The session that enabled push messages; null once it has expired. Signing out deletes the row as well. */
    sessionId: uuid("session_id").references(() => sessions.id, { onDelete: "set null" }),
    /** URL of the browser's push service: together with the keys it allows sending to the browser. */
    endpoint: text("endpoint").notNull().unique(),
    /** P-256 public key and shared secret of the browser (RFC 8291). */
    p256dh: bytea("p256dh").notNull(),
    auth: bytea("auth").notNull(),
    /** «Chrome, Windows»; null when the browser is unknown. */
    name: text("name"),
    /** When the browser last confirmed its subscription. */
    seenAt: at("seen_at").notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [index("push_devices_user").on(t.userId), index("push_devices_session").on(t.sessionId)],
);

/** The key pair that identifies this installation to push services: one row. */
export const pushKeys = pgTable(
  "push_keys",
  {
    id: smallint("id").primaryKey().default(1),
    /** Base64url. */
    publicKey: text("public_key").notNull(),
    /** Encrypted by the vault. */
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
    userId: userId(),
    version: text("version").notNull(),
    acceptedAt: at("accepted_at").notNull().defaultNow(),
    /** SHA-256 of the user's id and IP address, hex: enough to verify an address that a person claims to have used. */
    addressHash: text("address_hash").notNull(),
  },
  (t) => [uniqueIndex("consents_once").on(t.userId, t.version)],
);

export const oneTimeLinks = pgTable("one_time_links", {
  id: uuidId(),
  userId: userId(),
  purpose: text("purpose", { enum: ["confirm-email", "reset-password"] }).notNull(),
  tokenHash: text("token_hash").notNull().unique(),
  expiresAt: at("expires_at").notNull(),
  usedAt: at("used_at"),
  createdAt: createdAt(),
});

/**
 * Open invitations to an organisation. An account or a membership is created only when the link in the letter is followed. An invitation
 * reveals to no one who has an account, and makes no person a member against their will.
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

/** Letters that were or are about to be sent, counted for rate limits. Rows are kept for a day. */
export const lettersSent = pgTable(
  "letters_sent",
  {
    id: serialId(),
    kind: text("kind", { enum: ["confirmation", "reset", "invitation"] }).notNull(),
    /** SHA-256 of the email address, hex. */
    recipient: text("recipient").notNull(),
    /** The user who requested the letter; null once the user is deleted, while the row still counts for the recipient. */
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

export const orgId = () =>
  uuid("org_id")
    .notNull()
    .references(() => organizations.id, { onDelete: "cascade" });

/** Which notifications a member gets outside the screen, and what was reported to him (server/accounts/notifications). No row: none. */
export const notificationSettings = pgTable(
  "notification_settings",
  {
    orgId: orgId(),
    userId: uuid("user_id").notNull(),
    draftsPush: boolean("drafts_push").notNull(),
    draftsMail: boolean("drafts_mail").notNull(),
    troublePush: boolean("trouble_push").notNull(),
    troubleMail: boolean("trouble_mail").notNull(),
    /** Drafts created up to this time have been reported to the member. */
    draftsPushedTo: at("drafts_pushed_to").notNull().defaultNow(),
    draftsMailedTo: at("drafts_mailed_to").notNull().defaultNow(),
    mailedAt: at("mailed_at"),
    /** Integrations in error that have been reported to the member. */
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
  place: integer("place").notNull(),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

/** Tenant table. The plan of an organisation; an organisation without a row has the plan `starter`. */
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
