import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

const text = (about: string) => `${about} ${randomUUID()}: доставка по Москве занимает один день и стоит 350 рублей.`;

function* closedPorts(): Generator<number, number> {
  for (let port = 300; ; port++) yield port;
}
const ports = closedPorts();

export const knowledgeCases: Record<string, EndpointCase> = {
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
  "GET /api/digital-twins/:id/style-samples": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/style-samples`,
    personal: true,
  },
  "POST /api/digital-twins/:id/style-samples": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/style-samples`,
    body: () => ({ incoming: "Сколько стоит?", text: "Цены есть на сайте" }),
    personal: true,
  },
  "POST /api/digital-twins/:id/style-samples/answers/:answerId": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/style-samples/answers/7c1f6a52-0000-4000-8000-000000000000`,
    personal: true,
    answers: 404,
  },
  "POST /api/digital-twins/:id/phrases/:pairId": {
    url: ({ twinId, pairId }) => `/api/digital-twins/${twinId}/phrases/${pairId}`,
    body: () => ({ open: false, text: "Да, конечно" }),
    personal: true,
  },
  "PUT /api/digital-twins/:id/style-samples/:sampleId": {
    url: ({ twinId, sampleId }) => `/api/digital-twins/${twinId}/style-samples/${sampleId}`,
    body: () => ({ open: false }),
    personal: true,
  },
  "DELETE /api/digital-twins/:id/style-samples/:sampleId": {
    url: ({ twinId, sampleId }) => `/api/digital-twins/${twinId}/style-samples/${sampleId}`,
    consumes: ["sampleId"],
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
  "GET /api/digital-twins/:id/search": { url: ({ twinId }) => `/api/digital-twins/${twinId}/search?q=доставка` },
  "GET /api/knowledge/uses": { url: () => "/api/knowledge/uses" },
  "GET /api/knowledge/facts": { url: () => "/api/knowledge/facts" },
  "GET /api/knowledge/websites": { url: () => "/api/knowledge/websites" },
  "POST /api/knowledge/websites": {
    url: () => "/api/knowledge/websites",
    // Nothing listens there, and each is another site.
    body: ({ twinId }) => ({
      digitalTwinId: twinId,
      url: `http://127.0.0.1:${ports.next().value}`,
      type: "faq",
      own: true,
    }),
    references: { digitalTwinId: "twinId" },
  },
  "GET /api/knowledge/websites/:id/pages": { url: ({ websiteId }) => `/api/knowledge/websites/${websiteId}/pages` },
  "POST /api/knowledge/websites/:id/read": {
    url: ({ websiteId }) => `/api/knowledge/websites/${websiteId}/read`,
    consumes: ["websiteId"],
  },
  "POST /api/knowledge/websites/:id/cancel": { url: ({ websiteId }) => `/api/knowledge/websites/${websiteId}/cancel` },
  "DELETE /api/knowledge/websites/:id": {
    url: ({ websiteId }) => `/api/knowledge/websites/${websiteId}`,
    consumes: ["websiteId"],
  },
  "GET /api/knowledge/documents": { url: () => "/api/knowledge/documents" },
  "GET /api/knowledge/documents/:id": { url: ({ documentId }) => `/api/knowledge/documents/${documentId}` },
  "PUT /api/knowledge/documents/:id": {
    url: ({ documentId }) => `/api/knowledge/documents/${documentId}`,
    body: ({ documentVersion }) => ({ name: "Доставка", content: text("Документ"), version: documentVersion }),
    consumes: ["documentId"],
  },
  "POST /api/knowledge/documents/:id/read": {
    url: ({ pictureDocumentId }) => `/api/knowledge/documents/${pictureDocumentId}/read`,
    consumes: ["pictureDocumentId"],
  },
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
};
