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
 * A recording or a picture with its recognised text. It belongs to a contact's message (to the event until the message is written) or is a
 * document of its own. A trigger records the file names of deleted rows in `media_remains`.
 */
export const mediaFiles = pgTable(
  "media_files",
  {
    id: uuidId(),
    orgId: orgId(),
    /**
     * Exactly one owner is set: the document, the message of an imported history, the conversation's message, or the event until that is
     * written.
     */
    eventId: bigint("event_id", { mode: "number" }).references(() => inboxEvents.id, { onDelete: "cascade" }),
    messageId: bigint("message_id", { mode: "number" }).references(() => conversationMessages.id, {
      onDelete: "cascade",
    }),
    documentId: uuid("document_id").references(() => documents.id, { onDelete: "cascade" }),
    importedMessageId: bigint("imported_message_id", { mode: "number" }).references(() => messages.id, {
      onDelete: "cascade",
    }),
    importId: uuid("import_id").references(() => imports.id, { onDelete: "set null" }),
    /** Position among the event's media, from 0. */
    place: smallint("place").notNull(),
    kind: text("kind", { enum: ["speech", "picture"] }).notNull(),
    /** Name in the transcript, such as «Голосовое сообщение»; for a document, its file name. */
    name: text("name").notNull(),
    /** Location on the platform (`at` of `PlatformMedia`, inbox/channel-protocol/channel.ts) or in the import's files (imports/attached/). */
    source: jsonb("source").$type<Record<string, unknown>>().notNull(),
    /**
     * `waiting`: to be fetched and recognised; `done`: recognised, with any confidence; `failed`: permanently, for the reason in `note`.
     */
    state: text("state", { enum: ["waiting", "done", "failed"] })
      .notNull()
      .default("waiting"),
    /** Number of started attempts, counted before the work. */
    attempts: integer("attempts").notNull().default(0),
    /** Name of the original in the FileStore, set before the file is written; null: not fetched yet, or expired. */
    storedName: text("stored_name").unique(),
    storedAt: at("stored_at"),
    /** MIME type, determined from the first bytes. */
    mime: text("mime"),
    bytes: integer("bytes").notNull().default(0),
    seconds: doublePrecision("seconds"),
    /** Recognised text; "" for a document, whose own row has it. */
    text: text("text").notNull().default(""),
    /** From 0 to 1; null: not recognised. */
    confidence: doublePrecision("confidence"),
    language: text("language"),
    /** Why recognition failed, in Russian. */
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

/** Files of deleted originals, until they are removed (server/models/media/remains.ts). */
export const mediaRemains = pgTable("media_remains", { storedName: text("stored_name").primaryKey() });
