import type { EndpointCase } from "../endpoint-case.ts";

export const approvalCases: Record<string, EndpointCase> = {
  "GET /api/approvals": { url: () => "/api/approvals" },
  "GET /api/approvals/count": { url: () => "/api/approvals/count" },
  "GET /api/approvals/:id/earlier": { url: ({ approvalId }) => `/api/approvals/${approvalId}/earlier` },
  "GET /api/past-replies/:id": { url: ({ approvalId }) => `/api/past-replies/${approvalId}` },
  "GET /api/conversations/:id/past-replies": { url: ({ talkId }) => `/api/conversations/${talkId}/past-replies` },
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
};
