import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EndpointCase } from "../endpoint-case.ts";

const SAMPLE = join(import.meta.dirname, "../../../imports/formats/samples/telegram-chat.json");

export const importCases: Record<string, EndpointCase> = {
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
};
