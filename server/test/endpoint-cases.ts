/** For every mounted endpoint a request that succeeds: what the attacks of every-endpoint.test.ts are made from. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestApp, TestClient } from "./test-app.ts";

/** Rows of one organisation. */
export interface Things {
  twinId: string;
  documentId: string;
  importId: string;
  conversationId: string;
}

export interface EndpointCase {
  /** Path parameters filled in, query included. */
  url(things: Things): string;
  /** A JSON body, or a multipart form where `multipart` says so. */
  body?(things: Things): Record<string, unknown>;
  /** Sent as multipart: the file of the form, beside `body`'s fields. */
  file?: { name: string; content(): Promise<Buffer> };
  /** Status for the owner and the administrator, where it is not the endpoint's own. */
  answers?: number;
  /** A second call about the same things would not succeed. */
  consumes?: boolean;
  /** Of the member who made it: for colleagues, whatever their role, it does not exist. */
  personal?: boolean;
  /** Fields of the body that name rows: each is also tried with another organisation's row. */
  references?: Record<string, keyof Things>;
}

const SAMPLE = join(import.meta.dirname, "../imports/formats/samples/telegram-chat.json");
const text = (about: string) => `${about} ${randomUUID()}: доставка по Москве занимает один день и стоит 350 рублей.`;

const twinFields = () => ({
  name: "Анна",
  description: "Отвечает покупателям магазина",
  personality: "Внимательная, спокойная, шутит редко",
  communicationStyle: "Коротко и по делу",
});

export const ENDPOINT_CASES: Record<string, EndpointCase> = {
  "GET /api/config": { url: () => "/api/config" },
  "GET /api/openapi.json": { url: () => "/api/openapi.json" },

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
  "POST /api/auth/logout": { url: () => "/api/auth/logout", consumes: true },

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
  "DELETE /api/digital-twins/:id": { url: ({ twinId }) => `/api/digital-twins/${twinId}`, consumes: true },
  "GET /api/digital-twins/:id/training": { url: ({ twinId }) => `/api/digital-twins/${twinId}/training` },
  "GET /api/digital-twins/:id/search": { url: ({ twinId }) => `/api/digital-twins/${twinId}/search?q=доставка` },

  "GET /api/knowledge/documents": { url: () => "/api/knowledge/documents" },
  "GET /api/knowledge/documents/:id": { url: ({ documentId }) => `/api/knowledge/documents/${documentId}` },
  "DELETE /api/knowledge/documents/:id": {
    url: ({ documentId }) => `/api/knowledge/documents/${documentId}`,
    consumes: true,
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

  "POST /api/imports": {
    url: () => "/api/imports",
    body: ({ twinId }) => ({ digitalTwinId: twinId }),
    file: { name: "result.json", content: () => readFile(SAMPLE) },
    references: { digitalTwinId: "twinId" },
  },
  "GET /api/imports": { url: () => "/api/imports" },
  "GET /api/imports/:id": { url: ({ importId }) => `/api/imports/${importId}`, personal: true },
  "POST /api/imports/:id/start": {
    url: ({ importId }) => `/api/imports/${importId}/start`,
    personal: true,
    body: () => ({ ownerId: "user100200300", consent: true }),
    consumes: true,
  },
  "POST /api/imports/:id/cancel": {
    url: ({ importId }) => `/api/imports/${importId}/cancel`,
    consumes: true,
    personal: true,
  },

  "POST /api/ai-generate": {
    url: () => "/api/ai-generate",
    body: ({ twinId }) => ({ twinId, message: "Сколько стоит доставка?" }),
    references: { twinId: "twinId", conversationId: "conversationId" },
  },
  "GET /api/conversations": { url: () => "/api/conversations" },
  "GET /api/conversations/:id/messages": {
    url: ({ conversationId }) => `/api/conversations/${conversationId}/messages`,
    personal: true,
  },

  "GET /api/dashboard/stats": { url: () => "/api/dashboard/stats" },
  "GET /api/activity/recent": { url: () => "/api/activity/recent" },
};

/** Makes one of everything through the calls that users make. */
export async function makeThings(t: TestApp, client: TestClient): Promise<Things> {
  const made = async (key: string, things: Partial<Things> = {}) => {
    const answer = await send(client, ENDPOINT_CASES[key]!, key, things as Things);
    if (answer.statusCode >= 300) throw new Error(`${key}: ${answer.statusCode} ${answer.body}`);
    return answer.json();
  };
  const twinId: string = (await made("POST /api/digital-twins")).id;
  const documentId: string = (await made("POST /api/knowledge/upload", { twinId })).id;
  const importId: string = (await made("POST /api/imports", { twinId })).id;
  await t.jobsIdle();
  const { conversationId } = await made("POST /api/ai-generate", { twinId });
  return { twinId, documentId, importId, conversationId };
}

/** Sends the case's request, with `changes` over its body's fields. */
export async function send(
  client: Pick<TestClient, "inject">,
  endpointCase: EndpointCase,
  key: string,
  things: Things,
  changes: Record<string, unknown> = {},
) {
  const method = key.split(" ")[0] as "GET" | "POST" | "PUT" | "DELETE";
  const url = encodeURI(endpointCase.url(things));
  const body = endpointCase.body === undefined ? undefined : { ...endpointCase.body(things), ...changes };
  if (endpointCase.file === undefined) {
    return client.inject({ method, url, ...(body === undefined ? {} : { payload: body }) });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  const content = await endpointCase.file.content();
  form.set("file", new Blob([new Uint8Array(content)]), endpointCase.file.name);
  return client.inject({ method, url, payload: form });
}
