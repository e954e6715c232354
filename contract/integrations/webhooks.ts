/** Outgoing webhooks, which send a twin's events to URLs that its owner has entered (Standard Webhooks). */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

export const WebhookEvent = z.enum(
  ["message.received", "reply.sent", "draft.created", "takeover.started"],
  "Неизвестное событие",
);
export type WebhookEvent = z.infer<typeof WebhookEvent>;
/** Event that only the button «Проверить» sends. */
export const TEST_EVENT = "webhook.test";
export const WEBHOOKS_LIMIT = 10;
export const DELIVERIES_SHOWN = 50;

const Address = z
  .string("Введите адрес")
  .check(
    z.trim(),
    z.maxLength(1000, "Слишком длинный адрес"),
    z.regex(/^https?:\/\/[^\s/?#@]+(?:[/?][^\s#]*)?$/i, "Адрес вида https://example.ru/hooks"),
  );

export const WebhookInput = z.object({
  url: Address,
  events: z.array(WebhookEvent).check(
    z.minLength(1, "Выберите хотя бы одно событие"),
    z.refine((events) => new Set(events).size === events.length, "Событие названо дважды"),
  ),
  /** Whether events include names and texts; otherwise they include only the conversation's id. */
  includeTexts: z.boolean("Ожидалось true или false"),
  enabled: z.boolean("Ожидалось true или false"),
});
export type WebhookInput = z.infer<typeof WebhookInput>;

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  includeTexts: z.boolean(),
  enabled: z.boolean(),
  /** Why the server has disabled the webhook; null while it is enabled. */
  disabledReason: z.nullable(z.string()),
  failingSince: z.nullable(z.string()),
  createdAt: z.string(),
});
export type Webhook = z.infer<typeof Webhook>;

/** `secret` (whsec_…) signs the events; no other response contains it. */
export const NewWebhook = z.object({ webhook: Webhook, secret: z.string() });
export type NewWebhook = z.infer<typeof NewWebhook>;

export const WebhookDelivery = z.object({
  id: z.string(),
  event: z.string(),
  state: z.enum(["pending", "delivered", "failed"]),
  attempts: z.number(),
  status: z.nullable(z.number()),
  error: z.nullable(z.string()),
  nextAttemptAt: z.nullable(z.string()),
  createdAt: z.string(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const WebhookParams = z.extend(IdParams, { webhookId: z.uuid("Неверный идентификатор") });
const at = "/api/digital-twins/:id/webhooks" as const;

export const webhooksApi = {
  list: endpoint(`GET ${at}`, {
    access: "editor",
    tags: ["twins", "webhooks"],
    summary: "Вебхуки двойника",
    params: IdParams,
    output: z.array(Webhook),
  }),
  create: endpoint(`POST ${at}`, {
    access: "editor",
    refreshes: ["webhooks"],
    summary: "Новый вебхук; секрет подписи показывается только в этом ответе",
    params: IdParams,
    input: WebhookInput,
    output: NewWebhook,
    status: 201,
  }),
  update: endpoint(`PUT ${at}/:webhookId`, {
    access: "editor",
    refreshes: ["webhooks"],
    summary: "Изменить вебхук, включить или выключить его",
    params: WebhookParams,
    input: WebhookInput,
    output: Webhook,
  }),
  remove: endpoint(`DELETE ${at}/:webhookId`, {
    access: "editor",
    refreshes: ["webhooks"],
    summary: "Удалить вебхук с его журналом",
    params: WebhookParams,
  }),
  rotate: endpoint(`POST ${at}/:webhookId/secret`, {
    access: "editor",
    refreshes: ["webhooks"],
    summary: "Новый секрет; сутки подписывают оба",
    params: WebhookParams,
    output: NewWebhook,
  }),
  test: endpoint(`POST ${at}/:webhookId/test`, {
    access: "editor",
    refreshes: ["webhooks"],
    summary: `Отправить событие ${TEST_EVENT}`,
    params: WebhookParams,
    output: WebhookDelivery,
    status: 202,
  }),
  deliveries: endpoint(`GET ${at}/:webhookId/deliveries`, {
    access: "editor",
    tags: ["twins", "webhooks"],
    summary: `Журнал доставки: последние ${DELIVERIES_SHOWN}`,
    params: WebhookParams,
    output: z.array(WebhookDelivery),
  }),
  resend: endpoint(`POST ${at}/:webhookId/deliveries/:deliveryId/resend`, {
    access: "editor",
    refreshes: ["webhooks"],
    summary: "Отправить ещё раз, с тем же webhook-id",
    params: z.extend(WebhookParams, { deliveryId: z.uuid("Неверный идентификатор") }),
    output: WebhookDelivery,
    status: 202,
  }),
};
