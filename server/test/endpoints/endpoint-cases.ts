/** For every mounted endpoint a request that succeeds: what the attacks of every-endpoint.test.ts are made from. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { SourceContents } from "#contract/knowledge/knowledge-base.ts";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import { createSession, hashToken } from "#server/auth/sessions.ts";
import { asTenant } from "#server/db/database.ts";
import {
  businessConnections,
  contactFacts,
  conversationNotes,
  factProposals,
  localModels,
  openReplies,
  outbox,
  passkeys,
  payments,
  replyExamples,
  replyProposals,
  sessions,
  setAsideEvents,
  voiceAdapters,
} from "#server/db/schema.ts";
import { findFacts } from "#server/facts/find-facts.ts";
import { newVoiceName } from "#server/voices/voice-rows.ts";
import { buildContact, buildConversation } from "../factories/build-rows.ts";
import { storeLetters } from "../factories/stored-letters.ts";
import type { TestApp, TestClient } from "../test-app.ts";

const REMOTE_MODEL = {
  ...{ preset: "compatible", baseUrl: "https://models.example/v1", model: "m", apiKey: "key-of-the-model" },
  ...{ currency: "RUB", inputPrice: 1, outputPrice: 2, dailyMoney: 10, enabled: false },
};

/** Rows of one organisation. */
export interface Things {
  twinId: string;
  documentId: string;
  importId: string;
  /** An upload of which nothing has arrived. */
  uploadId: string;
  sourceId: string;
  /** A chat and a person of that source. */
  chatId: string;
  personId: string;
  conversationId: string;
  integrationId: string;
  /** An account that lends it chats. */
  connectionId: string;
  /** A message that it could not read. */
  setAsideId: string;
  /** A contact's conversation there, and an answer that waits in it. */
  talkId: string;
  approvalId: string;
  /** Another answer there, sent a moment ago and still to be taken back. */
  leavingId: string;
  /** What is kept in mind about that contact, and a note of the client's to the conversation. */
  factId: string;
  noteId: string;
  /** The twin's answer in that conversation. */
  messageId: string;
  /** What the twin has learnt of a correction of that answer, and how it was then. */
  correctionId: string;
  versionId: string;
  /** A pair of its history, a reply of its owner's that is open to all, and one that he is asked to open. */
  pairId: string;
  openReplyId: string;
  proposalId: string;
  /** What another of these replies says of the hours, which he is asked to confirm. */
  chatFactId: string;
  organizationId: string;
  /** A webhook of the twin, and what it was told. */
  webhookId: string;
  deliveryId: string;
  /** A voice of the twin, and the file of another that is on its way. */
  voiceId: string;
  voiceFileId: string;
  /** A key of the twin. */
  keyId: string;
  /** Another member of the organisation. */
  memberId: string;
  /** A passkey of the member who made these things, and another session of his. */
  passkeyId: string;
  sessionId: string;
  /** An invoice that waits. */
  paymentId: string;
  /** Nobody's: a plan that all may choose. */
  planId: string;
  /** Nobody's as well: a model on the server. */
  modelId: string;
}

export interface EndpointCase {
  /** Path parameters filled in, query included. */
  url(things: Things): string;
  /** A JSON body, or a multipart form where `multipart` says so. */
  body?(things: Things): Record<string, unknown>;
  /** Sent as multipart: the file of the form, beside `body`'s fields. */
  file?: { name: string; content(): Promise<Buffer> };
  /** Sent as it is. */
  bytes?(): Promise<Buffer>;
  /** Status for the owner and the administrator, where it is not the endpoint's own. */
  answers?: number;
  /** The things that the call uses up, so that a second call with them would fail. */
  consumes?: "everything" | readonly (keyof Things)[];
  /** Only the member who created it can see it: for colleagues of any role it does not exist. */
  personal?: boolean;
  /** Only the member who created it can change it: colleagues of any role can only see it. */
  authors?: boolean;
  /** Its response is an endless stream. */
  endless?: boolean;
  /** Fields of the body that name rows: each is also tried with another organisation's row. */
  references?: Record<string, keyof Things>;
}

const PLAN = "business";
const SAMPLE = join(import.meta.dirname, "../../imports/formats/samples/telegram-chat.json");
const text = (about: string) => `${about} ${randomUUID()}: доставка по Москве занимает один день и стоит 350 рублей.`;

