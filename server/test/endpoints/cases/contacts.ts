import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

export const contactCases: Record<string, EndpointCase> = {
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
  "GET /api/conversations/:id/contact/candidates": {
    url: ({ talkId }) => `/api/conversations/${talkId}/contact/candidates?q=Ив`,
  },
  "POST /api/conversations/:id/contact/channels": {
    url: ({ talkId }) => `/api/conversations/${talkId}/contact/channels`,
    // Merging with itself changes nothing for a caller who may do it.
    body: ({ talkId }) => ({ conversationId: talkId }),
    references: { conversationId: "talkId" },
  },
  "DELETE /api/conversations/:id/contact/channels/:otherId": {
    url: ({ talkId }) => `/api/conversations/${talkId}/contact/channels/${talkId}`,
    answers: 404,
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
};
