/**
 * Exported tables of the account and the organisation. Their rows belong to the platform and no policy restricts them, so each rule names
 * the owner.
 */
import { eq, sql } from "drizzle-orm";
import {
  auditLog,
  consents,
  invitations,
  memberships,
  notificationSettings,
  organizations,
  passkeys,
  payments,
  pushDevices,
  secondFactors,
  securityNotices,
  sessions,
  subscriptions,
  users,
} from "#server/platform/db/schema/accounts.ts";
import { localModelRules, mediaReaders, organizationModels, remoteModels } from "#server/platform/db/schema/models.ts";
import { modelBudgets, twinStops } from "#server/platform/db/schema/twins.ts";
import { byUser, ofOrganization } from "./scope.ts";
import { type ExportedTable, exported } from "./table.ts";

const SECRET = "секрет";
const COUNTED = "счётчик работы программы";
const platform = true;

export const PEOPLE_TABLES: ExportedTable[] = [
  exported(users, {
    name: "people",
    about: "ваш профиль; в выгрузке организации — её участники",
    platform,
    rules: {
      ...byUser(users.id),
      organization: ({ organizationId }) =>
        sql`${users.id} in (select ${memberships.userId} from ${memberships} where ${memberships.orgId} = ${organizationId})`,
    },
    columns: [
      ...(["id", "email", "emailConfirmedAt", "firstName", "lastName", "telegramId", "telegramUsername"] as const),
      ...(["photoUrl", "authMethod", "superAdmin", "consentVersion", "modelOfferPassedAt", "createdAt"] as const),
    ],
    own: [
      "emailConfirmedAt",
      "telegramId",
      "photoUrl",
      "authMethod",
      "superAdmin",
      "consentVersion",
      "modelOfferPassedAt",
    ],
    without: { passwordHash: SECRET },
  }),
  exported(organizations, {
    name: "organization",
    about: "организация",
    platform,
    rules: { organization: ({ organizationId }) => eq(organizations.id, organizationId) },
    columns: ["id", "name", "createdAt"],
  }),
  exported(memberships, {
    name: "memberships",
    about: "членство в организациях и роли",
    platform,
    rules: {
      ...byUser(memberships.userId),
      organization: ({ organizationId }) => eq(memberships.orgId, organizationId),
    },
    columns: ["orgId", "userId", "role", "createdAt"],
    key: ["orgId", "userId"],
  }),
  exported(invitations, {
    name: "invitations",
    about: "приглашения, на которые ещё не ответили, без ссылок из писем",
    platform,
    rules: { organization: ({ organizationId }) => eq(invitations.orgId, organizationId) },
    columns: ["id", "email", "firstName", "lastName", "role", "expiresAt", "createdAt"],
    without: { tokenHash: SECRET },
  }),
  exported(sessions, {
    name: "sessions",
    about: "ваши сеансы и устройства, без их ключей",
    platform,
    rules: byUser(sessions.userId),
    columns: ["id", "device", "ip", "createdAt", "lastSeenAt", "expiresAt"],
    without: { tokenHash: SECRET, cookieHash: SECRET, userId: "это вы", identityConfirmedAt: COUNTED },
  }),
  exported(passkeys, {
    name: "passkeys",
    about: "ваши ключи доступа: названия и даты",
    platform,
    rules: byUser(passkeys.userId),
    columns: ["id", "name", "createdAt", "lastUsedAt"],
    without: { userId: "это вы", credentialId: SECRET, publicKey: SECRET, counter: COUNTED, transports: COUNTED },
  }),
  exported(secondFactors, {
    name: "second_factor",
    about: "включён ли вход по коду",
    platform,
    rules: byUser(secondFactors.userId),
    columns: ["enabledAt", "createdAt"],
    without: { userId: "это вы", secret: SECRET, lastStep: SECRET },
    key: ["userId"],
  }),
  exported(consents, {
    name: "consents",
    about: "принятые вами согласия",
    platform,
    rules: byUser(consents.userId),
    columns: ["id", "version", "acceptedAt"],
    without: { userId: "это вы", addressHash: "отпечаток адреса" },
  }),
  exported(securityNotices, {
    name: "security_notices",
    about: "уведомления о безопасности",
    platform,
    rules: byUser(securityNotices.userId),
    columns: ["id", "kind", "detail", "mailed", "seenAt", "createdAt"],
    without: { userId: "это вы" },
  }),
  exported(pushDevices, {
    name: "push_devices",
    about: "браузеры, в которые вам приходят уведомления",
    platform,
    rules: byUser(pushDevices.userId),
    columns: ["id", "name", "seenAt", "createdAt"],
    without: { userId: "это вы", sessionId: COUNTED, endpoint: SECRET, p256dh: SECRET, auth: SECRET },
  }),
  exported(notificationSettings, {
    name: "notification_settings",
    about: "о чём вам сообщать и как",
    rules: byUser(notificationSettings.userId),
    columns: ["draftsPush", "draftsMail", "troublePush", "troubleMail"],
    without: {
      ...{
        userId: "это вы",
        draftsPushedTo: COUNTED,
        draftsMailedTo: COUNTED,
        mailedAt: COUNTED,
        toldTrouble: COUNTED,
      },
    },
    key: ["orgId", "userId"],
  }),
  exported(auditLog, {
    name: "audit",
    about: "журнал: ваши действия; в выгрузке организации — весь её журнал",
    platform,
    rules: {
      ...byUser(auditLog.userId),
      organization: ({ organizationId }) => eq(auditLog.orgId, organizationId),
    },
    columns: ["id", "at", "userId", "action", "subject", "detail"],
  }),
  exported(subscriptions, {
    name: "subscription",
    about: "план организации",
    rules: ofOrganization(),
    columns: ["planId", "since"],
    key: ["orgId"],
  }),
  exported(payments, {
    name: "payments",
    about: "счета",
    rules: ofOrganization(),
    columns: ["id", "planId", "amount", "status", "createdAt", "paidAt"],
  }),
  exported(modelBudgets, {
    name: "model_budget",
    about: "дневной предел расхода модели",
    rules: ofOrganization(),
    columns: ["dailyTokens", "day", "tokens", "dailyMoney", "money"],
    without: { told: COUNTED },
    key: ["orgId"],
  }),
  exported(twinStops, {
    name: "twin_stop",
    about: "остановлены ли двойники",
    rules: ofOrganization(),
    columns: ["stoppedBy", "stoppedAt"],
    key: ["orgId"],
  }),
  exported(remoteModels, {
    name: "remote_model",
    about: "удалённая модель организации, без ключа",
    rules: ofOrganization(),
    columns: [
      ...(["preset", "baseUrl", "authUrl", "model", "scope", "mayBePrivate", "currency", "inputPrice"] as const),
      ...(["outputPrice", "contextTokens", "embeddingModel", "enabled", "exam", "setBy", "setAt"] as const),
    ],
    without: {
      apiKey: SECRET,
      revision: COUNTED,
      examRun: COUNTED,
      examAnswers: "ответы модели на вопросы о вымышленном ателье",
    },
    key: ["orgId"],
  }),
  exported(mediaReaders, {
    name: "media_readers",
    about: "кто распознаёт голосовые сообщения и картинки, без ключей",
    rules: ofOrganization(),
    columns: [
      ...(["kind", "mode", "preset", "baseUrl", "model", "mayBePrivate", "longestSeconds", "dailyLimit"] as const),
      ...(["keptDays", "setBy", "setAt"] as const),
    ],
    without: { apiKey: SECRET, day: COUNTED, used: COUNTED },
    key: ["orgId", "kind"],
  }),
  exported(localModelRules, {
    name: "model_rule",
    about: "правило «только локальная модель»",
    rules: ofOrganization(),
    columns: ["setBy", "setAt"],
    key: ["orgId"],
  }),
  exported(organizationModels, {
    name: "organization_model",
    about: "какая модель сервера отвечает за организацию",
    rules: ofOrganization(),
    columns: ["modelId", "setBy", "setAt"],
    key: ["orgId"],
  }),
];
