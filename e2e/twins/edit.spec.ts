// Section 2, Edit twin; sections 5, 7 and 8 for its form, its drafts and the deletion.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, fails, hangs, json, listOf, oneTwin } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { button, field, link, one, specify, text } from "../support/specify.ts";
import { toast } from "../support/toast.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });
const anna = buildTwin(1, { name: "Анна", createdAt: new Date().toISOString() });
const path = `/api/digital-twins/${uuid(1)}`;

specify("2. Edit twin (/edit-twin/{id})", {
  at: `/edit-twin/${uuid(1)}`,
  inSight: true,
  answers: { [`GET ${path}`]: json(anna) },
  calls: [`GET ${path}`],
  shows: [
    ...["Имя двойника", "Описание", "Личность", "Стиль общения", "Область знаний"].map((name) => field(name)),
    button(/^Сохранить/),
    button("Отмена"),
    button("Удалить двойника"),
  ],
  states: [
    {
      name: "loading",
      answers: { [`GET ${path}`]: hangs },
      shows: [one("spinner", (page) => page.locator("main").getByRole("status"))],
    },
    {
      name: "not found",
      answers: { [`GET ${path}`]: fails(404, "Агент не найден") },
      shows: [text("Агент не найден"), link("Вернуться к списку", "/twins")],
    },
    {
      name: "none is stored: the answer is null",
      full: true,
      answers: { [`GET ${path}`]: json(null) },
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
      does: (page) => page.getByRole("button", { name: "Отмена", exact: true }).click(),
      leadsTo: "/twins",
    },
    {
      name: "edit twin success",
      answers: { [`PUT ${path}`]: json(anna) },
      does: async (page) => {
        await page.getByLabel("Имя двойника").fill("Анна Петровна");
        await page.getByRole("button", { name: /^Сохранить/ }).click();
      },
      sends: { call: `PUT ${path}`, body: { name: "Анна Петровна", expertise: ["Чай и кофе"] } },
      toast: ["Агент обновлен!"],
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

test.describe("editing a twin", () => {
  // 3. A manner of another shape, as the specification has it, has the form's defaults.
  const known = { ...buildTwin(1), personality: { traits: ["спокойный"] }, communicationStyle: null };

  test("starts from the twin and saves what is changed", async ({ page }) => {
    const sent: unknown[] = [];
    let failing = true;
    await answering(page, {
      ...listOf(),
      ...oneTwin(known),
      [`PUT /api/digital-twins/${known.id}`]: (route, request) => {
        sent.push(request.postDataJSON());
        return (failing ? fails(403, "Изменять может только владелец") : json(buildTwin(1)))(route, request);
      },
    });
    await page.goto(`/edit-twin/${uuid(1)}`);
    await expect(page.getByLabel("Личность")).toHaveValue("Профессиональный помощник");
    await expect(page.getByLabel("Стиль общения")).toHaveValue("Дружелюбный");
    await expect(page.getByLabel("Область знаний")).toHaveValue("Чай и кофе");
    await page.getByLabel("Стиль общения").fill("");
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByText("Стиль общения обязателен")).toBeVisible();
    await page.getByLabel("Стиль общения").fill("Тепло");
    await page.getByLabel("Область знаний").fill(" ");
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(toast(page)).toContainText("Ошибка обновления");
    await expect(toast(page)).toContainText("Изменять может только владелец");
    failing = false;
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(toast(page)).toContainText("Агент обновлен!");
    await expect(page).toHaveURL("/twins");
    expect(sent[1]).toEqual({
      name: known.name,
      description: known.description,
      personality: "Профессиональный помощник",
      communicationStyle: "Тепло",
      expertise: [],
    });
  });

  test("send whom the twin speaks to once it was changed, and the form shows what is stored", async ({ page }) => {
    const friend = buildTwin(1, { purpose: "friends" });
    const sent: unknown[] = [];
    await answering(page, {
      ...listOf(),
      ...oneTwin(friend),
      [`PUT /api/digital-twins/${friend.id}`]: (route, request) => {
        sent.push(request.postDataJSON());
        return json(friend)(route, request);
      },
    });
    await page.goto(`/edit-twin/${uuid(1)}`);
    const purpose = page.getByRole("group", { name: "Для чего двойник" });
    await expect(purpose.getByRole("radio", { name: /Для друзей/ })).toBeChecked();
    await expect(page.getByLabel("Стиль общения")).toHaveAttribute("placeholder", /«ты»/);
    await purpose.getByRole("radio", { name: /Бизнес/ }).check();
    await expect(page.getByLabel("Стиль общения")).toHaveAttribute("placeholder", /«вы»/);
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect.poll(() => sent).toMatchObject([{ purpose: "business" }]);
  });

  test("send the one area of knowledge that the form shows: the server keeps the others", async ({ page }) => {
    const many = { ...buildTwin(1, { expertise: ["Чай", "Кофе", "Посуда"] }), communicationStyle: { style: "y" } };
    const sent: unknown[] = [];
    await answering(page, {
      ...listOf(),
      ...oneTwin(many),
      [`PUT /api/digital-twins/${many.id}`]: (route, request) => {
        sent.push((request.postDataJSON() as { expertise: unknown }).expertise);
        return json(many)(route, request);
      },
    });
    await page.goto(`/edit-twin/${uuid(1)}`);
    await expect(page.getByLabel("Стиль общения")).toHaveValue("Дружелюбный");
    await page.getByLabel("Область знаний").fill("Травы");
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(page).toHaveURL("/twins");
    expect(sent).toEqual([["Травы"]]);
  });

  test("bring a draft back with a word, over newer data the changed fields alone, and take it back", async ({
    page,
  }) => {
    let stored = buildTwin(1, { description: "Описание, как было", personality: "Личность, как была в первый раз" });
    await answering(page, {
      ...listOf(),
      [`GET /api/digital-twins/${stored.id}`]: (route, request) => json(stored)(route, request),
    });
    await page.goto(`/edit-twin/${uuid(1)}`);
    await page.getByLabel("Описание").fill("Описание из черновика");
    await page.getByLabel("Имя двойника").fill("Имя из черновика");
    // Another member saves another name and another personality meanwhile.
    stored = { ...stored, name: "Новое имя", personality: "Личность, которую изменил коллега" };
    await page.reload();
    const note = page.getByText("Восстановлен черновик");
    await expect(note).toContainText("Поля, которые тем временем изменили, показаны в новом виде");
    await expect(page.getByLabel("Описание")).toHaveValue("Описание из черновика");
    await expect(page.getByLabel("Имя двойника")).toHaveValue("Новое имя");
    await expect(page.getByLabel("Личность")).toHaveValue("Личность, которую изменил коллега");
    await page.getByRole("button", { name: "Отменить" }).click();
    await expect(note).toHaveCount(0);
    await expect(page.getByLabel("Описание")).toHaveValue("Описание, как было");
    await page.reload();
    await expect(page.getByLabel("Описание")).toHaveValue("Описание, как было");
    await expect(note).toHaveCount(0);
  });
});
