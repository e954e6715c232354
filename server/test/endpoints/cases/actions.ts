/** Tools of a twin, and its acts. Nothing listens at their address: a call fails at once. */
import type { EndpointCase } from "../endpoint-case.ts";

const tool = () => ({
  ...{ title: "Остаток на складе", description: "", enabled: true, degree: "itself", changes: false },
  proof: { everybody: true, channelPhone: null, asked: [] },
  examples: ["есть ли товар 41915"],
  settings: {
    ...{ kind: "http", method: "GET", url: "https://127.0.0.1:9/stock/{item}", idempotent: false },
    fields: [{ name: "item", label: "Номер товара", type: "text", required: true, description: "", choices: [] }],
    ...{ headers: [{ name: "X-Key", value: "s3cret" }], resultPath: "", shown: [], reportsAll: true },
  },
});

export const actionCases: Record<string, EndpointCase> = {
  "GET /api/tools": { url: () => "/api/tools" },
  "POST /api/tools/tables": {
    url: () => "/api/tools/tables",
    body: ({ twinId }) => ({
      ...{ twinId, name: "Заказы.csv" },
      content: Buffer.from("Номер,Статус\n1,Готов\n").toString("base64"),
    }),
  },
  "POST /api/tools/descriptions": {
    url: () => "/api/tools/descriptions",
    body: ({ twinId }) => ({ twinId, text: JSON.stringify({ openapi: "3.0.0", paths: { "/stock": { get: {} } } }) }),
  },
  "POST /api/tools/chosen": { url: () => "/api/tools/chosen", body: ({ twinId }) => ({ twinId, tools: [tool()] }) },
  "POST /api/tool-connections/calendars": {
    url: () => "/api/tool-connections/calendars",
    body: ({ twinId }) => ({ twinId, url: "https://127.0.0.1:9/", login: "anna", password: "s3cret" }),
    // Nothing listens there.
    answers: 422,
  },
  "POST /api/tools": { url: () => "/api/tools", body: ({ twinId }) => ({ twinId, tool: tool() }) },
  "PUT /api/tools/:id": { url: ({ toolId }) => `/api/tools/${toolId}`, body: tool },
  "POST /api/tools/:id/try": {
    url: ({ toolId }) => `/api/tools/${toolId}/try`,
    body: () => ({ arguments: [{ name: "item", value: "7" }] }),
  },
  "POST /api/tools/try": {
    url: () => "/api/tools/try",
    body: ({ twinId }) => ({ twinId, tool: tool(), arguments: [{ name: "item", value: "7" }] }),
  },
  "DELETE /api/tools/:id": { url: ({ toolId }) => `/api/tools/${toolId}`, consumes: ["toolId"] },
  "GET /api/tool-connections": { url: () => "/api/tool-connections" },
  // No server answers there.
  "POST /api/tool-connections/mcp": {
    url: () => "/api/tool-connections/mcp",
    body: ({ twinId }) => ({ twinId, title: "", url: "https://127.0.0.1:9/mcp", auth: { kind: "none" } }),
    references: { twinId: "twinId" },
    answers: 422,
  },
  "POST /api/tool-connections/:id/renew": {
    url: ({ toolConnectionId }) => `/api/tool-connections/${toolConnectionId}/renew`,
    body: () => ({ kind: "again" }),
    answers: 422,
  },
  "POST /api/tool-connections/:id/read": {
    url: ({ toolConnectionId }) => `/api/tool-connections/${toolConnectionId}/read`,
    answers: 422,
  },
  "POST /api/tool-connections/complete": {
    url: () => "/api/tool-connections/complete",
    body: () => ({ state: "s".repeat(43), code: "code" }),
    // It was never begun.
    answers: 422,
  },
  "PUT /api/tool-connections/:id/proxy": {
    url: ({ toolConnectionId }) => `/api/tool-connections/${toolConnectionId}/proxy`,
    body: () => ({ proxy: "socks5://shop:s3cret@proxy.example.com:1080" }),
  },
  "DELETE /api/tool-connections/:id": {
    url: ({ toolConnectionId }) => `/api/tool-connections/${toolConnectionId}`,
    consumes: ["toolConnectionId"],
  },
  "GET /api/acts": { url: () => "/api/acts" },
  "GET /api/acts/count": { url: () => "/api/acts/count" },
  "GET /api/acts/figures": { url: () => "/api/acts/figures" },
  "GET /api/acts/:id/messages": { url: ({ actId }) => `/api/acts/${actId}/messages` },
  "POST /api/acts/:id/approve": { url: ({ actId }) => `/api/acts/${actId}/approve`, consumes: ["actId"] },
  "POST /api/acts/:id/answer": {
    url: ({ actId }) => `/api/acts/${actId}/answer`,
    body: () => ({ text: "Да, есть" }),
    // It is no question.
    answers: 409,
  },
  "POST /api/acts/:id/reject": { url: ({ actId }) => `/api/acts/${actId}/reject`, consumes: ["actId"] },
  "POST /api/acts/:id/settle": {
    url: ({ unknownActId }) => `/api/acts/${unknownActId}/settle`,
    body: () => ({ done: true }),
    consumes: ["unknownActId"],
  },
};
