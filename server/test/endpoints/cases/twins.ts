import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

const twinFields = () => ({
  name: "Анна",
  description: "Отвечает покупателям магазина",
  personality: "Внимательная, спокойная, шутит редко",
  communicationStyle: "Коротко и по делу",
});

export const twinCases: Record<string, EndpointCase> = {
  "GET /api/digital-twins": { url: () => "/api/digital-twins" },
  "POST /api/digital-twins": {
    url: () => "/api/digital-twins",
    body: () => ({ ...twinFields(), knowledgeArea: "Доставка и возврат" }),
  },
  "GET /api/digital-twins/:id": { url: ({ twinId }) => `/api/digital-twins/${twinId}` },
  "PUT /api/digital-twins/:id": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}`,
    body: () => ({ ...twinFields(), expertise: [randomUUID()], isActive: true }),
  },
  "DELETE /api/digital-twins/:id": { url: ({ twinId }) => `/api/digital-twins/${twinId}`, consumes: "everything" },
  "GET /api/digital-twins/:id/quality": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/quality`,
    personal: true,
  },
  "POST /api/digital-twins/:id/quality/measure": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/quality/measure`,
    personal: true,
  },
  "GET /api/digital-twins/:id/blind-test": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/blind-test`,
    personal: true,
    answers: 409,
  },
  "POST /api/digital-twins/:id/blind-test": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/blind-test`,
    body: () => ({ test: randomUUID(), answers: [{ id: "1", choice: 0 }] }),
    personal: true,
    answers: 404,
  },
  "GET /api/digital-twins/:id/self-presentation": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/self-presentation`,
    personal: true,
  },
  "PUT /api/digital-twins/:id/self-presentation": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/self-presentation`,
    body: () => ({ gender: "female", role: "флорист", signature: "Анна" }),
    personal: true,
  },
  "GET /api/digital-twins/:id/exam": { url: ({ twinId }) => `/api/digital-twins/${twinId}/exam`, personal: true },
  "POST /api/digital-twins/:id/exam": { url: ({ twinId }) => `/api/digital-twins/${twinId}/exam`, personal: true },
  "PUT /api/digital-twins/:id/exam/answers/:answerId": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/exam/answers/999999999`,
    body: () => ({ mark: "yes" }),
    personal: true,
    answers: 404,
  },
  "POST /api/digital-twins/:id/exam/finish": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/exam/finish`,
    personal: true,
    answers: 409,
  },
  "DELETE /api/digital-twins/:id/exam": { url: ({ twinId }) => `/api/digital-twins/${twinId}/exam`, personal: true },
  "GET /api/digital-twins/:id/versions": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/versions`,
    personal: true,
  },
  "GET /api/digital-twins/:id/versions/:versionId": {
    url: ({ twinId, versionId }) => `/api/digital-twins/${twinId}/versions/${versionId}`,
    personal: true,
  },
  "POST /api/digital-twins/:id/versions/:versionId/restore": {
    url: ({ twinId, versionId }) => `/api/digital-twins/${twinId}/versions/${versionId}/restore`,
    personal: true,
  },
  "GET /api/digital-twins/:id/training": { url: ({ twinId }) => `/api/digital-twins/${twinId}/training` },
  "GET /api/analytics": { url: () => "/api/analytics?days=30" },
  "GET /api/dashboard/stats": { url: () => "/api/dashboard/stats" },
  "GET /api/analytics/asked": { url: () => "/api/analytics/asked" },
  "GET /api/dashboard/waiting": { url: () => "/api/dashboard/waiting" },
  "GET /api/activity/recent": { url: () => "/api/activity/recent" },
};