const twinFields = () => ({
  name: "Анна",
  description: "Отвечает покупателям магазина",
  personality: "Внимательная, спокойная, шутит редко",
  communicationStyle: "Коротко и по делу",
});

/** In the right shape, and signed by nobody. */
const clientData = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge: "abc", origin: "x" })).toString(
  "base64url",
);
const assertedCredential = () => ({
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: clientData, authenticatorData: "AAAA", signature: "AAAA" },
});
const attestedCredential = () => ({
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: clientData, attestationObject: "AAAA" },
});

const answerOf = (messageId: string) => ({ kind: "message", id: messageId });
const lesson = () => ({
  kind: "fact",
  question: "Сколько стоит доставка?",
  text: "Доставка стоит 400 рублей.",
  rules: [],
  scope: "everybody",
});

/** Nothing listens there: the connection is refused at once. */
const webhookFields = () => ({
  url: `https://127.0.0.1:9/${randomUUID()}`,
  events: ["reply.sent"],
  includeTexts: false,
  enabled: true,
});

const telegramAccount = () => ({ apiId: "123456", apiHash: randomUUID(), phoneNumber: "+79001234567" });

export const ENDPOINT_CASES: Record<string, EndpointCase> = {
  "GET /api/config": { url: () => "/api/config" },
  "GET /api/openapi.json": { url: () => "/api/openapi.json" },

  "POST /api/contact": {
    url: () => "/api/contact",
    body: () => ({ name: "Анна", email: "anna@example.test", message: "Нужен двойник для отдела поддержки" }),
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

  "GET /api/account/security": { url: () => "/api/account/security" },
  // Nobody here has a password.
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
  "GET /api/account/notices": { url: () => "/api/account/notices" },
  "POST /api/account/notices/seen": { url: () => "/api/account/notices/seen" },
  "POST /api/account/consent": { url: () => "/api/account/consent", body: () => ({ version: CONSENT_VERSION }) },

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
  "GET /api/organizations/:orgId/model-budget": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/model-budget`,
  },
  "PUT /api/organizations/:orgId/model-budget": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/model-budget`,
    body: () => ({ dailyTokens: 100_000 }),
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
  "DELETE /api/organizations/:orgId/remote-model": {
    url: ({ organizationId }) => `/api/organizations/${organizationId}/remote-model`,
  },
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
  "GET /api/subscription-plans": { url: () => "/api/subscription-plans" },
  "GET /api/public-plans": { url: () => "/api/public-plans" },

  "GET /api/admin/platform/stats": { url: () => "/api/admin/platform/stats" },
  "GET /api/admin/platform/disk": { url: () => "/api/admin/platform/disk" },
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
  "GET /api/admin/audit": { url: () => "/api/admin/audit" },
  "POST /api/admin/audit/export": { url: () => "/api/admin/audit/export", body: () => ({ format: "csv" }) },
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
  "POST /api/digital-twins/:id/first-answer": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/first-answer`,
    body: ({ conversationId }) => ({ show: "first", conversationId }),
    references: { conversationId: "conversationId" },
    personal: true,
  },
  "GET /api/digital-twins/:id/quality": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/quality`,
    personal: true,
  },
  "POST /api/digital-twins/:id/quality/measure": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/quality/measure`,
    personal: true,
  },
  "GET /api/digital-twins/:id/voice": { url: ({ twinId }) => `/api/digital-twins/${twinId}/voice`, personal: true },
  "GET /api/digital-twins/:id/voice/data": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/voice/data`,
    personal: true,
    // It has answered too little.
    answers: 409,
  },
  "POST /api/digital-twins/:id/voice/files": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/voice/files`,
    body: () => ({ fileName: `${randomUUID()}.gguf`, bytes: 1000 }),
    personal: true,
    // No model of this server answers.
    answers: 409,
  },
  "PATCH /api/digital-twins/:id/voice/files/:fileId": {
    url: ({ twinId, voiceFileId }) => `/api/digital-twins/${twinId}/voice/files/${voiceFileId}?offset=0`,
    bytes: async () => Buffer.from("GGUF"),
    personal: true,
    consumes: ["voiceFileId"],
  },
  "DELETE /api/digital-twins/:id/voice/files/:fileId": {
    url: ({ twinId, voiceFileId }) => `/api/digital-twins/${twinId}/voice/files/${voiceFileId}`,
    personal: true,
    consumes: ["voiceFileId"],
  },
  "PUT /api/digital-twins/:id/voice/:voiceId": {
    url: ({ twinId, voiceId }) => `/api/digital-twins/${twinId}/voice/${voiceId}`,
    body: () => ({ active: false }),
    personal: true,
  },
  "DELETE /api/digital-twins/:id/voice/:voiceId": {
    url: ({ twinId, voiceId }) => `/api/digital-twins/${twinId}/voice/${voiceId}`,
    personal: true,
    consumes: ["voiceId"],
  },
  "POST /api/digital-twins/:id/voice/measure": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/voice/measure`,
    body: ({ voiceId }) => ({ voiceId }),
    references: { voiceId: "voiceId" },
    personal: true,
    answers: 409,
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
  "GET /api/digital-twins/:id/corrections": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections`,
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections/proposal": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections/proposal`,
    body: ({ messageId }) => ({ from: answerOf(messageId), correction: "Доставка стоит 400 рублей." }),
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections`,
    body: ({ messageId }) => ({ from: answerOf(messageId), ...lesson() }),
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections/preview": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections/preview`,
    body: () => ({ question: "Сколько стоит доставка?" }),
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections/decline": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections/decline`,
    body: ({ messageId }) => ({ from: answerOf(messageId) }),
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections/replay": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections/replay`,
    personal: true,
  },
  "PUT /api/digital-twins/:id/corrections/:correctionId": {
    url: ({ twinId, correctionId }) => `/api/digital-twins/${twinId}/corrections/${correctionId}`,
    body: () => ({ active: true, caseKept: true }),
    personal: true,
  },
  "DELETE /api/digital-twins/:id/corrections/:correctionId": {
    url: ({ twinId, correctionId }) => `/api/digital-twins/${twinId}/corrections/${correctionId}`,
    personal: true,
  },
  "GET /api/digital-twins/:id/open-replies": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/open-replies?q=цена`,
    personal: true,
  },
  "POST /api/digital-twins/:id/open-replies": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/open-replies`,
    body: ({ pairId }) => ({ pairId, question: "Сколько стоит?", reply: "Цены есть на сайте" }),
    consumes: ["pairId"],
    personal: true,
  },
  "PUT /api/digital-twins/:id/open-replies/:replyId": {
    url: ({ twinId, openReplyId }) => `/api/digital-twins/${twinId}/open-replies/${openReplyId}`,
    body: () => ({ open: false }),
    personal: true,
  },
  "DELETE /api/digital-twins/:id/open-replies/:replyId": {
    url: ({ twinId, openReplyId }) => `/api/digital-twins/${twinId}/open-replies/${openReplyId}`,
    consumes: ["openReplyId"],
    personal: true,
  },
  "PUT /api/digital-twins/:id/reply-proposals/:proposalId": {
    url: ({ twinId, proposalId }) => `/api/digital-twins/${twinId}/reply-proposals/${proposalId}`,
    body: () => ({ skipped: true }),
    personal: true,
  },
  "GET /api/digital-twins/:id/chat-facts": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/chat-facts`,
    personal: true,
  },
  "PUT /api/digital-twins/:id/chat-facts/:factId": {
    url: ({ twinId, chatFactId }) => `/api/digital-twins/${twinId}/chat-facts/${chatFactId}`,
    body: () => ({ decision: "confirm", question: "До скольки вы работаете?", text: "Работаем с 10 до 20" }),
    consumes: ["chatFactId"],
    personal: true,
  },
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
  "GET /api/digital-twins/:id/model-budget": { url: ({ twinId }) => `/api/digital-twins/${twinId}/model-budget` },
  "PUT /api/digital-twins/:id/model-budget": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/model-budget`,
    body: () => ({ dailyTokens: 100_000 }),
  },
  "GET /api/digital-twins/:id/training": { url: ({ twinId }) => `/api/digital-twins/${twinId}/training` },
  "GET /api/digital-twins/:id/search": { url: ({ twinId }) => `/api/digital-twins/${twinId}/search?q=доставка` },

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

  "GET /api/knowledge/documents": { url: () => "/api/knowledge/documents" },
  "GET /api/knowledge/documents/:id": { url: ({ documentId }) => `/api/knowledge/documents/${documentId}` },
  "DELETE /api/knowledge/documents/:id": {
    url: ({ documentId }) => `/api/knowledge/documents/${documentId}`,
    consumes: ["documentId"],
  },
  "POST /api/knowledge/upload": {
    url: () => "/api/knowledge/upload",
    body: ({ twinId }) => ({
      digitalTwinId: twinId,
      name: "Доставка",
      content: text("Документ"),
      type: "faq",
      tags: ["а"],
    }),
    references: { digitalTwinId: "twinId" },
  },
  "POST /api/conversations/upload": {
    url: () => "/api/conversations/upload",
    body: ({ twinId }) => ({
      digitalTwinId: twinId,
      platform: "telegram",
      participants: ["Олег"],
      messages: [
        { role: "user", content: text("Вопрос") },
        { role: "assistant", content: "Вы: Да, всё верно" },
      ],
    }),
    references: { digitalTwinId: "twinId" },
  },

  "GET /api/knowledge-base/stats": { url: () => "/api/knowledge-base/stats" },
  "GET /api/knowledge-base/sources": { url: () => "/api/knowledge-base/sources" },
  "GET /api/knowledge-base/messages": { url: () => "/api/knowledge-base/messages?search=вопрос&platform=telegram" },
  "POST /api/integrations/:id/reimport": {
    url: ({ sourceId }) => `/api/integrations/${sourceId}/reimport`,
    answers: 409,
    personal: true,
  },

  "GET /api/knowledge-base/sources/:id/contents": {
    url: ({ sourceId }) => `/api/knowledge-base/sources/${sourceId}/contents`,
    personal: true,
  },
  "DELETE /api/knowledge-base/sources/:id": {
    url: ({ sourceId }) => `/api/knowledge-base/sources/${sourceId}`,
    personal: true,
    consumes: ["sourceId"],
  },
  "DELETE /api/knowledge-base/sources/:id/chats/:chatId": {
    url: ({ sourceId, chatId }) => `/api/knowledge-base/sources/${sourceId}/chats/${chatId}`,
    personal: true,
    consumes: ["sourceId"],
  },
  "DELETE /api/knowledge-base/sources/:id/people/:personId": {
    url: ({ sourceId, personId }) => `/api/knowledge-base/sources/${sourceId}/people/${personId}`,
    personal: true,
    // An import waits to be started.
    answers: 409,
  },

  "POST /api/imports": {
    url: () => "/api/imports",
    body: ({ twinId }) => ({ digitalTwinId: twinId }),
    file: { name: "result.json", content: () => readFile(SAMPLE) },
    references: { digitalTwinId: "twinId" },
  },
  "POST /api/imports/uploads": {
    url: () => "/api/imports/uploads",
    body: ({ twinId }) => ({ digitalTwinId: twinId, fileName: "result.json", bytes: 1000 }),
    references: { digitalTwinId: "twinId" },
  },
  "GET /api/imports/uploads/:id": { url: ({ uploadId }) => `/api/imports/uploads/${uploadId}`, personal: true },
  "PATCH /api/imports/uploads/:id": {
    url: ({ uploadId }) => `/api/imports/uploads/${uploadId}?offset=0`,
    bytes: async () => Buffer.from("{"),
    personal: true,
    consumes: ["uploadId"],
  },
  "DELETE /api/imports/uploads/:id": {
    url: ({ uploadId }) => `/api/imports/uploads/${uploadId}`,
    personal: true,
    consumes: ["uploadId"],
  },
  "POST /api/imports/from-uploads": {
    url: () => "/api/imports/from-uploads",
    body: () => ({ uploadIds: [randomUUID()] }),
    answers: 404,
  },
  "GET /api/imports": { url: () => "/api/imports" },
  "GET /api/imports/:id": { url: ({ importId }) => `/api/imports/${importId}`, personal: true },
  "POST /api/imports/:id/start": {
    url: ({ importId }) => `/api/imports/${importId}/start`,
    personal: true,
    body: () => ({ ownerId: "user100200300", consent: true }),
    consumes: ["importId", "sourceId"],
  },
  "POST /api/imports/:id/cancel": {
    url: ({ importId }) => `/api/imports/${importId}/cancel`,
    consumes: ["importId"],
    personal: true,
  },

  "POST /api/ai-generate": {
    url: () => "/api/ai-generate",
    body: ({ twinId }) => ({ twinId, message: "Сколько стоит доставка?" }),
    references: { twinId: "twinId", conversationId: "conversationId" },
  },
  "GET /api/conversations": { url: () => "/api/conversations" },
  "GET /api/conversations/totals": { url: () => "/api/conversations/totals" },
  "POST /api/conversations": {
    url: () => "/api/conversations",
    body: ({ twinId }) => ({ twinId }),
    references: { twinId: "twinId" },
  },
  "GET /api/conversations/:id": {
    url: ({ conversationId }) => `/api/conversations/${conversationId}`,
    personal: true,
  },
  "PUT /api/conversations/:id": {
    url: ({ conversationId }) => `/api/conversations/${conversationId}`,
    body: () => ({ status: "active" }),
    references: { assigneeId: "memberId" },
    personal: true,
  },
  "DELETE /api/conversations/:id": {
    url: ({ conversationId }) => `/api/conversations/${conversationId}`,
    personal: true,
    consumes: ["conversationId"],
  },
  "GET /api/conversations/:id/messages": {
    url: ({ conversationId }) => `/api/conversations/${conversationId}/messages`,
    personal: true,
  },
  "POST /api/conversations/messages/:id/feedback": {
    url: ({ messageId }) => `/api/conversations/messages/${messageId}/feedback`,
    body: () => ({ rating: 5, comment: "Похоже на меня", correction: "Да, завтра привезём" }),
    personal: true,
  },

  "GET /api/integrations": { url: () => "/api/integrations" },
  "GET /api/crm/integrations": { url: () => "/api/crm/integrations" },
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
  "GET /api/integrations/:id/set-aside": {
    url: ({ integrationId }) => `/api/integrations/${integrationId}/set-aside`,
    personal: true,
  },
  "POST /api/integrations/:id/set-aside/:itemId/retry": {
    url: ({ integrationId, setAsideId }) => `/api/integrations/${integrationId}/set-aside/${setAsideId}/retry`,
    personal: true,
    consumes: ["setAsideId"],
  },
  "DELETE /api/integrations/:id/set-aside/:itemId": {
    url: ({ integrationId, setAsideId }) => `/api/integrations/${integrationId}/set-aside/${setAsideId}`,
    personal: true,
    consumes: ["setAsideId"],
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
    // Nothing listens where Telegram should be: nobody knows the bot's name.
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
    // A bot: nobody has signed in to an account.
    answers: 422,
  },
  "GET /api/integrations/telegram/:id/dialogs": {
    url: ({ integrationId }) => `/api/integrations/telegram/${integrationId}/dialogs`,
    // A bot: nobody has signed in to an account.
    answers: 422,
    personal: true,
  },
  "GET /api/integrations/telegram/:id/import-data": {
    url: ({ integrationId }) => `/api/integrations/telegram/${integrationId}/import-data`,
  },

  "GET /api/stop-switch": { url: () => "/api/stop-switch" },
  "PUT /api/stop-switch": { url: () => "/api/stop-switch", body: () => ({ stopped: false }) },

  "GET /api/approvals": { url: () => "/api/approvals" },
  "GET /api/approvals/count": { url: () => "/api/approvals/count" },
  "GET /api/past-replies/:id": { url: ({ approvalId }) => `/api/past-replies/${approvalId}` },
  "PUT /api/approvals/:id": {
    url: ({ approvalId }) => `/api/approvals/${approvalId}`,
    body: () => ({ text: "Да, завтра привезём" }),
  },
  "POST /api/approvals/:id/approve": {
    url: ({ approvalId }) => `/api/approvals/${approvalId}/approve`,
    consumes: ["integrationId"],
  },
  "POST /api/approvals/:id/reject": {
    url: ({ approvalId }) => `/api/approvals/${approvalId}/reject`,
    consumes: ["integrationId"],
  },
  "POST /api/conversations/:id/pause": { url: ({ talkId }) => `/api/conversations/${talkId}/pause` },
  "POST /api/conversations/:id/resume": { url: ({ talkId }) => `/api/conversations/${talkId}/resume` },

  "GET /api/conversations/:id/answers": { url: ({ talkId }) => `/api/conversations/${talkId}/answers` },
  "POST /api/conversations/:id/messages": {
    url: ({ talkId }) => `/api/conversations/${talkId}/messages`,
    body: () => ({ text: "Да, завтра привезём" }),
    consumes: ["integrationId", "leavingId"],
  },
  "POST /api/approvals/:id/undo": {
    url: ({ leavingId }) => `/api/approvals/${leavingId}/undo`,
    consumes: ["leavingId"],
  },
  "POST /api/conversations/:id/read": { url: ({ talkId }) => `/api/conversations/${talkId}/read` },
  "GET /api/conversations/assignees": { url: () => "/api/conversations/assignees" },
  "GET /api/conversations/:id/contact": { url: ({ talkId }) => `/api/conversations/${talkId}/contact` },
  "PUT /api/conversations/:id/contact": {
    url: ({ talkId }) => `/api/conversations/${talkId}/contact`,
    body: () => ({ name: `Иван ${randomUUID()}` }),
  },
  "DELETE /api/conversations/:id/contact": {
    url: ({ talkId }) => `/api/conversations/${talkId}/contact`,
    // An import waits to be started.
    answers: 409,
  },
  "POST /api/conversations/:id/contact/facts": {
    url: ({ talkId }) => `/api/conversations/${talkId}/contact/facts`,
    body: () => ({ text: "Пьёт только зелёный чай" }),
  },
  "PUT /api/contact-facts/:id": {
    url: ({ factId }) => `/api/contact-facts/${factId}`,
    body: () => ({ text: `Пьёт только зелёный чай ${randomUUID()}` }),
  },
  "DELETE /api/contact-facts/:id": { url: ({ factId }) => `/api/contact-facts/${factId}`, consumes: ["factId"] },
  "GET /api/conversations/:id/notes": { url: ({ talkId }) => `/api/conversations/${talkId}/notes` },
  "POST /api/conversations/:id/notes": {
    url: ({ talkId }) => `/api/conversations/${talkId}/notes`,
    body: () => ({ text: "Перезвонить в пятницу" }),
  },
  "PUT /api/notes/:id": {
    url: ({ noteId }) => `/api/notes/${noteId}`,
    body: () => ({ text: `Перезвонить ${randomUUID()}` }),
    authors: true,
  },
  "DELETE /api/notes/:id": { url: ({ noteId }) => `/api/notes/${noteId}`, consumes: ["noteId"], authors: true },
  "GET /api/events": { url: () => "/api/events", endless: true },

  "GET /api/analytics": { url: () => "/api/analytics?days=30" },
  "GET /api/dashboard/stats": { url: () => "/api/dashboard/stats" },
  "GET /api/activity/recent": { url: () => "/api/activity/recent" },
};

