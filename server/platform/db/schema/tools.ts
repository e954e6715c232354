/** Tools that call the owner's systems, their tables, and the ledger of acts (docs/decisions/048-tools-and-acts.md). */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { OfferedAction } from "#contract/actions/tool-connections.ts";
import type { SettingsInput } from "#contract/actions/tool-settings.ts";
import type { ToolInput } from "#contract/actions/tools.ts";
import { orgId } from "./accounts.ts";
import { at, bytea, createdAt, uuidId } from "./columns.ts";
import { conversations } from "./conversations.ts";
import { contacts } from "./knowledge.ts";
import { twinId } from "./twins.ts";

type Entered<Kind extends SettingsInput["kind"]> = Extract<SettingsInput, { kind: Kind }>;

/** The settings of each kind as they are stored: without secrets, which `headers`, `proxy` or a connection seals. */
export interface SettingsOfKind {
  http: Omit<Entered<"http">, "headers" | "proxy"> & { headers: { name: string; missing?: true | undefined }[] };
  table: Entered<"table">;
  /** `host` and `calendar`: of the connection, which never changes. */
  calendar: Entered<"calendar"> & { host: string; calendar: string };
  question: Entered<"question">;
  crm: Entered<"crm"> & { system: string; host: string };
  /** `host`: of the connection, which never changes. `sent`: how values are sent that are no texts. `seen`: `mark` of the offer that the owner has seen. */
  mcp: Entered<"mcp"> & { host: string; sent: Record<string, "number" | "boolean">; seen: string };
}
export type ToolKindName = keyof SettingsOfKind;
export type StoredSettings = SettingsOfKind[ToolKindName];

/** What a connection's system offers, bounded, as it said it last. */
export interface ConnectionListing {
  /** Name and version by which the system introduces itself. */
  server: string;
  offers: StoredOffer[];
}

/** `mark`: SHA-256 of all that the system says of it, hex. `sent`: as in the settings of a tool. */
export interface StoredOffer extends Omit<OfferedAction, "yesOrNo"> {
  mark: string;
  sent: Record<string, "number" | "boolean">;
}

/** How a connection signs in, without secrets. */
export interface ConnectionAuth {
  kind: "none" | "header" | "oauth";
  /** A sign-in that its member may complete, once. */
  signIn?: { stateHash: string; userId: string; expiresAt: string };
}

/** A twin's account at another system, which several of its tools share. */
export const toolConnections = pgTable(
  "tool_connections",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    kind: text("kind", { enum: ["mcp", "caldav"] }).notNull(),
    title: text("title").notNull(),
    /** Never changes: another address is another connection, so that no secret goes to it. */
    url: text("url").notNull(),
    auth: jsonb("auth").$type<ConnectionAuth>().notNull(),
    /** Keys, passwords and tokens as JSON, encrypted by the vault; null: there are none. */
    secrets: bytea("secrets"),
    /** What requests to `url` go through: `ProxySettings` as JSON, encrypted by the vault; null: they go directly. */
    proxy: bytea("proxy"),
    /** null: it was not read yet. */
    listing: jsonb("listing").$type<ConnectionListing>(),
    /** When the listing was read last. */
    checkedAt: at("checked_at"),
    /** Why the system could not be asked last, in Russian; null: it could. */
    failure: text("failure"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("tool_connections_twin").on(t.twinId, t.createdAt), index("tool_connections_org").on(t.orgId)],
);

export const tools = pgTable(
  "tools",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    title: text("title").notNull(),
    description: text("description").notNull(),
    enabled: boolean("enabled").notNull(),
    degree: text("degree", { enum: ["itself", "asks", "never"] }).notNull(),
    changes: boolean("changes").notNull(),
    settings: jsonb("settings").$type<StoredSettings>().notNull(),
    /** The account through which it is called; without it there is no tool. */
    connectionId: uuid("connection_id").references(() => toolConnections.id, { onDelete: "cascade" }),
    /** Why code has switched it off, in Russian; null: it has not. */
    offReason: text("off_reason"),
    /** Values of the headers by name, as JSON, encrypted by the vault; null: no headers. */
    headers: bytea("headers"),
    /** Of a call over HTTP, as in `tool_connections`. */
    proxy: bytea("proxy"),
    proof: jsonb("proof").$type<ToolInput["proof"]>().notNull(),
    examples: text("examples").array().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("tools_twin").on(t.twinId, t.createdAt),
    index("tools_org").on(t.orgId),
    index("tools_connection").on(t.connectionId),
  ],
);

