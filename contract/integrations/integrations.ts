import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ReimportState } from "../knowledge/reimport.ts";
import { ChannelPlatform, ContactPlatform, IntegrationPlatform } from "../platforms.ts";
import { HISTORY } from "../tags.ts";
import { TrackRecord } from "../track-record.ts";
import { IdParams } from "../twins.ts";
import { IntegrationCheck } from "./connection-check.ts";
import type { CredentialTrouble } from "./credential-forms.ts";
import { ProxyChange, ProxyText } from "./proxy-text.ts";
import { unsendable } from "./sendable-credentials.ts";
import {
  ALL_FIELDS_REQUIRED,
  CodeSent,
  CodeVerified,
  ImportStats,
  TelegramImport,
  TelegramImportState,
  TelegramSetup,
  TelegramVerification,
} from "./telegram-account.ts";
import { WorkingHours } from "./working-hours.ts";

export { ChannelPlatform, ContactPlatform, IntegrationPlatform };

/**
 * Autonomy of a twin on a platform: `off` sends nothing, `draft` waits for approval, `confident` answers when sure, `auto` always answers.
 */
export const Autonomy = z.enum(["off", "draft", "confident", "auto"], "Выберите уровень самостоятельности");
export type Autonomy = z.infer<typeof Autonomy>;

export const USERBOT_API_KEY = "userbot";

/** Value of `success_rate` in the settings of every Telegram integration. */
export const TELEGRAM_SUCCESS_RATE = 0.95;

const TwinId = z.uuid("Выберите цифрового двойника");
const API_KEY_REQUIRED = "API ключ обязателен";

const short = z.string("Ожидался текст").check(z.trim(), z.maxLength(400, "Слишком длинное значение"));
const long = z.string("Ожидался текст").check(z.trim(), z.maxLength(4000, "Слишком длинное значение"));
const ApiKey = z
  .string(API_KEY_REQUIRED)
  .check(z.trim(), z.minLength(1, API_KEY_REQUIRED), z.maxLength(4000, "Слишком длинный ключ"));

const WebAddress = z.url({ protocol: /^https?$/ });

const WebhookUrl = z.string("Введите корректный URL").check(
  z.trim(),
  z.maxLength(2000, "Введите корректный URL"),
  z.refine((text) => text === "" || WebAddress.safeParse(text).success, "Введите корректный URL"),
);

const MailAddress = z.string("Ожидался текст").check(
  z.trim(),
  z.maxLength(254, "Слишком длинное значение"),
  // The pattern accepts Cyrillic domains too.
  z.regex(/^(?:[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]+)?$/, "Введите адрес ящика: name@example.com"),
);

/** Rejects credentials with which no request to the platform can be made. */
const thatCanBeSent = <Entered extends { platform: IntegrationPlatform; apiKey: string }>(
  appTokenOf: (entered: Entered) => string | null | undefined,
  appTokenPath: string[],
) =>
  z.check<Entered>((payload) => {
    const entered = payload.value;
    for (const { field, message } of unsendable({ ...entered, appToken: appTokenOf(entered) })) {
      const path: Record<CredentialTrouble["field"], string[]> = {
        apiKey: ["apiKey"],
        apiId: ["apiId"],
        phoneNumber: ["phoneNumber"],
        appToken: appTokenPath,
      };
      payload.issues.push({ code: "custom", message, path: path[field], input: entered });
    }
  });

/** Credential fields that only some platforms have; secret ones are stored encrypted with the credentials. */
const additional = {
  /** WhatsApp only: the app secret that signs its webhooks. */
  app_secret: z.nullish(short),
  address: z.nullish(MailAddress),
  /** Slack only: the signing secret of its events, or an app-level token for Socket Mode. */
  signing_secret: z.nullish(short),
  app_token: z.nullish(short),
  /** All platforms: the proxy that connections go through (proxy-address.ts). */
  proxy: z.nullish(ProxyText),
};

const credentialFields = {
  platform: IntegrationPlatform,
  apiKey: ApiKey,
  apiId: z.nullish(short),
  apiHash: z.nullish(short),
  phoneNumber: z.nullish(short),
  settings: z.nullish(
    z.object({ phone_number: z.nullish(short), webhook_url: z.nullish(WebhookUrl), ...additional }, "Ожидался объект"),
  ),
};

