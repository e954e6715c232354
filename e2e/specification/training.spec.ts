// Section 2, Train AI; sections 5, 7 and 8 for it.
import type { Page } from "@playwright/test";
import { fails, json, training, twin, uuid } from "../answers.ts";
import { test } from "../fixtures.ts";
import { button, options, specify, tab, text, texts } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const CONTENT = "Доставка по Москве занимает один день и стоит 350 рублей, по области три дня.";
const PASTE =
  "Мария: Здравствуйте! Сколько стоит доставка?\nВы: Здравствуйте! По Москве 350 рублей, привозим за один день.\n\nМария: Спасибо!";

async function sendDocument(page: Page) {
  await page.getByLabel("Цифровой двойник").selectOption(uuid(1));
  await page.getByLabel("Тип документа").selectOption("faq");
  await page.getByLabel("Название документа").fill("Доставка");
  await page.getByLabel("Содержимое").fill(CONTENT);
  await page.getByLabel("Теги").fill(" доставка, сроки ,, ");
  await page.getByRole("button", { name: "Загрузить документ" }).click();
}

async function sendDialogue(page: Page) {
  await page.getByRole("tab", { name: "Примеры диалогов" }).click();
  await page.getByLabel("Цифровой двойник").selectOption(uuid(1));
  await page.getByLabel("Платформа").selectOption("whatsapp");
  await page.getByLabel("Имя участника").fill("Мария");
  await page.getByLabel("История переписки").fill(PASTE);
  await page.getByRole("button", { name: "Загрузить переписку" }).click();
}

/** The labels of the form that is shown, in its order. */
const fieldsInOrder = (names: string[]) =>
  texts(
    "fields in order",
    (page) => page.locator("main form label[for]").filter({ visible: true, hasNotText: /Перетащите|Вопрос двойнику/ }),
    names.map((name) => new RegExp(`^${name}`)),
  );

const stored = {
  id: uuid(50),
  name: "Доставка",
  type: "faq",
  status: "processed",
  digitalTwinId: uuid(1),
  content: CONTENT,
  tags: [],
  length: CONTENT.length,
  createdAt: "2026-11-20T10:00:00.000Z",
};

specify("2. Train AI (/train-ai)", {
  at: "/train-ai",
  answers: {
    "GET /api/digital-twins": json([twin(1), twin(2)]),
    [`GET /api/digital-twins/${uuid(1)}/training`]: json(training),
    [`GET /api/digital-twins/${uuid(2)}/training`]: json(training),
  },
  calls: ["GET /api/digital-twins", "GET /api/knowledge/documents"],
  shows: [
    tab("Документы и знания"),
    tab("Примеры диалогов"),
    fieldsInOrder(["Цифровой двойник", "Название документа", "Тип документа", "Содержимое", "Теги"]),
    options("Цифровой двойник", ["Выберите двойника", "Двойник 1", "Двойник 2"]),
    // faq, product, sales, support, training, policy, conversation.
    options("Тип документа", [
      "Выберите тип",
      "Вопросы и ответы",
      "Товары и услуги",
      "Продажи",
      "Поддержка",
      "Обучение",
      "Правила и регламенты",
      "Переписка",
    ]),
    text("Документы пока не загружены"),
    texts("statistics", (page) => page.getByRole("region", { name: "Статистика" }).locator("dl > div"), [
      "Документов0",
      "Двойников2",
      "Готовность85%",
    ]),
  ],
  states: [
    {
      name: "a document's name, type and status",
      answers: { "GET /api/knowledge/documents": json([stored]) },
      shows: [text("Доставка"), text("Обработан")],
      hides: [text("Документы пока не загружены")],
    },
  ],
  acts: [
    {
      name: "5. a document's rules",
      does: (page) => page.getByRole("button", { name: "Загрузить документ" }).click(),
      shows: [
        text("Выберите цифрового двойника"),
        text("Название документа обязательно"),
        text("Содержимое должно быть минимум 50 символов"),
        text("Выберите тип документа"),
      ],
    },
    {
      name: "document success",
      here: true,
      answers: { "POST /api/knowledge/upload": json(stored, 201) },
      does: sendDocument,
      sends: {
        call: "POST /api/knowledge/upload",
        body: {
          digitalTwinId: uuid(1),
          name: "Доставка",
          content: CONTENT,
          type: "faq",
          tags: ["доставка", "сроки"],
          status: "processed",
        },
      },
      toast: ["Документ загружен!"],
    },
    {
      name: "document failure",
      here: true,
      answers: { "POST /api/knowledge/upload": fails(409, "Такой документ уже есть") },
      does: sendDocument,
      toast: ["Ошибка загрузки", "Такой документ уже есть"],
    },
    {
      name: "the dialogues' form",
      here: true,
      does: (page) => page.getByRole("tab", { name: "Примеры диалогов" }).click(),
      shows: [
        fieldsInOrder(["Цифровой двойник", "Имя участника", "Платформа", "История переписки"]),
        // telegram, whatsapp, email, phone, chat.
        options("Платформа", [/./, "Telegram", "WhatsApp", "Email", "Телефон", "Чат"]),
        button("Загрузить переписку"),
      ],
    },
    {
      name: "5. a dialogue's rules",
      here: true,
      does: async (page) => {
        await page.getByRole("tab", { name: "Примеры диалогов" }).click();
        await page.getByRole("button", { name: "Загрузить переписку" }).click();
      },
      shows: [text("История переписки должна содержать минимум 100 символов"), text("Имя участника обязательно")],
    },
    {
      name: "dialogue upload success: «Вы:» is the assistant's side, blank lines are dropped",
      here: true,
      answers: {
        "POST /api/conversations/upload": json({ imported: 3, fromOwner: 1, duplicates: 0, sourceId: uuid(60) }, 201),
      },
      does: sendDialogue,
      sends: {
        call: "POST /api/conversations/upload",
        body: {
          digitalTwinId: uuid(1),
          platform: "whatsapp",
          participants: ["Мария"],
          messages: [{ role: "user" }, { role: "assistant" }, { role: "user" }],
        },
      },
      toast: ["Переписка загружена!"],
    },
    {
      name: "dialogue upload failure",
      here: true,
      answers: { "POST /api/conversations/upload": fails(500, "Внутренняя ошибка") },
      does: sendDialogue,
      toast: ["Ошибка загрузки переписки", "Внутренняя ошибка"],
    },
  ],
});