/** Makes one of everything through the calls that users make. */
async function signInThings({ services: { db } }: TestApp, { caller }: TestClient) {
  const { userId } = caller;
  const [passkey] = await db
    .insert(passkeys)
    .values({ userId, name: "Ноутбук", credentialId: randomUUID(), publicKey: Buffer.alloc(1), counter: 0 })
    .returning();
  const { token } = await createSession(db, { ...caller, bound: false });
  const [session] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)));
  return { passkeyId: passkey!.id, sessionId: session!.id };
}

export async function makeThings(t: TestApp, client: TestClient): Promise<Things> {
  const made = async (key: string, things: Partial<Things> = {}) => {
    const answer = await send(client, ENDPOINT_CASES[key]!, key, things as Things);
    if (answer.statusCode >= 300) throw new Error(`${key}: ${answer.statusCode} ${answer.body}`);
    return answer.json();
  };
  const twinId: string = (await made("POST /api/digital-twins")).id;
  const documentId: string = (await made("POST /api/knowledge/upload", { twinId })).id;
  const importId: string = (await made("POST /api/imports", { twinId })).id;
  const { sourceId } = await made("POST /api/conversations/upload", { twinId });
  const uploadId: string = (await made("POST /api/imports/uploads", { twinId })).id;
  const contents = (await client.get(`/api/knowledge-base/sources/${sourceId}/contents`)).json<SourceContents>();
  await t.jobsIdle();
  const { conversationId, messageId } = await made("POST /api/ai-generate", { twinId });
  const correctionId: string = (await made("POST /api/digital-twins/:id/corrections", { twinId, messageId })).id;
  const [{ id: versionId }] = (await client.get(`/api/digital-twins/${twinId}/versions`)).json();
  const replies = await ownerAnswers(t, client, twinId);
  const integrationId: string = (await made("POST /api/integrations/create", { twinId })).id;
  const keyId: string = (await made("POST /api/digital-twins/:id/keys", { twinId })).key.id;
  const webhookId: string = (await made("POST /api/digital-twins/:id/webhooks", { twinId })).webhook.id;
  const talk = await contactWrites(t, client, { twinId, integrationId });
  const connectionId = await lendsChats(t, client, integrationId);
  const setAsideId = await couldNotRead(t, client, integrationId);
  const voices = await hasVoices(t, client, twinId);
  const { organizationId } = client.caller;
  const memberId = (await t.signUp({ role: "user", organizationId })).caller.userId;
  const [invoice] = await asTenant(t.services.db, client.caller, (tx) =>
    tx.insert(payments).values({ orgId: organizationId, planId: PLAN, amount: 4999 }).returning({ id: payments.id }),
  );
  // Without its file: nothing of it can be loaded.
  const [model] = await t.services.db
    .insert(localModels)
    .values({ kind: "embedder", name: "Проба", storedName: `${randomUUID()}-proba`, state: "ready", bytes: 1000 })
    .returning({ id: localModels.id });
  return {
    twinId,
    documentId,
    importId,
    uploadId,
    sourceId,
    chatId: contents.chats[0]!.id,
    personId: contents.people[0]!.id,
    conversationId,
    correctionId,
    versionId,
    ...replies,
    integrationId,
    connectionId,
    setAsideId,
    keyId,
    webhookId,
    deliveryId: (await made("POST /api/digital-twins/:id/webhooks/:webhookId/test", { twinId, webhookId })).id,
    ...talk,
    ...voices,
    messageId,
    organizationId,
    memberId,
    ...(await signInThings(t, client)),
    paymentId: invoice!.id,
    planId: PLAN,
    modelId: model!.id,
  };
}

