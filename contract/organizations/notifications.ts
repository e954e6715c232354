/** What a member is notified of outside the screen: by push messages in enabled browsers, and by letter. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

/** Browsers of one user. */
export const PUSH_DEVICES_LIMIT = 20;

export const NotificationSettings = z.object({
  /** Answers that wait for his approval. */
  draftsPush: z.boolean(),
  draftsMail: z.boolean(),
  /** A channel that has stopped and does not reconnect automatically. */
  troublePush: z.boolean(),
  troubleMail: z.boolean(),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** What holds after a browser is switched on or the settings are first saved. */
export const FIRST_SETTINGS: NotificationSettings = {
  ...{ draftsPush: true, draftsMail: false, troublePush: true, troubleMail: false },
};

export const PushDevice = z.object({
  id: z.string(),
  /** «Chrome, Windows». */
  name: z.nullable(z.string()),
  createdAt: z.string(),
  /** Whether it was switched on in the caller's session. */
  current: z.boolean(),
});
export type PushDevice = z.infer<typeof PushDevice>;

export const Notifications = z.object({
  /** null: nothing has been chosen yet, and nothing is sent. */
  settings: z.nullable(NotificationSettings),
  devices: z.array(PushDevice),
  /** The key that browsers subscribe with, base64url. */
  publicKey: z.string(),
  /** Where letters go; null without a confirmed address or without a mail server. */
  mailTo: z.nullable(z.string()),
});
export type Notifications = z.infer<typeof Notifications>;

const Base64url = z.string("Неверный ключ браузера").check(z.regex(/^[\w-]{1,120}={0,2}$/, "Неверный ключ браузера"));

/** As `PushSubscription.toJSON()` gives it. */
export const PushDeviceInput = z.object({
  endpoint: z.string("Неверный адрес службы").check(z.minLength(1), z.maxLength(1000, "Слишком длинный адрес службы")),
  keys: z.object({ p256dh: Base64url, auth: Base64url }),
});
export type PushDeviceInput = z.infer<typeof PushDeviceInput>;

const id = z.object({ id: z.uuid("Неверный идентификатор") });

export const notificationsApi = {
  get: endpoint("GET /api/account/notifications", {
    access: "signed-in",
    tags: ["account"],
    summary: "О чём вам сообщать и где",
    output: Notifications,
  }),
  save: endpoint("PUT /api/account/notifications", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Выбрать, о чём сообщать и как",
    input: NotificationSettings,
    output: NotificationSettings,
  }),
  /** Repeated by the browser at each start, so that the server knows its present keys. */
  addDevice: endpoint("POST /api/account/notifications/devices", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Получать уведомления в этом браузере",
    status: 201,
    input: PushDeviceInput,
    output: PushDevice,
  }),
  removeDevice: endpoint("DELETE /api/account/notifications/devices/:id", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Больше не присылать уведомления в браузер",
    params: id,
  }),
  /** 502 when the browser's push service does not take it. */
  tryDevice: endpoint("POST /api/account/notifications/devices/:id/test", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Прислать пробное уведомление",
    params: id,
    output: z.object({ success: z.literal(true) }),
  }),
};
