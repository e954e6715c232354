/** Tables of the installation itself, and the list of all tables that the role of requests cannot access. */
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { orgId } from "./accounts.ts";
import { at, createdAt } from "./columns.ts";

/** Version numbers of the master keys (operations/records/master-key). The keys themselves are never stored. */
export const masterKeys = pgTable("master_keys", {
  version: integer("version").primaryKey(),
  /** The first half of the HMAC-SHA256 of a fixed text under the key, hex. */
  fingerprint: text("fingerprint").notNull().unique(),
  createdAt: createdAt(),
});

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
