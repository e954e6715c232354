import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

export const organizationCases: Record<string, EndpointCase> = {
  "POST /api/auth/invitation": {
    url: () => "/api/auth/invitation",
    body: () => ({ token: "x".repeat(43) }),
    answers: 400,
  },
  "POST /api/auth/invitation/accept": {
    url: () => "/api/auth/invitation/accept",
    body: () => ({ token: "x".repeat(43), password: "длинный пароль 1" }),
    answers: 400,
  },
  "GET /api/organizations/:orgId/stats": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/stats`,
  },
  "GET /api/organizations/:orgId/users": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/users`,
  },
  "POST /api/organizations/:orgId/users": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/users`,
    body: () => ({ email: `${randomUUID()}@example.test`, firstName: "А", lastName: "Б", role: "user" }),
  },
  "PUT /api/organizations/:orgId/users/:userId": {
    url: ({ organizationId, memberId }) => `/api/organizations/${organizationId}/users/${memberId}`,
    body: () => ({ role: "viewer" }),
  },
  "DELETE /api/organizations/:orgId/users/:userId": {
    url: ({ organizationId, memberId }) => `/api/organizations/${organizationId}/users/${memberId}`,
    consumes: ["memberId"],
  },
  "GET /api/organizations/:orgId/users/:userId/holdings": {
    url: ({ organizationId, memberId }) => `/api/organizations/${organizationId}/users/${memberId}/holdings`,
  },
  "GET /api/organizations/:orgId/digital-twins": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/digital-twins`,
  },
  "GET /api/organizations/:orgId/subscription": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/subscription`,
  },
  "PUT /api/organizations/:orgId/subscription": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/subscription`,
    body: ({ planId }) => ({ planId }),
  },
  "GET /api/organizations/:orgId/usage": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/usage`,
  },
  "GET /api/organizations/:orgId/storage": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/storage`,
  },
  "GET /api/organizations/:orgId/payments": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/payments`,
  },
  "GET /api/organizations/:orgId/audit": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/audit?what=group:twins&q=двойник`,
  },
  "POST /api/organizations/:orgId/audit/export": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/audit/export`,
    body: () => ({ format: "csv", from: "2026-01-01" }),
  },
  "GET /api/subscription-plans": { url: () => "/api/subscription-plans" },
  "GET /api/admin/platform/disk": { url: () => "/api/admin/platform/disk" },
  "GET /api/admin/audit": { url: () => "/api/admin/audit" },
  "POST /api/admin/audit/export": { url: () => "/api/admin/audit/export", body: () => ({ format: "csv" }) },
};
