import type { EndpointCase } from "../endpoint-case.ts";

const answerOf = (messageId: string) => ({ kind: "message", id: messageId });

const correction = () => ({
  kind: "fact",
  question: "Сколько стоит доставка?",
  text: "Доставка стоит 400 рублей.",
  rules: [],
  scope: "everybody",
});

export const correctionCases: Record<string, EndpointCase> = {
  "GET /api/digital-twins/:id/corrections": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections`,
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections/proposal": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections/proposal`,
    body: ({ messageId }) => ({ from: answerOf(messageId), correction: "Доставка стоит 400 рублей." }),
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections`,
    body: ({ messageId }) => ({ from: answerOf(messageId), ...correction() }),
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections/preview": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections/preview`,
    body: () => ({ question: "Сколько стоит доставка?" }),
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections/decline": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections/decline`,
    body: ({ messageId }) => ({ from: answerOf(messageId) }),
    personal: true,
  },
  "POST /api/digital-twins/:id/corrections/replay": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/corrections/replay`,
    personal: true,
  },
  "PUT /api/digital-twins/:id/corrections/:correctionId": {
    url: ({ twinId, correctionId }) => `/api/digital-twins/${twinId}/corrections/${correctionId}`,
    body: () => ({ active: true, caseKept: true }),
    personal: true,
  },
  "DELETE /api/digital-twins/:id/corrections/:correctionId": {
    url: ({ twinId, correctionId }) => `/api/digital-twins/${twinId}/corrections/${correctionId}`,
    personal: true,
  },
  "GET /api/digital-twins/:id/gaps": { url: ({ twinId }) => `/api/digital-twins/${twinId}/gaps`, personal: true },
  "GET /api/digital-twins/:id/gaps/count": {
    url: ({ twinId }) => `/api/digital-twins/${twinId}/gaps/count`,
    personal: true,
  },
  "POST /api/digital-twins/:id/gaps/:gapId/split": {
    url: ({ twinId, gapId }) => `/api/digital-twins/${twinId}/gaps/${gapId}/split`,
    body: ({ gapQuestionId }) => ({ questionId: gapQuestionId }),
    consumes: ["gapQuestionId"],
    personal: true,
  },
  "PUT /api/digital-twins/:id/gaps/:gapId": {
    url: ({ twinId, gapId }) => `/api/digital-twins/${twinId}/gaps/${gapId}`,
    body: () => ({ decision: "answer", question: "Вы работаете по ночам?", text: "Ночью мы не работаем." }),
    consumes: ["gapId"],
    personal: true,
  },
};