/** A history: one reply is open to all, one is like another's and proposed, as the training will, and one is neither. */
async function ownerAnswers(t: TestApp, { caller }: TestClient, twinId: string) {
  const place = { orgId: caller.organizationId, twinId };
  const ids = await asTenant(t.services.db, caller, async (tx) => {
    await storeLetters(tx, { ...caller, twinId }, [
      { name: "Олег", incoming: "Где вы находитесь?", reply: "Мы в центре, у парка", audience: "all" },
      { name: "Олег", incoming: "Сколько стоит доставка?", reply: "Цены есть на сайте", audience: "own" },
      { name: "Олег", incoming: "Как вас найти?", reply: "Вход со двора, под аркой", audience: "own" },
      { name: "Мария", incoming: "Где вход?", reply: "Вход со двора, под аркой", audience: "own" },
      { name: "Мария", incoming: "До скольки вы работаете?", reply: "С 10 до 20", audience: "own" },
    ]);
    const [opened] = await tx.select().from(openReplies).where(eq(openReplies.twinId, twinId));
    const pairs = await tx
      .select()
      .from(replyExamples)
      .where(eq(replyExamples.twinId, twinId))
      .orderBy(replyExamples.id);
    const own = pairs.find(({ reply }) => reply === "Цены есть на сайте")!;
    const alike = pairs.findLast(({ reply }) => reply === "Вход со двора, под аркой")!;
    const [proposed] = await tx
      .insert(replyProposals)
      .values({ ...place, replyExampleId: alike.id, reason: "said", people: 2 })
      .returning({ id: replyProposals.id });
    return { pairId: String(own.id), openReplyId: String(opened!.id), proposalId: String(proposed!.id) };
  });
  await findFacts(t.services, { ...caller, twinId }, new AbortController().signal);
  const [fact] = await asTenant(t.services.db, caller, (tx) =>
    tx.select().from(factProposals).where(eq(factProposals.twinId, twinId)),
  );
  return { ...ids, chatFactId: String(fact!.id) };
}

