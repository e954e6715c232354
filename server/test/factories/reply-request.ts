/** What a generator is asked to answer: a question of a tea shop's customer, and the document that answers it. */
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";

export const QUESTION_ABOUT_DELIVERY: ReplyRequest = {
  twin: {
    name: "Иван",
    publicName: "Чайная лавка",
    description: "Продаёт сыр",
    personality: "Спокойный",
    communicationStyle: "Коротко",
    expertise: ["сыр"],
  },
  profile: null,
  message: "Когда привезут заказ?",
  history: [],
  chunks: [
    {
      id: "p",
      documentId: "d",
      name: "Доставка",
      heading: "",
      text: "Курьер привозит заказ завтра к обеду. Курьера зовут по телефону +7 912 345-67-89.",
      score: 1,
      sentences: [],
    },
  ],
  replyExamples: [],
  confidence: { chunks: 0.9, replyExamples: 0 },
  plan: { kind: "knowledge", confidence: 0.9, reason: "" },
};
