// Section 2: Edit twin, Twin settings; sections 5, 7 and 8 for them.
import type { Page } from "@playwright/test";
import { fails, hangs, json, nothing, training, twin, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { button, field, link, one as part, specify, text, texts } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const anna = twin(1, { name: "Анна", createdAt: new Date().toISOString() });
const click = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();

const one = `/api/digital-twins/${uuid(1)}`;

specify("2. Edit twin (/edit-twin/{id})", {
  at: `/edit-twin/${uuid(1)}`,
  answers: { [`GET ${one}`]: json(anna) },
  calls: [`GET ${one}`],
  shows: [
    ...["Имя двойника", "Описание", "Личность", "Стиль общения", "Область знаний"].map((name) => field(name)),
    button(/^Сохранить/),
    button("Отмена"),
    button("Удалить двойника"),
  ],
  states: [
    {
      name: "loading",
      answers: { [`GET ${one}`]: hangs },
      shows: [part("spinner", (page) => page.locator("main").getByRole("status"))],
    },
    {
      name: "not found",
      answers: { [`GET ${one}`]: fails(404, "Агент не найден") },
      shows: [text("Агент не найден"), link("Вернуться к списку", "/twins")],
    },
    {
      name: "none is stored: the answer is null",
      answers: { [`GET ${one}`]: json(null) },
      shows: [text("Агент не найден"), link("Вернуться к списку", "/twins")],
    },
  ],
  acts: [
    {
      name: "prefilled; knowledgeArea is the first expertise",
      does: (page) => expectFields(page, anna.personality, anna.communicationStyle),
    },
    {
      name: "5. the rules; a knowledge area may be absent",
      here: true,
      does: async (page) => {
        for (const name of ["Имя двойника", "Описание", "Личность", "Стиль общения", "Область знаний"]) {
          await page.getByLabel(name).first().fill("");
        }
        await page.getByRole("button", { name: /^Сохранить/ }).click();
      },
      shows: [
        text("Имя агента обязательно"),
        text("Описание должно содержать минимум 10 символов"),
        text("Описание личности должно быть подробным"),
        text("Стиль общения обязателен"),
      ],
    },
    {
      name: "cancel",
      here: true,
      does: click("Отмена"),
      leadsTo: "/twins",
    },
    {
      name: "a manner of another shape has its defaults",
      answers: {
        [`GET ${one}`]: json({ ...anna, personality: { traits: ["x"] }, communicationStyle: { style: "y" } }),
      },
      does: (page) => expectFields(page, "Профессиональный помощник", "Дружелюбный"),
    },
    {
      name: "7. without a knowledge area expertise is an empty array",
      answers: { [`PUT ${one}`]: json(anna) },
      does: async (page) => {
        await page.getByLabel("Область знаний").fill("");
        await page.getByRole("button", { name: /^Сохранить/ }).click();
      },
      sends: { call: `PUT ${one}`, body: { expertise: [] } },
      leadsTo: "/twins",
    },
    {
      name: "edit twin failure",
      answers: { [`PUT ${one}`]: fails(409, "Агента меняет кто-то другой") },
      does: async (page) => {
        await page.getByLabel("Имя двойника").fill("Анна Петровна");
        await page.getByRole("button", { name: /^Сохранить/ }).click();
      },
      toast: ["Ошибка обновления", "Агента меняет кто-то другой"],
    },
    {
      name: "edit twin success",
      here: true,
      answers: { [`PUT ${one}`]: json(anna) },
      does: async (page) => {
        await page.getByLabel("Имя двойника").fill("Анна Петровна");
        await page.getByRole("button", { name: /^Сохранить/ }).click();
      },
      sends: { call: `PUT ${one}`, body: { name: "Анна Петровна", expertise: ["Чай и кофе"] } },
      toast: ["Агент обновлен!"],
      leadsTo: "/twins",
    },
    {
      name: "delete failure",
      answers: { [`DELETE ${one}`]: fails(403, "Недостаточно прав для этого действия") },
      does: remove,
      toast: ["Ошибка удаления", "Недостаточно прав для этого действия"],
    },
    {
      name: "delete success",
      here: true,
      answers: { [`DELETE ${one}`]: nothing },
      does: remove,
      sends: { call: `DELETE ${one}` },
      toast: ["Агент удален"],
      leadsTo: "/twins",
    },
  ],
});

async function expectFields(page: Page, personality: string, communicationStyle: string) {
  for (const [name, value] of Object.entries({
    "Имя двойника": "Анна",
    Описание: anna.description,
    Личность: personality,
    "Стиль общения": communicationStyle,
    "Область знаний": "Чай и кофе",
  })) {
    await expect.soft(page.getByLabel(name).first(), name).toHaveValue(value);
  }
}

/** The browser's own confirmation, with the specified words. */
async function remove(page: Page) {
  const asked = page.waitForEvent("dialog");
  const click = page.getByRole("button", { name: "Удалить двойника" }).click();
  const dialog = await asked;
  expect(dialog.message()).toBe("Вы уверены, что хотите удалить этого агента? Это действие нельзя отменить.");
  await dialog.accept();
  await click;
}

specify("2. Twin settings (/twin-settings/{id})", {
  at: `/twin-settings/${uuid(1)}`,
  answers: { [`GET ${one}`]: json(anna), [`GET ${one}/training`]: json(training) },
  calls: [`GET ${one}`],
  shows: [
    text("Агент активен и отвечает на сообщения"),
    text("Готов"),
    text("Анна"),
    ...["Информация о двойнике", "Отвечает на вопросы о чае, линия 1", "Создан", "Обновлен"].map((words) =>
      text(words),
    ),
    text("20 ноября 2025 г."),
    text("2,347"),
    text("89%"),
    link("Обучить ИИ", "/train-ai"),
    texts("integrations", (page) => page.getByRole("region", { name: "Интеграции" }).getByRole("listitem"), [
      "EmailНе подключен / Доступно",
      "TelegramНе подключен / Доступно",
    ]),
    link("Добавить интеграцию", "/add-integration"),
    link("К списку", "/twins"),
    link("Редактировать", `/edit-twin/${uuid(1)}`),
    link("Тест чат", `/twins?chat=${uuid(1)}`),
  ],
  states: [
    {
      name: "paused and in training",
      answers: {
        [`GET ${one}`]: json({ ...anna, isActive: false, status: "training" }),
        [`GET ${one}/training`]: json({
          ...training,
          status: "training",
          progress: 0.4,
          running: true,
          stage: "Читаю",
        }),
      },
      shows: [text("Агент приостановлен"), text("В обучении")],
    },
  ],
  acts: [
    {
      name: "status toggle success",
      answers: { [`PUT ${one}`]: json({ ...anna, isActive: false }) },
      does: (page) => page.getByRole("switch").click(),
      sends: { call: `PUT ${one}`, body: { isActive: false } },
      toast: ["Статус обновлен"],
    },
    {
      name: "status toggle failure",
      here: true,
      answers: { [`PUT ${one}`]: fails(500, "Внутренняя ошибка") },
      does: (page) => page.getByRole("switch").click(),
      toast: ["Ошибка обновления", "Внутренняя ошибка"],
    },
    {
      name: "disabled while it is saved",
      here: true,
      answers: { [`PUT ${one}`]: hangs },
      does: (page) => page.getByRole("switch").click(),
      shows: [{ ...part("switch", (page) => page.getByRole("switch")), disabled: true }],
    },
  ],
});
