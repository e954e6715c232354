// Section 2: Twins list, Create twin; sections 5, 7 and 8 for them.
import type { Page } from "@playwright/test";
import { fails, hangs, json, reply, streamed, twin, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { button, field, heading, link, one as part, specify, text, texts } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const anna = twin(1, { name: "Анна", createdAt: new Date().toISOString() });
const oleg = twin(2, { name: "Олег", isActive: false, status: "training" });
const list = { "GET /api/digital-twins": json([anna, oleg]) };
const click = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();

async function ask(page: Page) {
  await page.getByRole("button", { name: "Тест чат" }).first().click();
  await write(page);
}

async function write(page: Page) {
  await page.getByRole("textbox", { name: "Сообщение" }).fill("Сколько стоит доставка?");
  await page.keyboard.press("Enter");
}

specify("2. Twins list (/twins)", {
  at: "/twins",
  answers: list,
  calls: ["GET /api/digital-twins"],
  shows: [
    heading("Цифровые двойники"),
    text("Анна"),
    text("Отвечает на вопросы о чае, линия 1"),
    text("Активен"),
    text("Неактивен"),
    link("Настройки", `/twin-settings/${uuid(1)}`),
    link("Редактировать", `/edit-twin/${uuid(1)}`),
    link("Обучить ИИ", "/train-ai"),
    link("Добавить интеграцию", "/add-integration"),
    part("create", (page) => page.getByRole("link", { name: "Create Twin" }), { href: "/create-twin" }),
    // Total, active, inactive, created in the last 30 days.
    texts("four figures", (page) => page.locator("main dl"), [/2$/, /1$/, /1$/, /1$/]),
  ],
  states: [
    { name: "loading", answers: { "GET /api/digital-twins": hangs }, shows: [text("Загружаем двойников...")] },
    {
      name: "empty",
      answers: { "GET /api/digital-twins": json([]) },
      shows: [text("Пока нет цифровых двойников"), link("Создать первого двойника", "/create-twin")],
    },
    {
      name: "failed",
      answers: { "GET /api/digital-twins": fails(503, "База данных недоступна") },
      shows: [text("Не удалось загрузить двойников"), button("Повторить")],
    },
  ],
  acts: [
    {
      name: "one chat at a time; pressing its button again closes it",
      does: async (page) => {
        const toggles = page.getByRole("button", { name: "Тест чат" });
        const expanded = (one: string, other: string) =>
          Promise.all([
            expect.soft(toggles.nth(0)).toHaveAttribute("aria-expanded", one),
            expect.soft(toggles.nth(1)).toHaveAttribute("aria-expanded", other),
          ]);
        await toggles.nth(0).click();
        await expanded("true", "false");
        await toggles.nth(1).click();
        await expanded("false", "true");
        await expect.soft(page.getByRole("textbox", { name: "Сообщение" })).toHaveCount(1);
        await toggles.nth(1).click();
        await expanded("false", "false");
      },
    },
    {
      name: "the send control is disabled while the input is empty",
      here: true,
      does: (page) => page.getByRole("button", { name: "Тест чат" }).first().click(),
      shows: [button("Отправить", { disabled: true })],
    },
    {
      name: "blanks are no message; what is sent leaves the input",
      answers: { "POST /api/ai-generate": streamed(["done", reply]) },
      does: async (page) => {
        await page.getByRole("button", { name: "Тест чат" }).first().click();
        const input = page.getByRole("textbox", { name: "Сообщение" });
        await input.fill("   ");
        await expect.soft(page.getByRole("button", { name: "Отправить" })).toBeDisabled();
        await input.fill("Сколько стоит доставка?");
        await page.keyboard.press("Enter");
        await expect.soft(input).toHaveValue("");
        await expect.soft(page.getByText("Доставка по Москве 1–2 дня").first()).toBeVisible();
        // Kept for this twin alone.
        const toggles = page.getByRole("button", { name: "Тест чат" });
        await toggles.nth(1).click();
        await expect.soft(page.getByText("Сколько стоит доставка?")).toHaveCount(0);
        await toggles.nth(0).click();
      },
      shows: [text("Сколько стоит доставка?"), text("Доставка по Москве 1–2 дня")],
    },
    {
      name: "test chat success",
      answers: { "POST /api/ai-generate": streamed(["delta", { text: reply.response }], ["done", reply]) },
      does: ask,
      sends: { call: "POST /api/ai-generate", body: { twinId: uuid(1), message: "Сколько стоит доставка?" } },
      toast: ["Ответ получен!", "AI агент сгенерировал ответ"],
      shows: [text("Доставка по Москве 1–2 дня")],
    },
    {
      name: "test chat failure",
      here: true,
      answers: { "POST /api/ai-generate": fails(502, "Модель не ответила") },
      does: write,
      toast: ["Ошибка генерации", "HTTP error! status: 502, message: "],
    },
    {
      name: "test chat: disabled while a request is pending",
      here: true,
      answers: { "POST /api/ai-generate": hangs },
      does: write,
      shows: [button("Отправить", { disabled: true })],
    },
  ],
});

async function fillTwin(page: Page) {
  for (const [name, value] of Object.entries({
    "Имя двойника": "Анна",
    Описание: "Отвечает покупателям магазина",
    Личность: "Внимательная, спокойная, шутит редко",
    "Стиль общения": "Коротко и по делу",
    "Область знаний": "Доставка и возврат",
  })) {
    await page.getByLabel(name).first().fill(value);
  }
  await page.getByRole("button", { name: "Создать Агента" }).click();
}

specify("2. Create twin (/create-twin)", {
  at: "/create-twin",
  shows: [
    ...["Имя двойника", "Описание", "Личность", "Стиль общения", "Область знаний"].map((name) => field(name)),
    button("Создать Агента"),
    button("Очистить"),
    // The hint box's next steps.
    ...(
      [
        [/Загрузите документы для обучения/, "/train-ai"],
        [/Telegram, WhatsApp, Email/, "/add-integration"],
        [/Проверьте двойника в диалогах/, "/conversations"],
        [/Настройте CRM интеграцию/, "/crm"],
      ] as const
    ).map(([name, href]) => link(name, href)),
  ],
  acts: [
    {
      name: "«Очистить» empties the form",
      does: async (page) => {
        await page.getByLabel("Имя двойника").fill("Анна");
        await page.getByRole("button", { name: "Очистить" }).click();
        await expect.soft(page.getByLabel("Имя двойника")).toHaveValue("");
      },
    },
    {
      name: "5. nothing is sent before the fields are right",
      here: true,
      does: click("Создать Агента"),
      shows: [
        text("Имя агента обязательно"),
        text("Описание должно содержать минимум 10 символов"),
        text("Описание личности должно быть подробным"),
        text("Опишите стиль общения"),
        text("Укажите область знаний"),
      ],
    },
    {
      name: "create twin success: the form is cleared and the user stays",
      here: true,
      answers: { "POST /api/digital-twins": json(anna, 201) },
      does: async (page) => {
        await fillTwin(page);
        await expect.soft(page.getByLabel("Имя двойника")).toHaveValue("");
      },
      sends: {
        call: "POST /api/digital-twins",
        body: {
          name: "Анна",
          description: "Отвечает покупателям магазина",
          personality: "Внимательная, спокойная, шутит редко",
          communicationStyle: "Коротко и по делу",
          knowledgeArea: "Доставка и возврат",
          status: "training",
        },
      },
      toast: ["Цифровой двойник создан!", "Агент успешно создан и готов к обучению"],
      leadsTo: /\/create-twin$/,
    },
    {
      name: "create twin failure",
      here: true,
      answers: { "POST /api/digital-twins": fails(422, "Слишком много агентов") },
      does: fillTwin,
      toast: ["Ошибка создания", "Слишком много агентов"],
    },
    {
      name: "pending",
      here: true,
      answers: { "POST /api/digital-twins": hangs },
      does: fillTwin,
      shows: [button("Создание...", { disabled: true })],
    },
  ],
});
