/** The platform's administration, and the public calls. */
import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

export const platformCases: Record<string, EndpointCase> = {
  "GET /api/openapi.json": { url: () => "/api/openapi.json" },
  "POST /api/contact": {
    url: () => "/api/contact",
    body: () => ({ name: "Анна", email: "anna@example.test", message: "Нужен двойник для отдела поддержки" }),
  },
  "POST /api/showcase/ask": {
    url: () => "/api/showcase/ask",
    body: () => ({ question: "Сколько стоит доставка по Ярославлю?" }),
  },
  "GET /api/public-plans": { url: () => "/api/public-plans" },
  "GET /api/admin/health": { url: () => "/api/admin/health" },
  "POST /api/admin/health/alerts/test": { url: () => "/api/admin/health/alerts/test" },
  "GET /api/admin/platform/stats": { url: () => "/api/admin/platform/stats" },
  "GET /api/admin/platform/daily": { url: () => "/api/admin/platform/daily" },
  "GET /api/admin/subscription-plans": { url: () => "/api/admin/subscription-plans" },
  "PUT /api/admin/subscription-plans/:id": {
    url: ({ planId }) => `/api/admin/subscription-plans/${planId}`,
    body: () => ({
      name: "Business",
      description: "Для растущей команды",
      price: 4999,
      billingPeriod: "month",
      isActive: true,
      features: ["5 агентов", randomUUID()],
    }),
  },
  "GET /api/admin/organizations": { url: () => "/api/admin/organizations" },
  "POST /api/admin/organizations": {
    url: () => "/api/admin/organizations",
    body: () => ({ name: "Ромашка", email: `${randomUUID()}@example.test` }),
  },
  "GET /api/admin/organizations/:id": { url: ({ organizationId }) => `/api/admin/organizations/${organizationId}` },
  "PUT /api/admin/organizations/:id": {
    url: ({ organizationId }) => `/api/admin/organizations/${organizationId}`,
    body: ({ planId }) => ({ name: `Ромашка ${randomUUID()}`, planId }),
  },
  "GET /api/admin/organizations/:id/users": {
    url: ({ organizationId }) => `/api/admin/organizations/${organizationId}/users`,
  },
  "POST /api/admin/organizations/:id/users": {
    url: ({ organizationId }) => `/api/admin/organizations/${organizationId}/users`,
    body: () => ({ email: `${randomUUID()}@example.test`, firstName: "А", lastName: "Б", role: "org_admin" }),
  },
  "PUT /api/admin/organizations/:id/users/:userId": {
    url: ({ organizationId, memberId }) => `/api/admin/organizations/${organizationId}/users/${memberId}`,
    body: () => ({ role: "viewer" }),
  },
  "DELETE /api/admin/organizations/:id/users/:userId": {
    url: ({ organizationId, memberId }) => `/api/admin/organizations/${organizationId}/users/${memberId}`,
    consumes: ["memberId"],
  },
  "GET /api/admin/organizations/:id/users/:userId/holdings": {
    url: ({ organizationId, memberId }) => `/api/admin/organizations/${organizationId}/users/${memberId}/holdings`,
  },
  "GET /api/admin/payments": { url: () => "/api/admin/payments?status=pending" },
  "PUT /api/admin/payments/:id": {
    url: ({ paymentId }) => `/api/admin/payments/${paymentId}`,
    body: () => ({ status: "paid" }),
    // What another case orders closes the invoices of the organisation.
    consumes: "everything",
  },
};
