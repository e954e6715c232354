import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

const MEDIA_READER = {
  ...{ mode: "endpoint", preset: "openai", baseUrl: "https://speech.example/v1", model: "whisper-1", apiKey: "k" },
  ...{ longestSeconds: 120, dailyLimit: 30, keptDays: 30 },
};
const REMOTE_MODEL = {
  ...{ preset: "compatible", baseUrl: "https://models.example/v1", model: "m", apiKey: "key-of-the-model" },
  ...{ currency: "RUB", inputPrice: 1, outputPrice: 2, dailyMoney: 10, enabled: false },
  contextTokens: 32_768,
};

export const modelCases: Record<string, EndpointCase> = {
  "GET /api/organizations/:orgId/model-budget": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/model-budget`,
  },
  "PUT /api/organizations/:orgId/model-budget": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/model-budget`,
    body: () => ({ dailyTokens: 100_000 }),
  },
  "GET /api/organizations/:orgId/model-rule": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/model-rule`,
  },
  "PUT /api/organizations/:orgId/model-rule": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/model-rule`,
    body: () => ({ localOnly: true }),
  },
  "GET /api/organizations/:orgId/model": { url: ({ organizationId }) => `/api/organizations/${organizationId}/model` },
  "PUT /api/organizations/:orgId/model": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/model`,
    body: () => ({ choice: "none" }),
  },
  "GET /api/admin/models": { url: () => "/api/admin/models" },
  "POST /api/admin/models": {
    url: () => "/api/admin/models",
    body: () => ({ catalogueId: "not-there" }),
    answers: 404,
  },
  "POST /api/admin/model-offer/pass": { url: () => "/api/admin/model-offer/pass" },
  "PUT /api/admin/models/:id": {
    url: ({ modelId }) => `/api/admin/models/${modelId}`,
    body: () => ({ allowed: false }),
  },
  "POST /api/admin/models/:id/pause": { url: ({ modelId }) => `/api/admin/models/${modelId}/pause`, answers: 409 },
  "POST /api/admin/models/:id/resume": { url: ({ modelId }) => `/api/admin/models/${modelId}/resume`, answers: 409 },
  "POST /api/admin/models/:id/trial": {
    url: ({ modelId }) => `/api/admin/models/${modelId}/trial`,
    body: () => ({ question: "Сколько стоит доставка?" }),
    answers: 409,
  },
  "DELETE /api/admin/models/:id": {
    url: ({ modelId }) => `/api/admin/models/${modelId}`,
    consumes: ["modelId"],
  },
  "POST /api/admin/model-files": {
    url: () => "/api/admin/model-files",
    body: () => ({ fileName: `${randomUUID()}.gguf`, bytes: 1000 }),
  },
  "PATCH /api/admin/model-files/:id": {
    url: ({ modelId }) => `/api/admin/model-files/${modelId}?offset=0`,
    bytes: async () => Buffer.from("GGUF"),
    answers: 409,
  },
  "GET /api/organizations/:orgId/remote-model": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model`,
  },
  "PUT /api/organizations/:orgId/remote-model": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model`,
    body: () => REMOTE_MODEL,
  },
  // A private address is refused: nothing leaves the machine.
  "POST /api/organizations/:orgId/remote-model/check": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model/check`,
    body: () => ({ ...REMOTE_MODEL, baseUrl: "https://10.0.0.1/v1" }),
  },
  "GET /api/organizations/:orgId/remote-model/exam": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model/exam`,
  },
  "GET /api/admin/model-exams": { url: () => "/api/admin/model-exams" },
  "GET /api/admin/model-exams/:id": { url: () => "/api/admin/model-exams/settings", answers: 404 },
  "POST /api/admin/model-exams/:id": { url: () => "/api/admin/model-exams/settings", answers: 404 },
  // The connected model is switched off.
  "POST /api/organizations/:orgId/remote-model/exam": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model/exam`,
    answers: 409,
  },
  "GET /api/organizations/:orgId/media-readers": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/media-readers`,
  },
  "PUT /api/organizations/:orgId/media-readers/:kind": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/media-readers/speech`,
    body: () => MEDIA_READER,
  },
  // A private address is refused: nothing leaves the machine.
  "POST /api/organizations/:orgId/media-readers/:kind/check": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/media-readers/speech/check`,
    body: () => ({ ...MEDIA_READER, baseUrl: "https://10.0.0.1/v1" }),
  },
  "GET /api/organizations/:orgId/remote-model/search": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model/search`,
  },
  // The connected model is switched off, so that no provider is asked.
  "GET /api/organizations/:orgId/remote-model/search/models": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model/search/models`,
  },
  "PUT /api/organizations/:orgId/remote-model/search": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model/search`,
    body: () => ({ model: "text-embedding-3-small" }),
    answers: 409,
  },
  "DELETE /api/organizations/:orgId/remote-model/search": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model/search`,
  },
  "DELETE /api/organizations/:orgId/remote-model": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model`,
  },
  "GET /api/digital-twins/:id/model-budget": { url: ({ twinId }) => `/api/digital-twins/${twinId}/model-budget` },
  "PUT /api/digital-twins/:id/model-budget": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/model-budget`,
    body: () => ({ dailyTokens: 100_000 }),
  },
};
