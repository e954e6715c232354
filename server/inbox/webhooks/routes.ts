import type { FastifyInstance } from "fastify";
import { webhooksApi } from "#contract/integrations/webhooks.ts";
import { route } from "#server/platform/http/route.ts";
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
  route(app, webhooksApi.list, ({ caller, params }) => listWebhooks(db, caller, params.id));
  route(app, webhooksApi.create, ({ caller, params, input }) => createWebhook(deps, caller, params.id, input), SECRET);
  route(app, webhooksApi.update, ({ caller, params, input }) => updateWebhook(deps, caller, params, input));
  route(app, webhooksApi.remove, ({ caller, params }) => removeWebhook(db, caller, params));
  route(app, webhooksApi.rotate, ({ caller, params }) => rotateSecret(deps, caller, params), SECRET);
  route(app, webhooksApi.test, ({ caller, params }) => testWebhook(deps, caller, params));
  route(app, webhooksApi.deliveries, ({ caller, params }) => listDeliveries(db, caller, params));
  route(app, webhooksApi.resend, ({ caller, params }) => resendDelivery(deps, caller, params));
}
