/** Other programs: API keys, webhooks, widgets on sites and CRM. */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { orgId, userId, users } from "./accounts.ts";
import { integrationId } from "./channels.ts";
import { at, bytea, createdAt, uuidId } from "./columns.ts";
import { conversationId, conversations } from "./conversations.ts";
import { twinId } from "./twins.ts";

/** A twin's chat widget on its owner's sites; its integration (platform `web`) determines whether and how the twin answers. */
export const widgets = pgTable(
  "widgets",
  {
    /** Public: the embedding site's HTML contains it. */
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
    /** Limit of visitors' messages per day (Moscow time). */
    dailyMessages: integer("daily_messages").notNull(),
    /** The day that `usageMessages` counts, YYYY-MM-DD in Moscow time. */
    usageDay: text("usage_day").notNull().default(""),
    /** Number of visitors' messages on that day. */
    usageMessages: integer("usage_messages").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("widgets_org").on(t.orgId)],
);

/**
 * Number of messages per IP address, widget and day, so that no address exhausts the limit of all visitors (inbox/widget/count-message.ts).
 */
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
    /** Hour of the latest message, in hours since 1970. */
    hour: integer("hour").notNull(),
    /** Number of messages in that hour. */
    hourMessages: integer("hour_messages").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.widgetId, t.addressHash] }),
    index("widget_addresses_org").on(t.orgId),
    index("widget_addresses_day").on(t.day),
  ],
);

/** API key of a twin. It acts on behalf of its creator and stops working when the creator loses access to the twin. */
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
    /** The first characters of the key, by which people distinguish keys. */
    prefix: text("prefix").notNull(),
    /** SHA-256 of the key, hex. */
    tokenHash: text("token_hash").notNull().unique(),
    scopes: text("scopes", { enum: ["ask", "drafts", "mcp"] })
      .array()
      .notNull(),
    /** Limit of calls per day (Moscow time). */
    dailyMessages: integer("daily_messages").notNull(),
    /** Limit of tokens per day (Moscow time). */
    dailyTokens: integer("daily_tokens").notNull(),
    expiresAt: at("expires_at"),
    revokedAt: at("revoked_at"),
    lastUsedAt: at("last_used_at"),
    /** Start of the minute that `minuteCalls` counts. */
    minuteFrom: at("minute_from"),
    /** Number of calls in that minute. */
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
    /** Why the server has switched the webhook off; null: it has not. */
    disabledReason: text("disabled_reason"),
    failingSince: at("failing_since"),
    /** `whsec_…`, encrypted by the vault. The previous secret also signs until `previousUntil`. */
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
    /** The conversation that the event is about; the row is deleted with it. null for a test event. */
    conversationId: uuid("conversation_id").references(() => conversations.id, { onDelete: "cascade" }),
    event: text("event").notNull(),
    /** The exact JSON text that is signed. */
    payload: text("payload").notNull(),
    state: text("state", { enum: ["pending", "delivered", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    status: integer("status"),
    error: text("error"),
    /** When the attempt in progress was started; null: there is none. `endAsked` as in `outbox`. */
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

const crmSystem = () => text("system", { enum: ["amocrm", "bitrix24"] }).notNull();

/** CRM accounts that an organisation has signed in to, one per system (docs/decisions/035-api-keys-site-chat-webhooks-and-crm.md). */
export const crmConnections = pgTable(
  "crm_connections",
  {
    id: uuidId(),
    orgId: orgId(),
    system: crmSystem(),
    /** «company.amocrm.ru» */
    host: text("host").notNull(),
    /** `CrmTokens` of inbox/crm/crm-system.ts as JSON, encrypted by the vault. */
    tokens: bytea("tokens").notNull(),
    /** `broken`: the CRM refuses access, and an administrator must sign in again. */
    state: text("state", { enum: ["connected", "broken"] })
      .notNull()
      .default("connected"),
    /** Explains `broken`, in Russian. */
    reason: text("reason"),
    /** Since when a process has been refreshing the tokens; `tokens` holds the former ones until it has finished. */
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

/** Unfinished sign-ins to a CRM; each can be completed once, only by the member who began it. */
export const crmSignIns = pgTable(
  "crm_sign_ins",
  {
    id: uuidId(),
    orgId: orgId(),
    userId: userId(),
    /** SHA-256 of OAuth's `state`, hex. */
    stateHash: text("state_hash").notNull().unique(),
    system: crmSystem(),
    host: text("host").notNull(),
    /** `CrmApp` of inbox/crm/crm-system.ts as JSON, encrypted by the vault. */
    app: bytea("app").notNull(),
    expiresAt: at("expires_at").notNull(),
  },
  (t) => [index("crm_sign_ins_org").on(t.orgId, t.userId), index("crm_sign_ins_user").on(t.userId)],
);

/** Twins whose answered conversations are exported to a CRM. */
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
    conversationId: conversationId(),
    state: text("state", { enum: ["waiting", "making", "noting", "made", "failed"] })
      .notNull()
      .default("waiting"),
    /** The contact's id in the CRM. */
    contactId: text("contact_id"),
    /** The deal's id in the CRM. */
    dealId: text("deal_id"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    /** When the call was started whose outcome is not stored yet. */
    calledAt: at("called_at"),
    /** Why the CRM last refused the card, in Russian. */
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