const Sent = z.object(credentialFields);
const asSent = thatCanBeSent<z.infer<typeof Sent>>(({ settings }) => settings?.app_token, ["settings", "app_token"]);
const accountHasBoth = z.refine<Pick<z.infer<typeof Sent>, "platform" | "apiKey" | "apiId" | "apiHash">>(
  ({ platform, apiKey, apiId, apiHash }) =>
    platform !== "telegram" || apiKey !== USERBOT_API_KEY || Boolean(apiId && apiHash),
  { error: ALL_FIELDS_REQUIRED, path: ["apiHash"] },
);

/** `status` and `success_rate` are accepted because the specification's form sends them, and ignored. */
export const IntegrationInput = z.object({ digitalTwinId: TwinId, ...credentialFields }).check(accountHasBoth, asSent);
export type IntegrationInput = z.infer<typeof IntegrationInput>;

/** New credentials of a connected account; fields left empty keep their stored values. */
export const NewCredentials = Sent.check(asSent);
export type NewCredentials = z.infer<typeof NewCredentials>;

const ConnectionTrial = Sent.check(accountHasBoth, asSent);

export const IntegrationForm = z
  .object({
    digitalTwinId: TwinId,
    platform: IntegrationPlatform,
    apiKey: ApiKey,
    apiId: short,
    apiHash: short,
    phoneNumber: short,
    webhookUrl: WebhookUrl,
    appSecret: short,
    address: MailAddress,
    signingSecret: short,
    appToken: long,
    proxy: ProxyText,
  })
  .check(thatCanBeSent(({ appToken }) => appToken, ["appToken"]));
export type IntegrationForm = z.infer<typeof IntegrationForm>;

/** Changes of an integration; absent fields stay unchanged. */
export const IntegrationUpdate = z
  .object({
    status: z.optional(z.enum(["active", "inactive"], "Неверный статус")),
    autonomy: z.optional(Autonomy),
    digitalTwinId: z.optional(TwinId),
    /** null means that the twin answers at any time. */
    workingHours: z.optional(z.nullable(WorkingHours)),
  })
  .check(z.refine((update) => Object.values(update).some((value) => value !== undefined), "Нечего изменить"));
export type IntegrationUpdate = z.infer<typeof IntegrationUpdate>;

/** `connecting`: not reached yet; `trouble`: reconnects automatically; `action`: the owner must act; `paused`: paused by the owner. */
export const Connection = z.enum(["connected", "connecting", "trouble", "action", "paused"]);
export type Connection = z.infer<typeof Connection>;

/** A connected account. No response contains its credentials. */
export const Integration = z.object({
  id: z.string(),
  platform: ChannelPlatform,
  status: z.enum(["active", "inactive", "error"]),
  /** Explains `status` in Russian; null when nothing is wrong. */
  statusReason: z.nullable(z.string()),
  digitalTwinName: z.string(),
  digitalTwinId: z.string(),
  messagesImported: z.number(),
  messagesHandled: z.number(),
  lastSync: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The middle digits are hidden from members who may not change the twin. */
  phoneNumber: z.nullable(z.string()),
  config: z.object({ phoneNumber: z.nullable(z.string()) }),
  settings: z.object({
    success_rate: z.optional(z.number()),
    address: z.optional(z.string()),
    /**
     * The proxy without name and password, «SOCKS5 proxy.example.com:1080». Absent without a proxy or for readers who may not change the
     * integration.
     */
    proxy: z.optional(z.string()),
  }),
  autonomy: Autonomy,
  /** The account's name on the platform, such as «@bot»; null until the platform was reached. */
  account: z.nullable(z.string()),
  /** Whether this is a Telegram bot, which has a name and no phone number; false on other platforms. */
  isBot: z.boolean(),
  /** Why the account is disconnected, in Russian; it reconnects automatically. null while connected. */
  trouble: z.nullable(z.string()),
  /** What the working integration cannot do in its present setup, in Russian: «Только отправка: …». */
  limitation: z.nullable(z.string()),
  /** Number of set-aside messages, which could not be read or answered and wait for the owner (contract/conversations/set-aside.ts). */
  setAside: z.number(),
  lastEvent: z.nullable(z.string()),
  /** Webhook URL that the owner must enter on the platform. null where none is needed and for members who may not change the twin. */
  webhook: z.nullable(z.object({ url: z.string(), verifyToken: z.nullable(z.string()) })),
  connection: Connection,
  /** null means that the twin answers at any time. */
  workingHours: z.nullable(WorkingHours),
  reimport: ReimportState,
  /**
   * How the owner decided on the twin's latest answers of the kind that the level «confident» sends. Only in the reading of one integration;
   * absent before the first decision and without a model.
   */
  track: z.optional(TrackRecord),
});
export type Integration = z.infer<typeof Integration>;

