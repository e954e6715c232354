// Section 3 and 7: the screens live on the fields that the specification names; where it says that an answer's shape is not
// shown, any will do. Our server's own further fields are in answers.ts.
import type { Page } from "@playwright/test";
import { type Answers, json, user, uuid } from "../answers.ts";
import { test } from "../fixtures.ts";
import { heading, one, specify, text } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const NOW = "2025-11-20T10:00:00.000Z";
const twin = {
  id: uuid(1),
  name: "Анна",
  description: "Отвечает на вопросы",
  personality: { traits: ["спокойная"] },
  expertise: ["Чай"],
  status: "active",
  isActive: true,
  createdAt: NOW,
  updatedAt: NOW,
};
const named: Answers = {
  "GET /api/auth/verify": json({
    user: { id: 1, first_name: "Вера", last_name: "Орлова", username: "vera", photo_url: "", authMethod: "telegram" },
  }),
  "GET /api/digital-twins": json([twin]),
  [`GET /api/digital-twins/${uuid(1)}`]: json(twin),
};
const anything = json({});

specify("3. Dashboard", {
  at: "/dashboard",
  answers: {
    ...named,
    "GET /api/dashboard/stats": json({ activeTwins: 1, dailyMessages: 2, totalTwins: 3, totalMessages: 4 }),
    "GET /api/activity/recent": json([{ id: "1", type: "x", twinName: "А", description: "Событие", timestamp: NOW }]),
  },
  shows: [
    heading("Добро пожаловать, Вера!"),
    one("person", (page) => page.getByRole("button", { name: "Меню пользователя: Вера Орлова" })),
    text("Активен"),
    text("90%"),
    text("Событие"),
  ],
});

specify("7. Test chat: the field that is read is response", {
  at: "/twins",
  answers: named,
  shows: [heading("Анна")],
  acts: [
    {
      name: "a JSON answer",
      answers: { "POST /api/ai-generate": json({ response: "Ответ модели" }) },
      does: async (page) => {
        await page.getByRole("button", { name: "Тест чат" }).click();
        await page.getByRole("textbox", { name: "Сообщение" }).fill("Привет");
        await page.keyboard.press("Enter");
      },
      toast: ["Ответ получен!", "AI агент сгенерировал ответ"],
      shows: [text("Ответ модели")],
    },
  ],
});

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).click();

specify("7. Create twin", {
  at: "/create-twin",
  answers: named,
  shows: [],
  acts: [
    {
      name: "created",
      answers: { "POST /api/digital-twins": anything },
      does: async (page) => {
        for (const [name, value] of Object.entries({
          "Имя двойника": "Анна",
          Описание: "Отвечает покупателям магазина",
          Личность: "Внимательная, спокойная, шутит редко",
          "Стиль общения": "Коротко и по делу",
          "Область знаний": "Доставка и возврат",
        })) {
          await page.getByLabel(name).first().fill(value);
        }
        await press("Создать Агента")(page);
      },
      toast: ["Цифровой двойник создан!"],
    },
  ],
});

specify("7. Twin settings", {
  at: `/twin-settings/${uuid(1)}`,
  answers: named,
  shows: [text("Готов")],
  acts: [
    {
      name: "toggled",
      answers: { [`PUT /api/digital-twins/${uuid(1)}`]: anything },
      does: (page) => page.getByRole("switch").click(),
      toast: ["Статус обновлен"],
    },
  ],
});

specify("3. Train AI: a document's status defaults to processed", {
  at: "/train-ai",
  answers: {
    ...named,
    "GET /api/knowledge/documents": json([
      { id: "1", name: "Доставка", type: "faq", digitalTwinId: uuid(1), content: "По Москве день", tags: [] },
    ]),
  },
  shows: [text("Доставка"), text("Обработан")],
  acts: [
    {
      name: "uploaded",
      answers: { "POST /api/knowledge/upload": anything },
      does: async (page) => {
        await page.getByLabel("Цифровой двойник").selectOption(uuid(1));
        await page.getByLabel("Тип документа").selectOption("faq");
        await page.getByLabel("Название документа").fill("Возврат");
        await page.getByLabel("Содержимое").fill("Товар можно вернуть в течение четырнадцати дней после покупки.");
        await press("Загрузить документ")(page);
      },
      toast: ["Документ загружен!"],
    },
  ],
});

specify("7. Invite user", {
  at: "/org-admin?tab=users",
  shows: [],
  acts: [
    {
      name: "invited",
      answers: { [`POST /api/organizations/${user.organizationId}/users`]: anything },
      does: async (page) => {
        await press("Invite User")(page);
        await page.getByRole("dialog").getByLabel("Email").fill("new@example.com");
        await page.keyboard.press("Enter");
      },
      toast: ["Успех", "Пользователь успешно создан"],
    },
  ],
});
