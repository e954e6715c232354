import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

const telegramAccount = () => ({ apiId: "123456", apiHash: randomUUID(), phoneNumber: "+79001234567" });

export const integrationCases: Record<string, EndpointCase> = {
  "GET /api/widgets": { url: () => "/api/widgets" },
  "GET /api/digital-twins/:id/widget": { url: ({ twinId }) => `/api/digital-twins/${twinId}/widget` },
  "PUT /api/digital-twins/:id/widget": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/widget`,
    body: () => ({
      enabled: true,
      allowedSites: ["https://shop.example.test"],
      title: "Спросите нас",
      greeting: `Здравствуйте! ${randomUUID()}`,
      color: "#0f5f63",
      autonomy: "auto",
      dailyMessages: 100,
    }),
  },
  "GET /api/integrations": { url: () => "/api/integrations" },
  "GET /api/crm/integrations": { url: () => "/api/crm/integrations" },
  "GET /api/crm": { url: () => "/api/crm" },
  "POST /api/crm/sign-in": {
    url: () => "/api/crm/sign-in",
    body: () => ({ system: "bitrix24", host: "company.bitrix24.ru", clientId: "id", clientSecret: "secret" }),
  },
  "POST /api/crm/complete": {
    url: () => "/api/crm/complete",
    body: () => ({ state: "s".repeat(43), code: "code" }),
    // It was never begun.
    answers: 422,
  },
  "PUT /api/digital-twins/:id/crm": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/crm`,
    body: ({ crmId }) => ({ connectionId: crmId, includeTexts: true }),
    references: { connectionId: "crmId" },
  },
  "DELETE /api/crm/connections/:id": {
    url: ({ crmId }) => `/api/crm/connections/${crmId}`,
    consumes: ["crmId"],
  },
  "POST /api/integrations/create": {
    url: () => "/api/integrations/create",
    body: ({ twinId }) => ({ digitalTwinId: twinId, platform: "telegram", apiKey: `123456:${randomUUID()}` }),
    references: { digitalTwinId: "twinId" },
  },
  "PUT /api/integrations/:id": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}`,
    body: ({ twinId }) => ({ status: "active", autonomy: "draft", digitalTwinId: twinId }),
    references: { digitalTwinId: "twinId" },
  },
  "GET /api/integrations/:id": { url: ({ integrationId }) => `/api/integrations/${integrationId}` },
  "GET /api/integrations/:id/events": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/events?before=1000000`,
  },
  "POST /api/integrations/:id/check": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/check`,
    consumes: ["integrationId"],
  },
  "PUT /api/integrations/:id/credentials": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/credentials`,
    body: () => ({ platform: "telegram", apiKey: "123456:another-token-of-a-bot-0123456789abcdefghij" }),
    // Nothing listens where Telegram should be, and a key that was not tried replaces none.
    answers: 502,
  },
  "POST /api/integrations/check-connection": {
    url: () => "/api/integrations/check-connection",
    // Nothing listens where Telegram should be, and it says so.
    body: () => ({ platform: "telegram", apiKey: "123456:another-token-of-a-bot-0123456789abcdefghij" }),
  },
  "PUT /api/integrations/:id/proxy": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/proxy`,
    body: () => ({ proxy: "" }),
  },
  "GET /api/integrations/:id/business": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/business`,
  },
  "PUT /api/integrations/:id/business/:connectionId": {
    url: ({ integrationId, connectionId }) => `/api/integrations/${integrationId}/business/${connectionId}`,
    body: () => ({ accepted: true }),
  },
  "GET /api/integrations/:id/owner-chat": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/owner-chat`,
  },
  "POST /api/integrations/:id/owner-chat": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/owner-chat`,
    // No server listens in Telegram's place, so the bot's name is unknown.
    answers: 409,
  },
  "DELETE /api/integrations/:id/owner-chat": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/owner-chat`,
  },
  "DELETE /api/integrations/:id": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}`,
    consumes: ["integrationId", "leavingId", "factId", "noteId"],
  },
  "POST /api/integrations/telegram/send-code": {
    url: () => "/api/integrations/telegram/send-code",
    body: ({ twinId }) => ({ ...telegramAccount(), twinId }),
    // Nothing listens where Telegram should be.
    answers: 502,
    references: { twinId: "twinId" },
  },
  "POST /api/integrations/telegram/verify-code": {
    url: () => "/api/integrations/telegram/verify-code",
    body: ({ twinId }) => ({
      ...telegramAccount(),
      twinId,
      verificationCode: "12345",
      phoneCodeHash: randomUUID(),
      sessionId: randomUUID(),
    }),
    references: { twinId: "twinId" },
  },
  "POST /api/integrations/telegram/:id/import-data": {
    url: ({ integrationId }) => `/api/integrations/telegram/${integrationId}/import-data`,
    body: () => ({ dialogsLimit: 10, messagesPerDialog: 500 }),
    // A bot has no sign-in.
    answers: 422,
  },
  "GET /api/integrations/telegram/:id/dialogs": {
    url: ({ integrationId }) => `/api/integrations/telegram/${integrationId}/dialogs`,
    // A bot has no sign-in.
    answers: 422,
    personal: true,
  },
  "GET /api/integrations/telegram/:id/import-data": {
    url: ({ integrationId }) => `/api/integrations/telegram/${integrationId}/import-data`,
  },
  "GET /api/stop-switch": { url: () => "/api/stop-switch" },
  "PUT /api/stop-switch": { url: () => "/api/stop-switch", body: () => ({ stopped: false }) },
};