/** Stores two voice adapters whose base model is not installed: a complete one, and one of which nothing has been uploaded. */
async function hasVoices({ services }: TestApp, { caller }: TestClient, twinId: string) {
  const row = { orgId: caller.organizationId, twinId, userId: caller.userId, fileName: "voice.gguf", bytes: 1000 };
  const folder = join(services.config.dataDir, "uploads");
  await mkdir(folder, { recursive: true });
  const names = [newVoiceName(), newVoiceName()];
  for (const name of names) await writeFile(join(folder, name), "");
  const known = { version: 1, baseName: "Qwen3 1.7B", baseShape: "1", rank: 8, sha256: "0" };
  const made = await asTenant(services.db, caller, (tx) =>
    tx
      .insert(voiceAdapters)
      .values([
        { ...row, storedName: names[0]!, ...known },
        { ...row, storedName: names[1]! },
      ])
      .returning({ id: voiceAdapters.id }),
  );
  return { voiceId: made[0]!.id, voiceFileId: made[1]!.id };
}

async function lendsChats(t: TestApp, { caller }: TestClient, integrationId: string): Promise<string> {
  const row = { orgId: caller.organizationId, integrationId, externalId: randomUUID(), name: "Анна" };
  const [made] = await asTenant(t.services.db, caller, (tx) =>
    tx
      .insert(businessConnections)
      .values({ ...row, canReply: true, enabled: true, order: 1 })
      .returning({ id: businessConnections.id }),
  );
  return made!.id;
}

