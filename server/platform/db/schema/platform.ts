/** Tables of the installation itself, and the list of all tables that the role of requests cannot access. */
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { orgId } from "./accounts.ts";
import { at, createdAt } from "./columns.ts";

/** Version numbers of the master keys (operations/master-key). The keys themselves are never stored. */
export const masterKeys = pgTable("master_keys", {
  version: integer("version").primaryKey(),
  /** The first half of the HMAC-SHA256 of a fixed text under the key, hex. */
  fingerprint: text("fingerprint").notNull().unique(),
  createdAt: createdAt(),
});

/**
 * The password of the requests' login role (server/platform/db/request-role.ts), encrypted with each master key that a server may have. It
 * does not change together with the master key.
 */
export const requestLogins = pgTable(
  "request_logins",
  {
    login: text("login").notNull(),
    /** Distinguishes keys without revealing them, hex. */
    fingerprint: text("fingerprint").notNull(),
    /** The encrypted password in base64. */
    sealed: text("sealed").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.login, t.fingerprint] })],
);

/** Files in S3-compatible storage (docs/decisions/012-file-storage-and-disk-quotas.md); files in the data folder have no rows. */
export const storedFiles = pgTable("stored_files", {
  /** The random name that other tables call `stored_name`; after a `/`, the name within a group of files. */
  name: text("name").primaryKey(),
  bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
  /** The latest writer that began to append; all others may store nothing more. */
  writer: uuid("writer"),
  createdAt: createdAt(),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

/** Objects in S3-compatible storage; each has a row from before its upload until after its deletion. */
export const storedPieces = pgTable(
  "stored_pieces",
  {
    /** The object's key after the prefix of STORAGE_URL. */
    key: text("key").primaryKey(),
    /** null: its file was removed. */
    name: text("name").references(() => storedFiles.name, { onDelete: "set null", onUpdate: "cascade" }),
    /** Position in the file, from 0; null: not yet, or no longer, part of it. */
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
    /** Random id of the request that has acquired the key; null: written by a release without claims. */
    claim: uuid("claim"),
    /** Ids in the request's URL or body and in its response; the row is deleted together with anything that has one of these ids. */
    mentions: text("mentions").array().notNull().default([]),
    status: integer("status"),
    body: jsonb("body").$type<unknown>(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.userId, t.key] })],
);

/**
 * Tables that the role of requests cannot access; server/accounts/auth and server/accounts/organizations use them through the base
 * connection.
 */
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
  "model_exams",
  "request_logins",
  "server_processes",
  "subscription_plans",
  "stored_files",
  "stored_pieces",
] as const;