export type ToolRow = typeof tools.$inferSelect;

/** A table as it was read last. One without a tool is deleted after a day. */
export const toolTables = pgTable(
  "tool_tables",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    toolId: uuid("tool_id").references(() => tools.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Where it is read again; null: it was uploaded. */
    url: text("url"),
    /** As in `tool_connections`. */
    proxy: bytea("proxy"),
    columns: text("columns").array().notNull(),
    /** JSON text: a list of rows, each a list of cells in the order of `columns`. */
    rows: text("rows").notNull(),
    rowCount: integer("row_count").notNull(),
    /** SHA-256 of the columns and rows, hex: what is remembered of a row in memory is valid for it alone. */
    contentHash: text("content_hash").notNull(),
    readAt: at("read_at").notNull().defaultNow(),
    /** Why the address could not be read last, in Russian. */
    failure: text("failure"),
    createdAt: createdAt(),
  },
  (t) => [
    index("tool_tables_tool").on(t.toolId),
    index("tool_tables_twin").on(t.twinId),
    index("tool_tables_org").on(t.orgId),
    index("tool_tables_unused").on(t.createdAt).where(sql`tool_id is null`),
  ],
);

export interface ActArgument {
  name: string;
  label: string;
  value: string;
}

/** One row for each call that a twin has proposed or made. `calling` is committed before the request (docs/decisions/048-tools-and-acts.md). */
export const acts = pgTable(
  "acts",
  {
    /** Sent as `Idempotency-Key`. */
    id: uuidId(),
    number: bigint("number", { mode: "number" }).generatedAlwaysAsIdentity(),
    orgId: orgId(),
    twinId: twinId(),
    toolId: uuid("tool_id").references(() => tools.id, { onDelete: "set null" }),
    conversationId: uuid("conversation_id").references(() => conversations.id, { onDelete: "cascade" }),
    /** Who asks; null in a test chat. */
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    changes: boolean("changes").notNull(),
    state: text("state", {
      enum: ["proposed", "waiting-customer", "waiting-owner", "calling", "done", "refused", "failed", "unknown"],
    }).notNull(),
    arguments: jsonb("arguments").$type<ActArgument[]>().notNull(),
    /** «POST api.example.ru/bookings»; null for a table. */
    target: text("target"),
    /** What the customer was asked to confirm, exactly as it was sent. */
    question: text("question"),
    /** What the owner is asked, who answers himself; null: a system is called. */
    ownerQuestion: text("owner_question"),
    result: jsonb("result").$type<{ label: string; value: string }[]>().notNull().default([]),
    /** Which rule refused it; `proof` and `limit` count as attempts of the asker. */
    refusal: text("refusal", { enum: ["proof", "limit", "customer", "owner", "expired", "changed"] }),
    /** In Russian. */
    reason: text("reason"),
    dry: boolean("dry").notNull().default(false),
    createdAt: createdAt(),
    /** Since when it waits, or has waited, for the owner: he is notified of it by this time. */
    waitsSince: at("waits_since"),
    calledAt: at("called_at"),
    decidedBy: uuid("decided_by"),
    endedAt: at("ended_at"),
  },
  (t) => [
    index("acts_org").on(t.orgId, t.number),
    index("acts_twin").on(t.twinId, t.number),
    index("acts_tool").on(t.toolId, t.createdAt),
    index("acts_conversation").on(t.conversationId, t.number),
    index("acts_contact").on(t.contactId),
    index("acts_open").on(t.state).where(sql`state in ('proposed', 'waiting-customer', 'waiting-owner', 'calling')`),
  ],
);
