// Section 2, Twin settings; sections 7 to 9 for them: the figures, the switch and the training that is followed.
import { uuid } from "../factories/ids.ts";
import { buildIntegration } from "../factories/integration.ts";
import { buildTraining, buildTwin } from "../factories/twin.ts";
import { answering, fails, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { named } from "../support/named-fields.ts";
import { link, specify, text, texts } from "../support/specify.ts";
import { toast } from "../support/toast.ts";
import { anna, path } from "./settings-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

specify("2. Twin settings (/twin-settings/{id})", {
  at: `/twin-settings/${uuid(1)}`,
  inSight: true,
  answers: { [`GET ${path}`]: json(anna), [`GET ${path}/training`]: json(buildTraining()) },
  calls: [`GET ${path}`],
  shows: [
    text("Агент активен и отвечает на сообщения"),
    text("Готов"),
    text("Анна"),
    ...["Информация о двойнике", "Отвечает на вопросы о чае, линия 1", "Создан", "Обновлен"].map((words) =>
      text(words),
    ),
    text("10 ноября 2025 г."),
    text("20 ноября 2025 г."),
    text("2,347"),
    text("89%"),
    link("Обучить ИИ", "/train-ai"),
    texts("integrations", (page) => page.getByRole("region", { name: "Интеграции" }).getByRole("listitem"), [
      "EmailНе подключен / Доступно",
      "TelegramНе подключен / Доступно",
    ]),
    link("Добавить интеграцию", "/add-integration"),
    texts("one way back", (page) => page.getByRole("main").getByRole("link", { name: "К списку" }), ["К списку"]),
    link("К списку", "/twins"),
    link("Редактировать", `/edit-twin/${uuid(1)}`),
    link("Тест чат", `/twins?chat=${uuid(1)}`),
    texts("at the bottom", (page) => page.getByRole("navigation", { name: "Дальше" }).getByRole("link"), [
      "К списку",
      "Редактировать",
      "Тест чат",
    ]),
  ],
  states: [
    {
      name: "a channel without a connection leads to what happened",
      answers: {
        "GET /api/integrations": json([
          {
            ...buildIntegration(1, {
              connection: "trouble",
              trouble: "Telegram недоступен",
              account: "@anna",
              isBot: true,
            }),
            ...{ limitation: null, setAside: 0, lastEvent: null, webhook: null, workingHours: null },
            reimport: { obstacle: null, running: false, failure: null },
          },
        ]),
      },
      shows: [
        text("Нет связи"),
        text("Что случилось и что делать"),
        link("Telegram", `/integrations/${buildIntegration(1).id}`),
      ],
    },
  ],
  acts: [
    {
      name: "the bottom buttons stand under everything else of the twin",
      does: async (page) => {
        const bottom = await page.getByRole("navigation", { name: "Дальше" }).boundingBox();
        for (const region of await page.locator("main").getByRole("region").all()) {
          const box = await region.boundingBox();
          expect.soft((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bottom?.y ?? 0);
        }
      },
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
      answers: { [`PUT /api/digital-twins/${uuid(1)}`]: json({}) },
      does: (page) => page.getByRole("switch").click(),
      toast: ["Статус обновлен"],
    },
  ],
});

test.describe("a twin's settings", () => {
  test("pause the twin, and say when that fails", async ({ page }) => {
    const held = Promise.withResolvers<void>();
    let state = buildTwin(1, { createdAt: "2025-11-10T10:00:00.000Z" });
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
    await expect(toast(page)).toContainText("Изменять может только владелец");
    await expect(toggle).not.toBeChecked();

    await page.getByRole("link", { name: "Тест чат" }).first().click();
    await expect(page).toHaveURL(`/twins?chat=${state.id}`);
    await expect(page.getByRole("region", { name: "Тест чат: Двойник 1" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Сообщение" })).toBeFocused();
  });

  test("send one change for two presses, and take the next when it is done", async ({ page }) => {
    const held = Promise.withResolvers<void>();
    let state = buildTwin(1);
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
});
