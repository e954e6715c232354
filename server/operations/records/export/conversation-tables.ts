/** Exported tables of the twins' conversations and their connections with platforms and programs. No column contains a secret. */
import { and, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import {
  businessConnections,
  integrationEvents,
  integrations,
  ownerChats,
  setAsideEvents,
} from "#server/platform/db/schema/channels.ts";
import {
  conversationLabels,
  conversationMessages,
  conversationNotes,
  conversations,
  labels,
  outbox,
  replyFeedback,
  savedReplies,
} from "#server/platform/db/schema/conversations.ts";
import { documents, messages } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import {
  apiKeys,
  apiKeyUsage,
  crmCards,
  crmConnections,
  crmTwins,
  webhookDeliveries,
  webhooks,
  widgets,
} from "#server/platform/db/schema/programs.ts";
import { sharedText } from "#server/platform/db/schema/secrecy.ts";
import { acts, toolConnections, tools, toolTables } from "#server/platform/db/schema/tools.ts";
import { dailyUsage } from "#server/platform/db/schema/twins.ts";
import {
  byConversation,
  byIntegration,
  byTwin,
  byTwinAndConversation,
  byUser,
  either,
  ofOrganization,
  type ScopeConditions,
  visibleConversations,
} from "./scope.ts";
import { type ExportedTable, exported } from "./table.ts";

const COUNTED = "счётчик работы программы";
const SECRET = "секрет";
const PLACE = "адрес внутри платформы";

const feedback: ScopeConditions = {
  account: (whose) =>
    or(
      eq(replyFeedback.userId, whose.userId),
      and(byTwin(replyFeedback.twinId).account!(whose), ofSharedConversation()),
    ),
  organization: () => ofSharedConversation(),
};
/** Feedback on a test chat belongs to the member who gave it, so the organisation's export leaves it out. */
function ofSharedConversation() {
  return or(
    isNotNull(replyFeedback.outboxId),
    sql`${replyFeedback.messageId} in (select ${conversationMessages.id} from ${conversationMessages}
      join ${conversations} on ${conversations.id} = ${conversationMessages.conversationId}
      where ${conversations.userId} is null)`,
  );
}

const messagesRules = byConversation(conversationMessages.conversationId);
const ofMessages = (rule: SQL | undefined) =>
  sql`${mediaFiles.messageId} in (select ${conversationMessages.id} from ${conversationMessages} where ${rule})`;
const documentsRules = byTwin(documents.twinId);
const ofDocuments = (rule: SQL | undefined) =>
  sql`${mediaFiles.documentId} in (select ${documents.id} from ${documents} where ${rule})`;
const ofImported = (rule: SQL | undefined) =>
  sql`${mediaFiles.importedMessageId} in (select ${messages.id} from ${messages} where ${rule})`;
/** Media are exported with the messages and documents to which they belong. */
export const mediaRules: ScopeConditions = {
  account: (whose) =>
    or(
      ofMessages(messagesRules.account!(whose)),
      ofDocuments(documentsRules.account!(whose)),
      // An imported history is its owner's alone.
      ofImported(byTwin(messages.twinId).account!(whose)),
    ),
  organization: (whose) =>
    or(ofMessages(messagesRules.organization!(whose)), ofDocuments(documentsRules.organization!(whose))),
};

const keys: ScopeConditions = { ...byUser(apiKeys.createdBy), ...ofOrganization() };
const hooks = byTwin(webhooks.twinId);

export const CONVERSATION_TABLES: ExportedTable[] = [
  exported(conversations, {
    name: "conversations",
    about: "диалоги двойников с собеседниками и ваши тестовые чаты",
    rules: visibleConversations,
    columns: [
      ...(["id", "twinId", "platform", "contactId", "userId", "participantName", "status", "messageCount"] as const),
      ...(["lastMessage", "asked", "integrationId", "externalId", "autonomy", "pausedUntil", "optedOutAt"] as const),
      ...(["disclosedAt", "lastInboundAt", "unread", "assigneeId", "snoozedUntil", "createdAt", "updatedAt"] as const),
    ],
    without: { awayToldAt: COUNTED, replyContext: PLACE, askedUntil: COUNTED },
  }),
  exported(conversationMessages, {
    name: "conversation_messages",
    about: "сообщения этих диалогов",
    rules: byConversation(conversationMessages.conversationId),
    columns: ["id", "conversationId", "role", "author", "content", "secrecy", "citations", "durationMs", "createdAt"],
    shared: { content: sharedText(conversationMessages.content, conversationMessages.secrecy) },
    // Citations may quote what the owner wrote to others.
    own: ["citations"],
    long: ["content"],
  }),
  exported(mediaFiles, {
    name: "media",
    about:
      "записи и картинки собеседников, документов и загруженной переписки и что в них распознано; сами файлы — в папке «Вложения»",
    rules: mediaRules,
    columns: [
      ...([
        "id",
        "messageId",
        "documentId",
        "importedMessageId",
        "place",
        "kind",
        "name",
        "state",
        "mime",
        "bytes",
        "seconds",
        "text",
      ] as const),
      ...(["confidence", "language", "note", "createdAt", "readAt"] as const),
    ],
    without: {
      eventId: COUNTED,
      importId: COUNTED,
      source: PLACE,
      attempts: COUNTED,
      storedName: "имя файла на сервере",
      storedAt: COUNTED,
    },
    long: ["text"],
  }),
  exported(conversationNotes, {
    name: "conversation_notes",
    about: "заметки к диалогам",
    rules: either(byConversation(conversationNotes.conversationId), byUser(conversationNotes.authorId)),
    columns: ["id", "conversationId", "authorId", "text", "createdAt", "editedAt"],
  }),
  exported(labels, {
    name: "labels",
    about: "метки, которыми организация помечает диалоги",
    rules: either({ account: () => sql`true` }, ofOrganization()),
    columns: ["id", "name", "createdAt"],
  }),
  exported(conversationLabels, {
    name: "conversation_labels",
    about: "какими метками помечены диалоги",
    rules: byConversation(conversationLabels.conversationId),
    columns: ["conversationId", "labelId", "createdAt"],
    key: ["conversationId", "labelId"],
  }),
  exported(savedReplies, {
    name: "saved_replies",
    about: "заготовки ответов организации",
    rules: ofOrganization(),
    columns: ["id", "title", "text", "createdAt", "updatedAt"],
    long: ["text"],
  }),
  exported(replyFeedback, {
    name: "reply_feedback",
    about: "оценки ответов",
    rules: feedback,
    columns: [
      ...(["id", "twinId", "messageId", "outboxId", "userId", "rating", "comment", "correction", "settledAt"] as const),
      ...(["secrecy", "createdAt"] as const),
    ],
    shared: {
      comment: sharedText(replyFeedback.comment, replyFeedback.secrecy),
      correction: sharedText(replyFeedback.correction, replyFeedback.secrecy),
    },
  }),
  exported(outbox, {
    name: "outbox",
    about: "черновики и отправленные ответы",
    rules: byConversation(outbox.conversationId),
    columns: [
      ...(["id", "integrationId", "conversationId", "author", "question", "text", "original", "secrecy"] as const),
      ...(["state", "reason", "confidence", "citations", "durationMs", "decidedBy", "teaches"] as const),
      ...(["teachesScope", "createdAt", "sentAt"] as const),
    ],
    own: ["citations"],
    shared: {
      text: sharedText(outbox.text, outbox.secrecy),
      original: sharedText(outbox.original, outbox.secrecy),
    },
    without: {
      ...{ attempts: COUNTED, nextAttemptAt: COUNTED, endAsked: COUNTED, toUnproven: COUNTED, disclosing: COUNTED },
      externalIds: PLACE,
    },
    long: ["question", "text", "original"],
  }),
  exported(integrations, {
    name: "integrations",
    about: "подключённые платформы, без ключей и паролей к ним",
    rules: byTwin(integrations.twinId),
    columns: [
      ...(["id", "twinId", "platform", "status", "statusReason", "phoneNumber", "settings", "autonomy"] as const),
      ...(["workingHours", "sourceId", "messagesImported", "messagesHandled", "lastSyncAt", "account"] as const),
      ...(["accountId", "lastEventAt", "limitation", "createdAt", "updatedAt"] as const),
    ],
    own: ["phoneNumber"],
    without: {
      credentials: SECRET,
      webhookPath: SECRET,
      webhookSecret: SECRET,
      cursor: PLACE,
      sendFailures: COUNTED,
      failedDeliveries: COUNTED,
      sendPausedUntil: COUNTED,
      checkedAt: COUNTED,
      leaseOwner: COUNTED,
      leaseUntil: COUNTED,
      trouble: COUNTED,
    },
  }),
  exported(integrationEvents, {
    name: "integration_events",
    about: "что происходило с подключениями",
    rules: byIntegration(integrationEvents.integrationId),
    columns: ["id", "integrationId", "text", "createdAt"],
  }),
  exported(setAsideEvents, {
    name: "set_aside_events",
    about: "сообщения, которые не удалось прочитать",
    rules: byIntegration(setAsideEvents.integrationId),
    columns: ["id", "integrationId", "name", "title", "reason", "raw", "state", "createdAt"],
    own: ["raw"],
  }),
  exported(businessConnections, {
    name: "business_connections",
    about: "аккаунты Telegram Business, которые доверили боту чаты",
    rules: byIntegration(businessConnections.integrationId),
    columns: ["id", "integrationId", "name", "canReply", "enabled", "acceptedAt", "createdAt"],
    without: { externalId: PLACE, order: COUNTED },
  }),
  exported(ownerChats, {
    name: "owner_chats",
    about: "ваши личные чаты с ботами, где вы решаете о черновиках",
    rules: byUser(ownerChats.userId),
    columns: ["id", "integrationId", "name", "linkedAt", "createdAt"],
    without: { userId: "это вы", codeHash: SECRET, codeExpiresAt: COUNTED, chatId: PLACE, waitUntil: COUNTED },
  }),
  exported(widgets, {
    name: "widgets",
    about: "чаты для сайтов",
    rules: byTwin(widgets.twinId),
    columns: [
      ...(["id", "twinId", "integrationId", "allowedSites", "title", "greeting", "color", "dailyMessages"] as const),
      ...(["createdAt", "updatedAt"] as const),
    ],
    without: { usageDay: COUNTED, usageMessages: COUNTED },
  }),
  exported(apiKeys, {
    name: "api_keys",
    about: "ключи для программ: названия и права, без самих ключей",
    rules: keys,
    columns: [
      ...(["id", "twinId", "createdBy", "name", "scopes", "dailyMessages", "dailyTokens", "expiresAt"] as const),
      ...(["revokedAt", "lastUsedAt", "createdAt"] as const),
    ],
    without: { prefix: SECRET, tokenHash: SECRET, minuteFrom: COUNTED, minuteCalls: COUNTED },
  }),
  exported(apiKeyUsage, {
    name: "api_key_usage",
    about: "сколько ключами пользовались по дням",
    rules: {
      account: (whose) =>
        sql`${apiKeyUsage.keyId} in (select ${apiKeys.id} from ${apiKeys} where ${keys.account!(whose)})`,
      ...ofOrganization(),
    },
    columns: ["keyId", "day", "messages", "tokens"],
    key: ["keyId", "day"],
  }),
  exported(webhooks, {
    name: "webhooks",
    about: "вебхуки: сервер, события, состояние; путь адреса часто бывает секретом и не выгружается",
    rules: hooks,
    columns: ["id", "twinId", "events", "includeTexts", "enabled", "disabledReason", "failingSince", "createdAt"],
    instead: { host: sql`split_part(${webhooks.url}, '/', 3)` },
    without: { url: SECRET, secret: SECRET, previousSecret: SECRET, previousUntil: COUNTED },
  }),
  exported(tools, {
    name: "tools",
    about:
      "действия двойников: системы, поля и правила, без ключей; путь адреса часто бывает секретом и не выгружается",
    rules: byTwin(tools.twinId),
    columns: [
      ...(["id", "twinId", "title", "description", "enabled", "degree", "changes", "proof", "examples"] as const),
      ...(["connectionId", "offReason", "createdAt", "updatedAt"] as const),
    ],
    instead: {
      host: sql`coalesce(${tools.settings} ->> 'host', split_part(${tools.settings} ->> 'url', '/', 3))`,
      fields: sql`${tools.settings} -> 'fields'`,
      keyColumn: sql`${tools.settings} ->> 'keyColumn'`,
      shown: sql`${tools.settings} -> 'shown'`,
    },
    without: { settings: SECRET, headers: SECRET, proxy: SECRET },
  }),
  exported(toolConnections, {
    name: "tool_connections",
    about: "подключения действий к другим системам, без ключей",
    rules: byTwin(toolConnections.twinId),
    columns: ["id", "twinId", "kind", "title", "checkedAt", "createdAt", "updatedAt"],
    instead: { host: sql`split_part(${toolConnections.url}, '/', 3)` },
    without: {
      ...{ url: SECRET, auth: SECRET, secrets: SECRET, proxy: SECRET },
      ...{ listing: "ответ чужого сервера", failure: "ответ чужого сервера" },
    },
  }),
  exported(toolTables, {
    name: "tool_tables",
    about: "таблицы, из которых отвечают действия двойников",
    rules: byTwin(toolTables.twinId),
    columns: ["id", "twinId", "toolId", "name", "columns", "rows", "rowCount", "readAt", "createdAt"],
    own: ["rows"],
    instead: { host: sql`split_part(${toolTables.url}, '/', 3)` },
    without: { url: SECRET, proxy: SECRET, contentHash: COUNTED, failure: "ответ чужого сервера" },
    long: ["rows"],
  }),
  exported(acts, {
    name: "acts",
    about: "что двойники вызывали или предлагали вызвать",
    rules: byTwinAndConversation(acts.twinId, acts.conversationId),
    columns: [
      ...(["id", "twinId", "toolId", "conversationId", "contactId", "title", "changes", "state", "arguments"] as const),
      ...([
        "target",
        "question",
        "ownerQuestion",
        "result",
        "refusal",
        "reason",
        "dry",
        "createdAt",
        "calledAt",
        "decidedBy",
      ] as const),
      ...(["waitsSince", "endedAt"] as const),
    ],
    without: { number: COUNTED },
  }),
  exported(crmConnections, {
    name: "crm_connections",
    about: "подключённые CRM, без ключей",
    rules: ofOrganization(),
    columns: ["id", "system", "host", "state", "reason", "connectedBy", "createdAt"],
    without: { tokens: SECRET, refreshingSince: COUNTED, refreshedAt: COUNTED },
  }),
  exported(crmTwins, {
    name: "crm_twins",
    about: "какие двойники передают диалоги в CRM и с текстом ли",
    rules: { ...byTwin(crmTwins.twinId), ...ofOrganization() },
    columns: ["twinId", "connectionId", "includeTexts"],
    key: ["twinId"],
  }),
  exported(crmCards, {
    name: "crm_cards",
    about: "контакты и сделки, созданные в CRM по диалогам",
    rules: byTwinAndConversation(crmCards.twinId, crmCards.conversationId),
    columns: ["id", "twinId", "connectionId", "conversationId", "state", "contactId", "dealId", "createdAt", "madeAt"],
    without: { attempts: COUNTED, nextAttemptAt: COUNTED, calledAt: COUNTED, error: "ответ чужого сервера" },
  }),
  exported(webhookDeliveries, {
    name: "webhook_deliveries",
    about: "что и когда сообщалось вебхукам; слова те же, что в диалогах",
    rules: {
      account: (whose) =>
        sql`${webhookDeliveries.webhookId} in (select ${webhooks.id} from ${webhooks} where ${hooks.account!(whose)})`,
      ...ofOrganization(),
    },
    columns: ["id", "webhookId", "conversationId", "event", "state", "status", "createdAt", "deliveredAt"],
    without: {
      payload: "слова стоят в диалогах",
      error: "ответ чужого сервера",
      attempts: COUNTED,
      nextAttemptAt: COUNTED,
      sendingSince: COUNTED,
      endAsked: COUNTED,
    },
  }),
  exported(activity, {
    name: "activity",
    about: "лента событий",
    rules: byTwinAndConversation(activity.twinId, activity.conversationId),
    columns: ["id", "twinId", "type", "twinName", "description", "conversationId", "createdAt"],
  }),
  exported(dailyUsage, {
    name: "daily_usage",
    about: "сколько двойники отвечали по дням",
    rules: byTwin(dailyUsage.twinId),
    columns: [
      ...(["twinId", "day", "messages", "measured", "confidenceSum", "durationSum", "embeddingTokens"] as const),
      ...(["tests", "testsMeasured", "testsConfidenceSum", "testsDurationSum"] as const),
      "modelTokens",
    ],
    without: { modelTold: COUNTED },
    key: ["twinId", "day"],
  }),
];
