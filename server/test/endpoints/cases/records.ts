import type { EndpointCase } from "../endpoint-case.ts";

export const recordCases: Record<string, EndpointCase> = {
  "GET /api/account/deletion": { url: () => "/api/account/deletion" },
  "POST /api/account/deletion": {
    url: () => "/api/account/deletion",
    body: () => ({ confirmation: "не то слово" }),
    answers: 400,
  },
  "GET /api/account/export": { url: () => "/api/account/export" },
  "POST /api/account/export": { url: () => "/api/account/export" },
  "DELETE /api/account/export": { url: () => "/api/account/export" },
  // Nothing is ready: none of the cases waits for its job.
  "GET /api/account/export/file": { url: () => "/api/account/export/file", answers: 404 },
  "GET /api/organizations/:orgId/export": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/export`,
  },
  "POST /api/organizations/:orgId/export": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/export`,
  },
  "DELETE /api/organizations/:orgId/export": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/export`,
  },
  "GET /api/organizations/:orgId/export/file": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/export/file`,
    answers: 404,
  },
  "GET /api/organizations/:orgId/deletion": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/deletion`,
  },
  "POST /api/organizations/:orgId/deletion": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/deletion`,
    body: () => ({ confirmation: "не то название" }),
    answers: 400,
  },
};
