import { type AnyPgColumn, bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { orgId } from "./accounts.ts";
import { integrations } from "./channels.ts";
import { at, createdAt, uuidId } from "./columns.ts";
import { twinId } from "./twins.ts";

/** A resumable upload of an export file. The length of the stored file is the number of received bytes. */
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
    /** Random name of the file, or of the folder with several files, inside the data folder's `uploads`; null once deleted. */
    storedName: text("stored_name"),
    /** The account that is imported; null for a file. */
    integrationId: uuid("integration_id").references((): AnyPgColumn => integrations.id, { onDelete: "cascade" }),
    /** For an account: what to import and where to resume (`AccountPosition` of imports/account/account-import.ts). */
    position: jsonb("position").$type<unknown>(),
    /** The platform has demanded that it not be called before this time. */
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
    /** Whether recordings and pictures of the chosen chats are extracted from the archive and recognised. */
    withAttached: boolean("with_attached").notNull().default(false),
    total: integer("total").notNull().default(0),
    /** Number of messages processed so far; a resumed job continues after them. */
    processed: integer("processed").notNull().default(0),
    imported: integer("imported").notNull().default(0),
    duplicates: integer("duplicates").notNull().default(0),
    error: text("error"),
    /** Number of interrupted job runs since the last progress (platform/jobs/crash-limit.ts). */
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
