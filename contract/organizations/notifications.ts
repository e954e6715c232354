/** Notifications that reach a member outside the screen: push messages in enabled browsers, and email. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const PUSH_DEVICES_LIMIT = 20;

export const NotificationSettings = z.object({
  draftsPush: z.boolean(),
  draftsMail: z.boolean(),
  troublePush: z.boolean(),
  troubleMail: z.boolean(),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** Settings that apply once a browser is enabled or the settings are first saved. */
export const FIRST_SETTINGS: NotificationSettings = {
  ...{ draftsPush: true, draftsMail: false, troublePush: true, troubleMail: false },
};

export const PushDevice = z.object({
  id: z.string(),
  /** Browser and system, such as «Chrome, Windows». */
  name: z.nullable(z.string()),
  createdAt: z.string(),
  current: z.boolean(),
});
export type PushDevice = z.infer<typeof PushDevice>;

export const Notifications = z.object({
  /** null until something is chosen; nothing is sent then. */
  settings: z.nullable(NotificationSettings),
  devices: z.array(PushDevice),
  /** Public VAPID key that browsers subscribe with, base64url. */
  publicKey: z.string(),
  /** Address for emails; null without a confirmed address or without a mail server. */
  mailTo: z.nullable(z.string()),
});
export type Notifications = z.infer<typeof Notifications>;

const Base64url = z.string("Неверный ключ браузера").check(z.regex(/^[\w-]{1,120}={0,2}$/, "Неверный ключ браузера"));

/** Subscription in the format of `PushSubscription.toJSON()`. */
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
  /** The browser repeats this call at each start, so that the server knows its current keys. */
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
  /** Responds 502 when the browser's push service rejects the message. */
  tryDevice: endpoint("POST /api/account/notifications/devices/:id/test", {
    access: "signed-in",
    refreshes: ["account"],
    summary: "Прислать пробное уведомление",
    params: id,
    output: z.object({ success: z.literal(true) }),
  }),
};
