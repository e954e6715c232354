import type { EndpointCase } from "../endpoint-case.ts";

export const trainingPairsCases: Record<string, EndpointCase> = {
  "GET /api/digital-twins/:id/training-pairs": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/training-pairs`,
    answers: 200,
    personal: true,
  },
};
