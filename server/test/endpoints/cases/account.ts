import { randomUUID } from "node:crypto";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import type { EndpointCase } from "../endpoint-case.ts";
import { CLIENT_DATA } from "../unsigned-credential.ts";

const attestedCredential = () => ({
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: CLIENT_DATA, attestationObject: "AAAA" },
});

export const accountCases: Record<string, EndpointCase> = {
  "GET /api/account/security": { url: () => "/api/account/security" },
  // No account here has a password.
  "POST /api/account/confirm": {
    url: () => "/api/account/confirm",
    body: () => ({ password: "не тот пароль" }),
    answers: 403,
  },
  "POST /api/account/confirm/passkey": { url: () => "/api/account/confirm/passkey" },
  "POST /api/account/password": {
    url: () => "/api/account/password",
    body: () => ({ currentPassword: "не тот пароль", newPassword: "длинный пароль 1" }),
    answers: 409,
  },
  "POST /api/account/totp": { url: () => "/api/account/totp" },
  "POST /api/account/totp/confirm": {
    url: () => "/api/account/totp/confirm",
    body: () => ({ code: "123456" }),
    answers: 403,
    consumes: "everything",
  },
  "DELETE /api/account/totp": { url: () => "/api/account/totp" },
  "POST /api/account/recovery-codes": { url: () => "/api/account/recovery-codes", answers: 403 },
  "POST /api/account/passkeys/options": { url: () => "/api/account/passkeys/options" },
  "POST /api/account/passkeys": {
    url: () => "/api/account/passkeys",
    body: () => ({ name: "Телефон", credential: attestedCredential() }),
    answers: 400,
  },
  "PUT /api/account/passkeys/:id": {
    url: ({ passkeyId }) => `/api/account/passkeys/${passkeyId}`,
    body: () => ({ name: `Телефон ${randomUUID().slice(0, 8)}` }),
    personal: true,
  },
  "DELETE /api/account/passkeys/:id": {
    url: ({ passkeyId }) => `/api/account/passkeys/${passkeyId}`,
    consumes: ["passkeyId"],
    personal: true,
  },
  "GET /api/account/sessions": { url: () => "/api/account/sessions" },
  "DELETE /api/account/sessions/:id": {
    url: ({ sessionId }) => `/api/account/sessions/${sessionId}`,
    consumes: ["sessionId"],
    personal: true,
  },
  "POST /api/account/sessions/end": {
    url: () => "/api/account/sessions/end",
    body: () => ({ current: false }),
    consumes: "everything",
  },
  "PUT /api/account/profile": {
    url: () => "/api/account/profile",
    body: () => ({ firstName: "Вера", lastName: "Ёлкина" }),
  },
  "GET /api/account/notifications": { url: () => "/api/account/notifications" },
  "PUT /api/account/notifications": {
    url: () => "/api/account/notifications",
    body: () => ({ draftsPush: true, draftsMail: false, troublePush: true, troubleMail: false }),
  },
  "POST /api/account/notifications/devices": {
    url: () => "/api/account/notifications/devices",
    // Of no browser here: its service is not known.
    body: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "AAAA", auth: "AAAA" } }),
    answers: 400,
  },
  "DELETE /api/account/notifications/devices/:id": {
    url: ({ pushDeviceId }) => `/api/account/notifications/devices/${pushDeviceId}`,
    consumes: ["pushDeviceId"],
    personal: true,
  },
  "POST /api/account/notifications/devices/:id/test": {
    url: ({ pushDeviceId }) => `/api/account/notifications/devices/${pushDeviceId}/test`,
    // Its service is not there.
    answers: 502,
    personal: true,
  },
  "GET /api/account/notices": { url: () => "/api/account/notices" },
  "POST /api/account/notices/seen": { url: () => "/api/account/notices/seen" },
  "POST /api/account/consent": { url: () => "/api/account/consent", body: () => ({ version: CONSENT_VERSION }) },
};
