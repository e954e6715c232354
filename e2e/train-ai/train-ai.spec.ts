// Section 2, Train AI; sections 3, 5 and 7 for its forms and the fields that it lives on.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";
import { buildTraining, buildTwin } from "../factories/twin.ts";
import { fails, json } from "../support/answers.ts";
import { test } from "../support/fixtures.ts";
import { named } from "../support/named-fields.ts";
import { button, field, link, one, options, specify, tab, text, texts } from "../support/specify.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const inPanel = (words: RegExp) => (page: Page) =>
  page.getByRole("region", { name: "Загруженные документы" }).getByRole("listitem").getByText(words);

/** The labels of the form that is shown, in its order. */
const fieldsInOrder = (names: string[]) =>
  texts(
    "fields in order",
    (page) => page.locator("main form label[for]").filter({ visible: true, hasNotText: /Перетащите|Вопрос двойнику/ }),
    names.map((name) => new RegExp(`^${name}`)),
  );

/** The side panel stands beside both forms. */
const panel = [
  text("Загруженные документы"),
  one("a document's name", inPanel(/^Доставка$/)),
  one("its type", inPanel(/^Вопросы и ответы$/)),
  one("its status", inPanel(/^Обработан$/)),
  one("a document that is read", inPanel(/^Обрабатывается$/)),
  text("Советы по обучению"),
  texts("statistics", (page) => page.getByRole("region", { name: "Статистика" }).locator("dl > div"), [
    "Документов4",
    "Двойников2",
    "Готовность85%",
  ]),
  texts("all documents", (page) => page.getByRole("region", { name: "Загруженные документы" }).getByRole("listitem"), [
    /^Документ 3/,
    /^Доставка/,
    /^Документ 1/,
    /^Документ 2/,
  ]),
];

specify("2. Train AI (/train-ai)", {
  at: "/train-ai",
  inSight: true,
  answers: {
    "GET /api/digital-twins": json([buildTwin(1), buildTwin(2)]),
    [`GET /api/digital-twins/${uuid(1)}/training`]: json(buildTraining()),
    [`GET /api/digital-twins/${uuid(2)}/training`]: json(buildTraining()),
    "GET /api/knowledge/documents": json([
      buildDocument(0, { name: "Доставка" }),
      buildDocument(1),
      buildDocument(2),
      buildDocument(3, { status: "processing" }),
    ]),
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
    ...panel,
  ],
  states: [
    {
      name: "no documents",
      answers: { "GET /api/knowledge/documents": json([]) },
      shows: [text("Документы пока не загружены"), text("Советы по обучению"), text("85%")],
    },
    {
      name: "without a twin: tabs, form and panel stand",
      answers: { "GET /api/digital-twins": json([]) },
      shows: [
        tab("Документы и знания"),
        tab("Примеры диалогов"),
        field("Название документа"),
        button("Загрузить документ"),
        text("Пока нет цифровых двойников"),
        link("Создать двойника", "/create-twin"),
        text("Советы по обучению"),
      ],
    },
    {
      name: "twins cannot be loaded: tabs, form and panel stand",
      answers: { "GET /api/digital-twins": fails(503, "База данных временно недоступна") },
      shows: [tab("Примеры диалогов"), field("Название документа"), text("Доставка"), text("Статистика")],
    },
  ],
  acts: [
    {
      name: "the conversations' form",
      does: (page) => page.getByRole("tab", { name: "Примеры диалогов" }).click(),
      shows: [
        fieldsInOrder(["Цифровой двойник", "Имя участника", "Платформа", "История переписки"]),
        // telegram, whatsapp, email, phone, chat.
        options("Платформа", [/./, "Telegram", "WhatsApp", "Email", "Телефон", "Чат"]),
        button("Загрузить переписку"),
        ...panel,
      ],
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
  hides: [text("Документы пока не загружены")],
  acts: [
    {
      name: "uploaded",
      answers: { "POST /api/knowledge/upload": json({}) },
      does: async (page) => {
        await page.getByLabel("Цифровой двойник").selectOption(uuid(1));
        await page.getByLabel("Тип документа").selectOption("faq");
        await page.getByLabel("Название документа").fill("Возврат");
        await page.getByLabel("Содержимое").fill("Товар можно вернуть в течение четырнадцати дней после покупки.");
        await page.getByRole("button", { name: "Загрузить документ" }).click();
      },
      toast: ["Документ загружен!"],
    },
  ],
});
