/** Original files of messages, documents and imports. */
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { orgId } from "./accounts.ts";
import { at, createdAt, uuidId } from "./columns.ts";
import { conversationMessages, inboxEvents } from "./conversations.ts";
import { imports } from "./imports.ts";
import { documents, messages } from "./knowledge.ts";

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
