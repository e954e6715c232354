/** Conversations with contacts and with the test chat, and what could not be read in them. */
import type { EndpointCase } from "../endpoint-case.ts";

export const conversationCases: Record<string, EndpointCase> = {
  "GET /api/search": { url: () => "/api/search?q=доставка" },
  "POST /api/digital-twins/:id/first-answer": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/first-answer`,
    body: ({ conversationId }) => ({ show: "first", conversationId }),
    references: { conversationId: "conversationId" },
    personal: true,
  },
  "POST /api/ai-generate": {
    url: () => "/api/ai-generate",
    body: ({ twinId }) => ({ twinId, message: "Сколько стоит доставка?" }),
    references: { twinId: "twinId", conversationId: "conversationId" },
  },
  "GET /api/conversations": { url: () => "/api/conversations" },
  "GET /api/conversations/search": { url: () => "/api/conversations/search?q=доставка" },
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
  "GET /api/media/:id": { url: ({ mediaId }) => `/api/media/${mediaId}` },
  "GET /api/conversations/:id/messages": {
    url: ({ conversationId }) => `/api/conversations/${conversationId}/messages`,
    personal: true,
  },
  "POST /api/conversations/messages/:id/feedback": {
    url: ({ messageId }) => `/api/conversations/messages/${messageId}/feedback`,
    body: () => ({ rating: 5, comment: "Похоже на меня", correction: "Да, завтра привезём" }),
    personal: true,
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
  "POST /api/conversations/:id/read": { url: ({ talkId }) => `/api/conversations/${talkId}/read` },
  "GET /api/conversations/assignees": { url: () => "/api/conversations/assignees" },
  "GET /api/conversations/snooze-times": { url: () => "/api/conversations/snooze-times" },
  "POST /api/conversations/acts": {
    url: () => "/api/conversations/acts",
    body: ({ talkId, labelId }) => ({ ids: [talkId], act: { kind: "label", labelId } }),
  },
  "GET /api/labels": { url: () => "/api/labels" },
  "POST /api/labels": { url: () => "/api/labels", body: () => ({ name: "Опт" }) },
  "DELETE /api/labels/:id": { url: ({ labelId }) => `/api/labels/${labelId}`, consumes: ["labelId"] },
  "GET /api/saved-replies": { url: () => "/api/saved-replies" },
  "POST /api/saved-replies": {
    url: () => "/api/saved-replies",
    body: () => ({ title: "Доставка", text: "{имя}, доставим завтра" }),
  },
  "PUT /api/saved-replies/:id": {
    url: ({ savedReplyId }) => `/api/saved-replies/${savedReplyId}`,
    body: () => ({ title: "Доставка", text: "{имя}, доставим послезавтра" }),
  },
  "DELETE /api/saved-replies/:id": {
    url: ({ savedReplyId }) => `/api/saved-replies/${savedReplyId}`,
    consumes: ["savedReplyId"],
  },
  "GET /api/events": { url: () => "/api/events", endless: true },
};
