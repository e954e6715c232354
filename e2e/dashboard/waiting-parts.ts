// What waiting.spec.ts and waiting.full.spec.ts share.
import { buildDashboardStats, buildWaiting } from "../factories/dashboard.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { type Answers, json } from "../support/answers.ts";

export const waiting = buildWaiting({
  channels: {
    total: 1,
    first: [
      {
        id: uuid(9),
        platform: "telegram",
        account: "@shop_bot",
        isBot: true,
        createdAt: NOW,
        twinName: "Анна",
        connection: "action",
        reason: "Telegram больше не принимает токен: введите новый",
      },
    ],
  },
  answers: {
    total: 7,
    first: (["draft", "question", "undelivered"] as const).map((kind, n) => ({
      id: uuid(20 + n),
      conversationId: uuid(30 + n),
      kind,
      contactName: `Собеседник ${n + 1}`,
      platform: "telegram" as const,
      twinName: "Анна",
      question: `Вопрос ${n + 1}`,
      text: kind === "question" ? "" : `Ответ ${n + 1}`,
      mayTeach: kind === "question",
      ...(kind === "question" ? { people: 1 } : {}),
      since: NOW,
    })),
  },
  unread: {
    total: 2,
    first: [
      { conversationId: uuid(40), contactName: "Пётр", platform: "email", lastMessage: "Жду", unread: 2, since: NOW },
      {
        conversationId: uuid(41),
        contactName: "Мария",
        platform: "email",
        lastMessage: "Где вы?",
        unread: 1,
        since: NOW,
      },
    ],
  },
});

export const figures: Answers = { "GET /api/dashboard/stats": json(buildDashboardStats()) };
