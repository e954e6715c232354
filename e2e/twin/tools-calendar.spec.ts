// /twin-tools/{id}?new=calendar: a calendar is connected, and its free time is looked up or booked.
import type { CalendarConnection } from "#contract/actions/tool-connections.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { buildCall, buildTool, buildTrial } from "../factories/tool.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";
import { AT, button, screen } from "./tools-parts.ts";

test.use({ allowedConsoleErrors: [/status of (422|503)/] });

const WORK = "https://caldav.yandex.ru/calendars/anna/work/";
const account: CalendarConnection = {
  ...{ kind: "caldav", id: uuid(760), twinId: uuid(1), title: "anna@yandex.ru, caldav.yandex.ru" },
  ...{
    url: "https://caldav.yandex.ru/",
    proxy: null,
    state: "ready",
    failure: null,
    checkedAt: NOW,
    createdAt: NOW,
    tools: [],
  },
  calendars: [
    { url: WORK, title: "Работа" },
    { url: "https://caldav.yandex.ru/calendars/anna/home/", title: "Дом" },
  ],
};

test("a calendar is connected, tried and made an action that tells free time, or one that books", async ({ page }) => {
  let tries = 0;
  let answers = false;
  const connect = "POST /api/tool-connections/calendars";
  const said = "Сервер календаря не принимает логин или пароль приложения";
  const calls = await withTwins(
    page,
    screen([], {
      "GET /api/tool-connections": (route, request) => {
        if (!answers) return fails(503, "База данных временно недоступна")(route, request);
        return json(tries > 1 ? [account] : [])(route, request);
      },
      [connect]: (route, request) => {
        tries += 1;
        return tries === 1
          ? json({ message: said, code: "calendar_unreachable", requestId: "r1", fields: { password: said } }, 422)(
              route,
              request,
            )
          : json(account, 201)(route, request);
      },
      "POST /api/tools/try": json(
        buildTrial({
          call: buildCall({ result: [{ label: "вторник, 1 декабря", value: "10:00, 11:00" }] }),
          request: { method: "REPORT", url: WORK, body: null },
        }),
      ),
      "POST /api/tools": json(buildTool(1), 201),
    }),
  );
  await page.setViewportSize(DESKTOP);
  await page.goto(AT);
  await page.getByRole("link", { name: /Календарь Свободное время/ }).click();
  await expect(page.getByText("Не удалось загрузить календари")).toBeVisible();
  answers = true;
  await button(page, "Повторить").click();
  await expect(page.getByLabel("Адрес CalDAV")).toHaveValue("https://caldav.yandex.ru");
  await button(page, "Подключить календарь").click();
  await expect(page.getByRole("alert")).toHaveText(["Введите логин", "Введите пароль приложения"]);
  await page.getByLabel("Логин").fill("anna@yandex.ru");
  await page.getByRole("textbox", { name: "Пароль приложения" }).fill("s3cret");
  await page.getByRole("textbox", { name: "Пароль приложения" }).press("Enter");
  await expect(page.getByRole("alert")).toHaveText(said);
  await expectAccessibleCrosswise(page, "the connection of a calendar");
  await page.setViewportSize(DESKTOP);
  await button(page, "Подключить календарь").dblclick();
  await expect(page.getByRole("combobox", { name: "Календарь", exact: true })).toHaveValue(`${account.id} ${WORK}`);
  expect(tries).toBe(2);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("s3cret");

  // Another one is left without leaving the form.
  await button(page, "Подключить другой календарь").click();
  await expect(page.getByText("Отмена", { exact: true })).toHaveCount(1);
  await button(page, "Не подключать").click();
  await expect(page.getByRole("combobox", { name: "Календарь", exact: true })).toHaveValue(`${account.id} ${WORK}`);

  // Nothing has to be proven: free time is for everybody.
  await expect(page.getByText("Кому это можно сказать")).toHaveCount(0);
  await expect(page.getByLabel("Название", { exact: true })).toHaveValue("Свободное время");
  await page.getByRole("checkbox", { name: "Сб" }).check();
  await page.getByLabel("До", { exact: true }).fill("09:00");
  await button(page, "Создать действие").click();
  await expect(page.getByRole("alert")).toHaveText("Конец рабочего дня раньше начала");
  await page.getByLabel("До", { exact: true }).fill("19:00");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("textbox", { name: "День" }).fill("01.12.2026");
  await button(page, "Проверить").click();
  const trial = page.getByRole("region", { name: "Что вышло" });
  await expect(trial).toContainText("10:00, 11:00");
  await expect(trial.getByText(/^REPORT/)).toBeHidden();
  expect(calls.find(({ call }) => call === "POST /api/tools/try")!.body).toMatchObject({
    arguments: [{ name: "date", value: "2026-12-01" }],
  });
  await expectAccessibleCrosswise(page, "the form of a calendar");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);

  await page.getByRole("radio", { name: /^Записывать/ }).check();
  // What was found of free time is no outcome of a booking.
  await expect(trial).toHaveCount(0);
  await expect(page.getByLabel("Название", { exact: true })).toHaveValue("Запись");
  await expect(page.getByRole("radio", { name: /^Сам/ })).toBeDisabled();
  await expect(page.getByRole("radio", { name: /^Спрашивает вас/ })).toBeChecked();
  await button(page, "Создать действие").dblclick();
  await expect(page).toHaveURL(AT);
  const made = calls.filter(({ call }) => call === "POST /api/tools").map(({ body }) => body);
  expect(made).toHaveLength(1);
  expect(made[0]).toMatchObject({
    tool: {
      ...{ title: "Запись", degree: "asks", changes: true },
      settings: {
        ...{ kind: "calendar", connectionId: account.id, calendarUrl: WORK, does: "book" },
        ...{ days: [1, 2, 3, 4, 5, 6], from: "10:00", to: "19:00", slotMinutes: 60 },
      },
    },
  });
});
