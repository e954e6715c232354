/** Tools of a twin, and its acts. Nothing listens at their address: a call fails at once. */
import type { EndpointCase } from "../endpoint-case.ts";

const tool = () => ({
  ...{ title: "Остаток на складе", description: "", enabled: true, degree: "itself", changes: false },
  proof: { everybody: true, channelPhone: null, asked: [] },
  examples: ["есть ли товар 41915"],
  settings: {
    ...{ kind: "http", method: "GET", url: "https://127.0.0.1:9/stock/{item}", idempotent: false },
    fields: [{ name: "item", label: "Номер товара", type: "text", required: true, description: "", choices: [] }],
    ...{ headers: [{ name: "X-Key", value: "s3cret" }], resultPath: "", shown: [] },
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
  "GET /api/tool-connections/calendars": { url: ({ twinId }) => `/api/tool-connections/calendars?twinId=${twinId}` },
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
  "GET /api/acts": { url: () => "/api/acts" },
  "GET /api/acts/count": { url: () => "/api/acts/count" },
  "GET /api/acts/figures": { url: () => "/api/acts/figures" },
  "POST /api/acts/:id/approve": { url: ({ actId }) => `/api/acts/${actId}/approve`, consumes: ["actId"] },
  "POST /api/acts/:id/reject": { url: ({ actId }) => `/api/acts/${actId}/reject`, consumes: ["actId"] },
  "POST /api/acts/:id/settle": {
    url: ({ unknownActId }) => `/api/acts/${unknownActId}/settle`,
    body: () => ({ done: true }),
    consumes: ["unknownActId"],
  },
};
