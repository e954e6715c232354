/** What other programs use: keys of a twin, and webhooks. */
import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

/** Nothing listens there: the connection is refused at once. */
const webhookFields = () => ({
  url: `https://127.0.0.1:9/${randomUUID()}`,
  events: ["reply.sent"],
  includeTexts: false,
  enabled: true,
});

export const programCases: Record<string, EndpointCase> = {
  "GET /api/digital-twins/:id/keys": { url: ({ twinId }) => `/api/digital-twins/${twinId}/keys` },
  "POST /api/digital-twins/:id/keys": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/keys`,
    body: () => ({
      name: `Сайт ${randomUUID()}`,
      scopes: ["ask", "drafts", "mcp"],
      expiresInDays: 90,
      dailyMessages: 100,
      dailyTokens: 100_000,
    }),
  },
  "DELETE /api/digital-twins/:id/keys/:keyId": {
    url: ({ twinId, keyId }) => `/api/digital-twins/${twinId}/keys/${keyId}`,
    consumes: ["keyId"],
  },
  "GET /api/digital-twins/:id/webhooks": { url: ({ twinId }) => `/api/digital-twins/${twinId}/webhooks` },
  "POST /api/digital-twins/:id/webhooks": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/webhooks`,
    body: webhookFields,
  },
  "PUT /api/digital-twins/:id/webhooks/:webhookId": {
    url: ({ twinId, webhookId }) => `/api/digital-twins/${twinId}/webhooks/${webhookId}`,
    body: webhookFields,
  },
  "DELETE /api/digital-twins/:id/webhooks/:webhookId": {
    url: ({ twinId, webhookId }) => `/api/digital-twins/${twinId}/webhooks/${webhookId}`,
    consumes: ["webhookId"],
  },
  "POST /api/digital-twins/:id/webhooks/:webhookId/secret": {
    url: ({ twinId, webhookId }) => `/api/digital-twins/${twinId}/webhooks/${webhookId}/secret`,
  },
  "POST /api/digital-twins/:id/webhooks/:webhookId/test": {
    url: ({ twinId, webhookId }) => `/api/digital-twins/${twinId}/webhooks/${webhookId}/test`,
  },
  "GET /api/digital-twins/:id/webhooks/:webhookId/deliveries": {
    url: ({ twinId, webhookId }) => `/api/digital-twins/${twinId}/webhooks/${webhookId}/deliveries`,
  },
  "POST /api/digital-twins/:id/webhooks/:webhookId/deliveries/:deliveryId/resend": {
    url: ({ twinId, webhookId, deliveryId }) =>
      `/api/digital-twins/${twinId}/webhooks/${webhookId}/deliveries/${deliveryId}/resend`,
  },
};
