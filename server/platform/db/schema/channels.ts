/** Connected platforms and the stored state of their connections. */
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { WorkingHours } from "#contract/integrations/working-hours.ts";
import { CHANNEL_PLATFORMS } from "#contract/platforms.ts";
import { orgId, userId } from "./accounts.ts";
import { at, bytea, createdAt, serialId, uuidId } from "./columns.ts";
import { sources } from "./knowledge.ts";
import { twinId } from "./twins.ts";

export const integrationId = () =>
  uuid("integration_id")
    .notNull()
    .references(() => integrations.id, { onDelete: "cascade" });

export const integrations = pgTable(
  "integrations",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    platform: text("platform", { enum: CHANNEL_PLATFORMS }).notNull(),
    status: text("status", { enum: ["active", "inactive", "error"] })
      .notNull()
      .default("active"),
    /** Explains the status to the owner, in Russian; null when nothing is wrong. */
    statusReason: text("status_reason"),
    /** The platform's credentials as JSON, encrypted by the vault (column `credentials`). */
    credentials: bytea("credentials").notNull(),
    /** The phone number as the owner entered it; screens hide its middle digits. */
    phoneNumber: text("phone_number"),
    /** Settings that are not secret: `{ success_rate?: number }`. */
    settings: jsonb("settings").$type<Record<string, unknown>>().notNull().default({}),
    /** Actions that the twin may take without approval on this integration. */
    autonomy: text("autonomy", { enum: ["off", "draft", "confident", "auto"] })
      .notNull()
      .default("draft"),
    /** `WorkingHours` of contract/integrations/working-hours.ts; null: the twin answers at any time. */
    workingHours: jsonb("working_hours").$type<WorkingHours>(),
    /** Number of consecutive send failures. */
    sendFailures: integer("send_failures").notNull().default(0),
    /** Until when these failures pause sending (inbox/outbox/circuit-breaker.ts). */
    sendPausedUntil: at("send_paused_until"),
    checkedAt: at("checked_at"),
    /** The source of messages that were imported through the integration; null before the first import. */
    sourceId: uuid("source_id").references(() => sources.id, { onDelete: "set null" }),
    messagesImported: integer("messages_imported").notNull().default(0),
    messagesHandled: integer("messages_handled").notNull().default(0),
    lastSyncAt: at("last_sync_at"),
    /** The account's name on the platform, «@bot»; null until the platform was reached. */
    account: text("account"),
    /** The account's id on the platform, such as WhatsApp's phone_number_id. */
    accountId: text("account_id"),
    /** Position from which receiving resumes; its shape depends on the platform. */
    cursor: jsonb("cursor").$type<Record<string, unknown>>().notNull().default({}),
    /** Failed attempts to store each delivery, keyed by its hash (inbox/incoming/poison-guard.ts). */
    failedDeliveries: jsonb("failed_deliveries").$type<Record<string, number>>().notNull().default({}),
    /** Only the process that holds the lease receives for the integration. */
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    /** Opaque last segment of the webhook URL that the platform calls; null until one is registered. */
    webhookPath: text("webhook_path").unique(),
    /** Secret that authenticates the platform's webhook calls, encrypted by the vault (column `webhook_secret`). */
    webhookSecret: bytea("webhook_secret"),
    lastEventAt: at("last_event_at"),
    /** Why an active integration is currently disconnected; it reconnects automatically. */
    trouble: text("trouble"),
    /** What a working integration cannot do in its present setup. */
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

/** State that a channel's client keeps between connections, such as session keys and access hashes. */
export const channelState = pgTable(
  "channel_state",
  {
    orgId: orgId(),
    integrationId: integrationId(),
    key: text("key").notNull(),
    /** Encrypted by the vault (row `<integration>:<key>`, column `value`). */
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
    userId: userId(),
    /**
     * Entered values and the unfinished session (`LoginState` of inbox/integrations/telegram-login.ts), encrypted; null once the login is
     * over.
     */
    state: bytea("state"),
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

/** Incoming messages that could not be parsed. The owner can retry or dismiss each. */
export const setAsideEvents = pgTable(
  "set_aside_events",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** The platform's name of the message: an e-mail's folder and number, or an update's id. */
    name: text("name").notNull(),
    /** Kind and sender of the message, as far as known, in Russian: «Письмо от anna@example.ru «Заказ»». */
    title: text("title").notNull(),
    /** Why parsing failed, in Russian. */
    reason: text("reason").notNull(),
    /** The raw message, stored when the platform will not deliver it again. */
    raw: jsonb("raw").$type<unknown>(),
    /** `again`: the owner has requested a retry, which the receiver will make. */
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

/** Telegram Business accounts that have connected their chats to a bot. Their messages are stored only after the owner has accepted. */
export const businessConnections = pgTable(
  "business_connections",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    externalId: text("external_id").notNull(),
    name: text("name").notNull(),
    canReply: boolean("can_reply").notNull(),
    enabled: boolean("enabled").notNull(),
    /** Number of the update that last changed the row, so that an older update is ignored. */
    order: bigint("order", { mode: "number" }).notNull(),
    acceptedAt: at("accepted_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("business_connections_once").on(t.integrationId, t.externalId),
    index("business_connections_org").on(t.orgId),
  ],
);

/**
 * A member's own chat with an integration's bot, where he approves drafts. Until `chatId` is known, the row is a link that waits to be
 * opened.
 */
export const ownerChats = pgTable(
  "owner_chats",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    userId: userId(),
    /** SHA-256 of the link's code, hex; the code works once. */
    codeHash: text("code_hash"),
    codeExpiresAt: at("code_expires_at"),
    /** The chat's id on the platform. */
    chatId: text("chat_id"),
    name: text("name"),
    linkedAt: at("linked_at"),
    /** The platform has demanded that no message be sent before this time. */
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