async function couldNotRead(t: TestApp, { caller }: TestClient, integrationId: string): Promise<string> {
  const raw = { update_id: 7, message: { message_id: 7, date: 1, text: "Да", chat: { id: 7, type: "private" } } };
  const [made] = await asTenant(t.services.db, caller, (tx) =>
    tx
      .insert(setAsideEvents)
      .values({ orgId: caller.organizationId, integrationId, name: "7", title: "Сообщение", reason: "Нет", raw })
      .returning({ id: setAsideEvents.id }),
  );
  return made!.id;
}

/** As a channel leaves it: a contact has asked, the twin's answer waits for its owner. */
function contactWrites(t: TestApp, { caller }: TestClient, place: { twinId: string; integrationId: string }) {
  const orgId = caller.organizationId;
  const citations = { sources: [], replyExamples: [], confidence: 0.5, basis: "unknown", reason: "…" };
  return asTenant(t.services.db, caller, async (tx) => {
    const { twinId, integrationId } = place;
    const { id: contactId } = await buildContact(tx, { orgId, twinId });
    const { id: conversationId } = await buildConversation(tx, { orgId, twinId }, { integrationId, contactId });
    const [fact] = await tx.insert(contactFacts).values({ orgId, contactId, text: "Ждёт скидку" }).returning();
    const note = { orgId, conversationId, authorId: caller.userId, text: "Перезвонить" };
    const [noted] = await tx.insert(conversationNotes).values(note).returning();
    const answer = {
      question: "Когда привезёте?",
      text: "Завтра",
      confidence: 0.5,
      citations,
      state: "draft",
    } as const;
    const [waiting] = await tx
      .insert(outbox)
      .values({ orgId, integrationId, conversationId, ...answer })
      .returning({ id: outbox.id });
    const later = { decidedBy: caller.userId, nextAttemptAt: new Date(Date.now() + 3600_000) };
    const [leaving] = await tx
      .insert(outbox)
      .values({ orgId, integrationId, conversationId, ...answer, state: "pending", ...later })
      .returning({ id: outbox.id });
    const ids = { approvalId: waiting!.id, leavingId: leaving!.id, factId: fact!.id, noteId: noted!.id };
    return { talkId: conversationId, ...ids };
  });
}