export const IntegrationEvent = z.object({
  id: z.number(),
  text: z.string(),
  createdAt: z.string(),
});
export type IntegrationEvent = z.infer<typeof IntegrationEvent>;

/** Page size of the event log; a shorter page is the last one. */
export const EVENTS_PAGE = 50;

export const integrationsApi = {
  list: endpoint("GET /api/integrations", {
    access: "signed-in",
    tags: ["integrations"],
    summary: "Подключённые платформы",
    output: z.array(Integration),
  }),
  create: endpoint("POST /api/integrations/create", {
    access: "editor",
    refreshes: ["integrations", "activity"],
    summary: "Подключить платформу",
    input: IntegrationInput,
    output: Integration,
    status: 201,
  }),
  update: endpoint("PUT /api/integrations/:id", {
    access: "editor",
    refreshes: ["integrations", "activity"],
    summary: "Приостановить или включить, сменить самостоятельность или двойника",
    params: IdParams,
    input: IntegrationUpdate,
    output: Integration,
  }),
  get: endpoint("GET /api/integrations/:id", {
    access: "signed-in",
    tags: ["integrations"],
    summary: "Подключённая платформа",
    params: IdParams,
    output: Integration,
  }),
  events: endpoint("GET /api/integrations/:id/events", {
    access: "signed-in",
    tags: ["integrations"],
    summary: `Что было с подключением: новое сверху, по ${EVENTS_PAGE}`,
    params: IdParams,
    query: z.object({
      before: z.optional(z.coerce.number("Неверный номер события").check(z.int("Неверный номер события"))),
    }),
    output: z.array(IntegrationEvent),
  }),
  check: endpoint("POST /api/integrations/:id/check", {
    access: "editor",
    refreshes: ["integrations", "activity"],
    summary: "Проверить соединение с платформой",
    params: IdParams,
    output: IntegrationCheck,
  }),
  replaceCredentials: endpoint("PUT /api/integrations/:id/credentials", {
    access: "editor",
    refreshes: ["integrations", "activity"],
    summary: "Заменить ключ подключённого аккаунта: диалоги и настройки остаются",
    params: IdParams,
    input: NewCredentials,
    output: Integration,
  }),
  tryConnection: endpoint("POST /api/integrations/check-connection", {
    access: "editor",
    refreshes: "nothing",
    summary: "Проверить соединение с платформой до подключения: ничего не сохраняется",
    input: ConnectionTrial,
    output: IntegrationCheck,
  }),
  setProxy: endpoint("PUT /api/integrations/:id/proxy", {
    access: "editor",
    refreshes: ["integrations"],
    summary: "Соединяться через прокси или снова напрямую",
    params: IdParams,
    input: ProxyChange,
    output: Integration,
  }),
  remove: endpoint("DELETE /api/integrations/:id", {
    access: "editor",
    refreshes: ["integrations", "activity"],
    summary: "Отключить платформу и уничтожить её ключи",
    params: IdParams,
  }),
  crm: endpoint("GET /api/crm/integrations", {
    access: "signed-in",
    tags: ["integrations"],
    summary: "Подключённые платформы для обзора CRM",
    output: z.array(Integration),
  }),
  sendCode: endpoint("POST /api/integrations/telegram/send-code", {
    access: "editor",
    refreshes: "nothing",
    summary: "Запросить код подтверждения Telegram-аккаунта",
    input: TelegramSetup,
    output: CodeSent,
  }),
  verifyCode: endpoint("POST /api/integrations/telegram/verify-code", {
    access: "editor",
    refreshes: ["integrations", "activity"],
    summary: "Подтвердить вход в Telegram-аккаунт",
    input: TelegramVerification,
    output: CodeVerified,
  }),
  importData: endpoint("POST /api/integrations/telegram/:id/import-data", {
    access: "editor",
    refreshes: HISTORY,
    summary: "Импортировать историю Telegram-аккаунта",
    params: z.object({ id: z.uuid("Integration ID не предоставлен") }),
    input: TelegramImport,
    output: z.object({ stats: z.optional(ImportStats) }),
  }),
  importState: endpoint("GET /api/integrations/telegram/:id/import-data", {
    access: "signed-in",
    tags: ["account-import"],
    summary: "Ход импорта истории Telegram-аккаунта",
    params: z.object({ id: z.uuid("Integration ID не предоставлен") }),
    output: TelegramImportState,
  }),
};
