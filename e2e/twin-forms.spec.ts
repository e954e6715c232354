// A twin is made, edited, deleted and switched off, against answers of the test's own.
import type { Page } from "@playwright/test";
import { expectAccessibleCrosswise } from "./accessibility.ts";
import { answering, fails, json, listOf, oneTwin, training, twin, user, uuid } from "./answers.ts";
import { expect, test } from "./fixtures.ts";
import { toast } from "./toast.ts";

test.describe("creating a twin", () => {
  const values = {
    "Имя двойника": "Анна",
    Описание: "Отвечает покупателям чая",
    Личность: "Спокойная, внимательная, шутит к месту",
    "Стиль общения": "Коротко и на вы",
    "Область знаний": "Чай и кофе",
  };
  const fill = async (page: Page) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  };

  test("creates one twin for two presses", async ({ page }) => {
    const held = Promise.withResolvers<void>();
    let sent = 0;
    await answering(page, {
      "POST /api/digital-twins": async (route, request) => {
        sent += 1;
        await held.promise;
        return json(twin(1, { name: "Анна" }), 201)(route, request);
      },
    });
    await page.goto("/create-twin");
    await fill(page);
    await page.getByRole("button", { name: "Создать Агента" }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    held.resolve();
    await expect(toast(page)).toContainText("Цифровой двойник создан!");
    expect(sent).toBe(1);
  });

  test("sends the fields, clears the form and stays; a draft survives a reload", async ({ page }) => {
    const held = Promise.withResolvers<void>();
    const sent: unknown[] = [];
    let failing = true;
    await answering(page, {
      "POST /api/digital-twins": async (route, request) => {
        sent.push(request.postDataJSON());
        if (failing) return fails(409, "Лимит двойников исчерпан")(route, request);
        await held.promise;
        return json(twin(1, { name: "Анна" }), 201)(route, request);
      },
    });
    await page.goto("/create-twin");
    await fill(page);
    await page.reload();
    await expect(page.getByLabel("Личность")).toHaveValue(values.Личность);
    await page.getByRole("button", { name: "Создать Агента" }).click();
    await expect(toast(page)).toContainText("Ошибка создания");
    await expect(toast(page)).toContainText("Лимит двойников исчерпан");
    failing = false;
    await page.getByRole("button", { name: "Создать Агента" }).click();
    await expect(page.getByRole("button", { name: "Создание..." })).toBeDisabled();
    held.resolve();
    await expect(toast(page)).toContainText("Цифровой двойник создан!");
    await expect(toast(page)).toContainText("Агент успешно создан и готов к обучению");
    for (const label of Object.keys(values)) await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
    await expect(page).toHaveURL("/create-twin");
    const [name, description, personality, communicationStyle, knowledgeArea] = Object.values(values);
    const expected = { name, description, personality, communicationStyle, knowledgeArea, status: "training" };
    expect(sent[1]).toEqual(expected);

    await fill(page);
    await page.getByRole("button", { name: "Очистить" }).click();
    await page.reload();
    await expect(page.getByLabel("Описание")).toHaveValue("");
  });
});

