import { randomUUID } from "node:crypto";
import type { EndpointCase } from "../endpoint-case.ts";

export const voiceCases: Record<string, EndpointCase> = {
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
};
