import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";
import { CLIENT_DATA } from "../unsigned-credential.ts";

const assertedCredential = () => ({
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: CLIENT_DATA, authenticatorData: "AAAA", signature: "AAAA" },
});

export const signInCases: Record<string, EndpointCase> = {
  "GET /api/config": { url: () => "/api/config" },
  "GET /api/installation/administrator": { url: () => "/api/installation/administrator" },
  "POST /api/installation/administrator": {
    url: () => "/api/installation/administrator",
    body: () => ({ code: "AAAA-AAAA-AAAA" }),
    answers: 403,
  },
  "GET /api/auth/verify": { url: () => "/api/auth/verify" },
  "POST /api/auth/telegram": {
    url: () => "/api/auth/telegram",
    body: () => ({ id: 1, first_name: "Анна", auth_date: 1, hash: "0".repeat(64) }),
    answers: 401,
  },
  "POST /api/auth/email/login": {
    url: () => "/api/auth/email/login",
    body: () => ({ email: `${randomUUID()}@example.test`, password: "совсем не тот пароль" }),
    answers: 401,
  },
  "POST /api/auth/email/register": {
    url: () => "/api/auth/email/register",
    body: () => ({
      email: `${randomUUID()}@example.test`,
      password: "длинный пароль 1",
      firstName: "А",
      lastName: "Б",
    }),
  },
  "POST /api/auth/email/forgot": {
    url: () => "/api/auth/email/forgot",
    body: () => ({ email: `${randomUUID()}@example.test` }),
  },
  "POST /api/auth/email/reset": {
    url: () => "/api/auth/email/reset",
    body: () => ({ token: "x".repeat(43), password: "длинный пароль 1" }),
    answers: 400,
  },
  "POST /api/auth/email/confirm": {
    url: () => "/api/auth/email/confirm",
    body: () => ({ token: "x".repeat(43) }),
    answers: 400,
  },
  "POST /api/auth/email/confirmation": {
    url: () => "/api/auth/email/confirmation",
    answers: 409,
    consumes: "everything",
  },
  "GET /api/auth/organizations": { url: () => "/api/auth/organizations" },
  "POST /api/auth/organization": {
    url: () => "/api/auth/organization",
    body: ({ organizationId }) => ({ organizationId }),
    references: { organizationId: "organizationId" },
  },
  "POST /api/auth/logout": { url: () => "/api/auth/logout", consumes: "everything" },
  "POST /api/auth/second-factor": {
    url: () => "/api/auth/second-factor",
    body: () => ({ challenge: "x".repeat(43), code: "123456" }),
    answers: 401,
  },
  "POST /api/auth/passkey/options": { url: () => "/api/auth/passkey/options" },
  "POST /api/auth/passkey": {
    url: () => "/api/auth/passkey",
    body: () => ({ credential: assertedCredential() }),
    answers: 401,
  },
};