/** What a stream says first; then the reader leaves. */
async function firstOf(client: Pick<TestClient, "inject">, url: string) {
  const answer = await client.inject({ method: "GET", url, payloadAsStream: true });
  const stream = answer.stream();
  const [first] = (await once(stream, "data")) as [Buffer];
  stream.destroy();
  return Object.assign(answer, { body: String(first) });
}

/** Sends the case's request, with `changes` over its body's fields. */
export async function send(
  client: Pick<TestClient, "inject">,
  endpointCase: EndpointCase,
  key: string,
  things: Things,
  changes: Record<string, unknown> = {},
) {
  const method = key.split(" ")[0] as "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  const url = encodeURI(endpointCase.url(things));
  const body = endpointCase.body === undefined ? undefined : { ...endpointCase.body(things), ...changes };
  if (endpointCase.endless) return firstOf(client, url);
  if (endpointCase.bytes !== undefined) {
    const headers = { "content-type": "application/octet-stream" };
    return client.inject({ method, url, headers, payload: await endpointCase.bytes() });
  }
  if (endpointCase.file === undefined) {
    return client.inject({ method, url, ...(body === undefined ? {} : { payload: body }) });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  const content = await endpointCase.file.content();
  form.set("file", new Blob([new Uint8Array(content)]), endpointCase.file.name);
  return client.inject({ method, url, payload: form });
}
