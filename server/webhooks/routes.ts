import type { FastifyInstance } from "fastify";
import { webhooksApi } from "#contract/webhooks.ts";
import { on } from "#server/http.ts";
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  resendDelivery,
  rotateSecret,
  testWebhook,
  updateWebhook,
  type WebhookDeps,
} from "./webhooks.ts";

const SECRET = { secretAnswer: true };

export function mountOutgoingWebhooks(app: FastifyInstance, deps: WebhookDeps): void {
  const { db } = deps;
  on(app, webhooksApi.list, ({ viewer, params }) => listWebhooks(db, viewer, params.id));
  on(app, webhooksApi.create, ({ viewer, params, input }) => createWebhook(deps, viewer, params.id, input), SECRET);
  on(app, webhooksApi.update, ({ viewer, params, input }) => updateWebhook(deps, viewer, params, input));
  on(app, webhooksApi.remove, ({ viewer, params }) => removeWebhook(db, viewer, params));
  on(app, webhooksApi.rotate, ({ viewer, params }) => rotateSecret(deps, viewer, params), SECRET);
  on(app, webhooksApi.test, ({ viewer, params }) => testWebhook(deps, viewer, params));
  on(app, webhooksApi.deliveries, ({ viewer, params }) => listDeliveries(db, viewer, params));
  on(app, webhooksApi.resend, ({ viewer, params }) => resendDelivery(deps, viewer, params));
}