test.describe("editing a twin", () => {
  const known = twin(1, { personality: { traits: ["спокойный"] }, communicationStyle: null });
  const path = `/edit-twin/${known.id}`;

  test("starts from the twin and saves what is changed", async ({ page }) => {
    const sent: unknown[] = [];
    let failing = true;
    await answering(page, {
      ...listOf(),
      ...oneTwin(known),
      [`PUT /api/digital-twins/${known.id}`]: (route, request) => {
        sent.push(request.postDataJSON());
        return (failing ? fails(403, "Изменять может только владелец") : json(twin(1)))(route, request);
      },
    });
    await page.goto(path);
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

  test("give the twin a public name, shown at once where it has one, sent only when it was changed", async ({
    page,
  }) => {
    const sent: Record<string, unknown>[] = [];
    await answering(page, {
      ...oneTwin(twin(1, { publicName: "Чайная лавка" })),
      [`PUT /api/digital-twins/${uuid(1)}`]: (route, request) => {
        sent.push(request.postDataJSON() ?? {});
        return json(twin(1))(route, request);
      },
    });
    for (const name of ["Чайная лавка", "Полтора чайника", ""]) {
      await page.goto(`/edit-twin/${uuid(1)}`);
      const field = page.getByLabel("Публичное имя", { exact: true });
      await expect(field).toHaveValue("Чайная лавка");
      await field.fill(name);
      await page.getByRole("button", { name: "Сохранить" }).click();
      await expect(toast(page)).toContainText("Агент обновлен!");
    }
    expect(sent.map(({ publicName }) => publicName)).toEqual([undefined, "Полтора чайника", null]);
  });

  test("keep the other areas of knowledge, which the form does not show", async ({ page }) => {
    const many = twin(1, { expertise: ["Чай", "Кофе", "Посуда"] });
    const sent: unknown[] = [];
    await answering(page, {
      ...listOf(),
      ...oneTwin(many),
      [`PUT /api/digital-twins/${many.id}`]: (route, request) => {
        sent.push((request.postDataJSON() as { expertise: unknown }).expertise);
        return json(many)(route, request);
      },
    });
    await page.goto(path);
    await page.getByLabel("Область знаний").fill("Травы");
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(page).toHaveURL("/twins");
    expect(sent).toEqual([["Травы", "Кофе", "Посуда"]]);
  });

  test("bring a draft back with a word, over newer data the changed fields alone, and take it back", async ({
    page,
  }) => {
    let stored = twin(1, { description: "Описание, как было", personality: "Личность, как была в первый раз" });
    await answering(page, {
      ...listOf(),
      [`GET /api/digital-twins/${stored.id}`]: (route, request) => json(stored)(route, request),
    });
    await page.goto(path);
    await page.getByLabel("Описание").fill("Описание из черновика");
    await page.getByLabel("Имя двойника").fill("Имя из черновика");
    // Somebody else saves another name and another personality meanwhile.
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

  test("deletes only after the question is answered with yes", async ({ page }) => {
    let failing = true;
    let calls = 0;
    await answering(page, {
      ...listOf(),
      ...oneTwin(twin(1)),
      [`DELETE /api/digital-twins/${known.id}`]: (route, request) => {
        calls += 1;
        return failing ? fails(403, "Удалять может только владелец")(route, request) : route.fulfill({ status: 204 });
      },
    });
    const questions: string[] = [];
    let yes = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return yes ? dialog.accept() : dialog.dismiss();
    });
    await page.goto(path);
    const remove = page.getByRole("button", { name: "Удалить двойника" });
    await remove.click();
    expect(calls).toBe(0);
    yes = true;
    await remove.click();
    await expect(toast(page)).toContainText("Ошибка удаления");
    failing = false;
    await remove.click();
    await expect(toast(page)).toContainText("Агент удален");
    await expect(page).toHaveURL("/twins");
    expect(new Set(questions)).toEqual(
      new Set(["Вы уверены, что хотите удалить этого агента? Это действие нельзя отменить."]),
    );
  });
});

test.describe("a twin's settings", () => {
  test("pause the twin, and say when that fails", async ({ page }) => {
    const held = Promise.withResolvers<void>();
    let state = twin(1, { createdAt: "2025-11-10T10:00:00.000Z" });
    let failing = false;
    const sent: unknown[] = [];
    await answering(page, {
      ...listOf(state),
      [`GET /api/digital-twins/${state.id}`]: (route, request) => json(state)(route, request),
      [`PUT /api/digital-twins/${state.id}`]: async (route, request) => {
        sent.push(request.postDataJSON());
        await held.promise;
        if (failing) return fails(403, "Изменять может только владелец")(route, request);
        state = { ...state, isActive: false };
        return json(state)(route, request);
      },
    });
    await page.goto(`/twin-settings/${state.id}`);
    const toggle = page.getByRole("switch", { name: "Активность" });
    await expect(page.getByText("Агент активен и отвечает на сообщения")).toBeVisible();
    await expect(page.getByText("Готов", { exact: true })).toBeVisible();
    for (const text of ["2,347", "89%", "10 ноября 2025 г.", "20 ноября 2025 г."]) {
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    }
    await expect(page.getByText("Не подключен / Доступно")).toHaveCount(2);
    await toggle.click();
    await expect(toggle).toBeDisabled();
    await expect(toggle).toBeChecked();
    held.resolve();
    await expect(toast(page)).toContainText("Статус обновлен");
    await expect(page.getByText("Агент приостановлен", { exact: true })).toBeVisible();
    expect(sent).toEqual([{ isActive: false }]);
    failing = true;
    await toggle.click();
    await expect(toast(page)).toContainText("Ошибка обновления");
    await expect(toggle).not.toBeChecked();

    await page.getByRole("link", { name: "Тест чат" }).click();
    await expect(page).toHaveURL(`/twins?chat=${state.id}`);
    await expect(page.getByRole("region", { name: "Тест чат: Двойник 1" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Сообщение" })).toBeFocused();
  });

  test("send one change for two presses, and take the next when it is done", async ({ page }) => {
    const held = Promise.withResolvers<void>();
    let state = twin(1);
    const sent: unknown[] = [];
    await answering(page, {
      [`GET /api/digital-twins/${state.id}`]: (route, request) => json(state)(route, request),
      [`PUT /api/digital-twins/${state.id}`]: async (route, request) => {
        sent.push(request.postDataJSON());
        await held.promise;
        state = { ...state, ...request.postDataJSON() };
        return json(state)(route, request);
      },
    });
    await page.goto(`/twin-settings/${state.id}`);
    const toggle = page.getByRole("switch", { name: "Активность" });
    // Both presses before the page has drawn anything: no browser's double click is quicker.
    await toggle.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    held.resolve();
    await expect(toast(page)).toContainText("Статус обновлен");
    await expect(toggle).not.toBeChecked();
    await toggle.click();
    await expect(toggle).toBeChecked();
    expect(sent).toEqual([{ isActive: false }, { isActive: true }]);
  });

  test("follow a training to its end", async ({ page }) => {
    let state = twin(1, { status: "training" });
    let progress: object = {
      ...training,
      status: "training",
      progress: 0.4,
      running: true,
      stage: "Разбираем переписки",
    };
    await answering(page, {
      ...listOf(state),
      [`GET /api/digital-twins/${state.id}`]: (route, request) => json(state)(route, request),
      [`GET /api/digital-twins/${state.id}/training`]: (route, request) => json(progress)(route, request),
    });
    await page.goto(`/twin-settings/${state.id}`);
    await expect(page.getByText("В обучении")).toBeVisible();
    await expect(page.getByText("Разбираем переписки")).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "Обучение двойника" })).toHaveAttribute("aria-valuenow", "40");
    state = { ...state, status: "ready" };
    progress = training;
    await expect(page.getByText("Обучение закончено.")).toBeVisible();
    await expect(page.getByText("Готов", { exact: true })).toBeVisible();
  });
});

test.describe("who may only look", () => {
  const viewer = { "GET /api/auth/verify": json({ user: { ...user, role: "viewer" } }) };
  const reason = "Только просмотр: ваша роль не позволяет ничего менять.";

  test("is told so instead of filling in a form in vain", async ({ page }) => {
    const mine = twin(1);
    await answering(page, { ...viewer, ...listOf(mine), ...oneTwin(mine) });
    await page.goto("/create-twin");
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByLabel("Имя двойника")).toBeDisabled();
    await expect(page.getByRole("button", { name: "Создать Агента" })).toBeDisabled();
    await expectAccessibleCrosswise(page, "the create form of who may only look");
    await page.goto(`/edit-twin/${mine.id}`);
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByLabel("Личность")).toBeDisabled();
    for (const name of ["Сохранить", "Удалить двойника"]) {
      await expect(page.getByRole("button", { name })).toBeDisabled();
    }
    await page.getByRole("button", { name: "Отмена" }).click();
    await expect(page).toHaveURL("/twins");
    await page.goto(`/twin-settings/${mine.id}`);
    const toggle = page.getByRole("switch", { name: "Активность" });
    await expect(toggle).toBeDisabled();
    await expect(toggle).toHaveAccessibleDescription(/Агент активен и отвечает на сообщения Только просмотр/);
  });

  test("is also who reads a colleague's twin without being an administrator", async ({ page }) => {
    const foreign = twin(1, { ownerId: uuid(777) });
    const own = twin(2);
    const member = { "GET /api/auth/verify": json({ user: { ...user, role: "user" } }) };
    await answering(page, { ...member, ...listOf(foreign, own), ...oneTwin(foreign), ...oneTwin(own) });
    await page.goto(`/twin-settings/${foreign.id}`);
    await expect(page.getByText("Только просмотр: этого двойника меняют его владелец")).toBeVisible();
    await expect(page.getByRole("switch", { name: "Активность" })).toBeDisabled();
    await page.goto(`/twin-settings/${own.id}`);
    await expect(page.getByRole("switch", { name: "Активность" })).toBeEnabled();
    await expect(page.getByText("Только просмотр")).toBeHidden();
  });
});

test("the forms have nothing that axe objects to, and the first wrong field has the focus", async ({ page }) => {
  const known = twin(1);
  await answering(page, { ...listOf(known), ...oneTwin(known) });
  await page.goto("/create-twin");
  await page.getByRole("button", { name: "Создать Агента" }).click();
  await expect(page.getByText("Имя агента обязательно")).toBeVisible();
  await expect(page.getByLabel("Имя двойника", { exact: true })).toBeFocused();
  await expectAccessibleCrosswise(page, "a form with errors");
  await page.goto(`/twin-settings/${known.id}`);
  await expect(page.getByRole("switch")).toBeVisible();
  await expectAccessibleCrosswise(page, "the settings");
});
