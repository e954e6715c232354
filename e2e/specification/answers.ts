/** Answers of a server as the specification's fields have them, for the tables beside. */

export const uuid = (n: number) => `8b0e2f1c-0000-4000-8000-${String(n).padStart(12, "0")}`;

export const user = {
  id: uuid(900),
  email: "anna@example.com",
  firstName: "Анна",
  lastName: "Петрова",
  first_name: "Анна",
  last_name: "Петрова",
  fullName: "Анна Петрова",
  username: null,
  telegramUsername: null,
  photo_url: null,
  authMethod: "email",
  emailConfirmed: true,
  role: "org_admin",
  superAdmin: false,
  organizationId: uuid(901),
};

export function twin(n: number, own: Record<string, unknown> = {}) {
  return {
    id: uuid(n),
    name: `Двойник ${n}`,
    description: `Отвечает на вопросы о чае, линия ${n}`,
    personality: "Спокойный и внимательный, шутит к месту",
    communicationStyle: "Коротко и на вы",
    expertise: ["Чай и кофе"],
    status: "ready",
    isActive: true,
    styleAccuracy: null,
    ownerId: user.id,
    lastTrainedAt: null,
    createdAt: "2025-11-20T10:00:00.000Z",
    updatedAt: "2025-11-20T10:00:00.000Z",
    ...own,
  };
}

export const training = {
  status: "ready",
  progress: 1,
  running: false,
  stage: null,
  error: null,
  passages: 3,
  exemplars: 9,
  messages: 20,
};

export const reply = {
  response: "Доставка по Москве 1–2 дня",
  sources: [],
  exemplars: [],
  confidence: 0.82,
  basis: "knowledge",
  reason: "Ответ найден в документе «Доставка».",
  conversationId: uuid(600),
  messageId: "7",
};
