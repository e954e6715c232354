// /twin-tools/{id}: which requests only read, and what their owner sees of one that fails.
import type { Tool } from "#contract/actions/tools.ts";
import { buildBookingTool, buildCall, buildTool, buildTrial } from "../factories/tool.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";
import { AT, button, screen } from "./tools-parts.ts";

test("a method other than GET is a change; of a POST its owner may say that it only reads; a failed trial is an error", async ({
  page,
}) => {
  const note = "Адрес ответил 404: такой страницы или записи нет. Проверьте адрес и значение.";
  const absent = buildTrial({
    call: buildCall({ outcome: "unproven", result: [], note }),
    status: 404,
    answer: '{"error":"not found"}',
  });
  const calls = await withTwins(
    page,
    screen([], { "POST /api/tools/try": json(absent), "POST /api/tools": json(buildTool(1), 201) }),
  );
  await page.setViewportSize(DESKTOP);
  await page.goto(`${AT}?new=http`);
  const changes = page.getByRole("checkbox", { name: /^Вызов что-то меняет/ });
  const itself = page.getByRole("radio", { name: /^Сам/ });
  await page.getByRole("textbox", { name: "Адрес", exact: true }).fill("https://api.example.ru/search");
  await expect(changes).not.toBeChecked();
  await page.getByLabel("Метод").selectOption("DELETE");
  await expect(changes).toBeChecked();
  await expect(changes).toBeDisabled();
  await expect(itself).toBeDisabled();
  await page.getByLabel("Метод").selectOption("POST");
  await expect(changes).toBeChecked();
  await changes.uncheck();
  await itself.check();
  await page.getByLabel("Название", { exact: true }).fill("Поиск");
  await page.getByRole("checkbox", { name: /^Сообщать всё/ }).check();
  await page.getByRole("radio", { name: /^Это для всех/ }).check();
  await page.getByLabel("Пример 1").fill("Есть ли чайник?");
  await button(page, "Создать действие").click();
  await expect(page.getByRole("alert")).toHaveText("Отметьте, что вызов что-то меняет или что он только читает");
  await page.getByRole("checkbox", { name: /^Этот вызов только читает/ }).check();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await button(page, "Проверить").click();
  await expect(page.getByRole("region", { name: "Что вышло" }).getByRole("alert")).toHaveText(note);
  await expect(page.getByRole("heading", { name: "Не получилось" })).toBeVisible();
  // Nothing is chosen from an error, neither as a result nor as a proof.
  await expect(page.getByRole("region", { name: "Ответ системы" })).toHaveText('{"error":"not found"}');
  await page.getByRole("radio", { name: /^Это касается того/ }).check();
  await expect(page.getByRole("textbox", { name: /Телефон собеседника в\sответе/ })).toBeVisible();
  await page.getByRole("radio", { name: /^Это для всех/ }).check();
  await expectAccessibleCrosswise(page, "the form of a search by POST");
  await page.setViewportSize(DESKTOP);
  await button(page, "Создать действие").dblclick();
  await expect(page).toHaveURL(AT);
  const made = calls.filter(({ call }) => call === "POST /api/tools").map(({ body }) => body);
  expect(made).toMatchObject([
    {
      tool: {
        ...{ degree: "itself", changes: false },
        settings: { method: "POST", readsOnly: true, reportsAll: true, shown: [] },
      },
    },
  ]);
});

test("the list says of a read in which nothing is chosen that the customer learns everything", async ({ page }) => {
  const { settings } = buildBookingTool(1);
  const unchosen = { ...settings, method: "GET", shown: [] } as Tool["settings"];
  const read = { changes: false, degree: "itself", settings: unchosen } as const;
  const proof = { everybody: true, channelPhone: null, asked: [] };
  await withTwins(
    page,
    screen([
      buildBookingTool(1, { ...read, proof, title: "Остатки" }),
      buildBookingTool(2, { ...read, proof, title: "Цены", enabled: false }),
      buildBookingTool(3, { ...read, proof, title: "Склады", settings: { ...unchosen, reportsAll: true } as never }),
    ]),
  );
  await page.goto(AT);
  const row = (title: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  await expect(row("Остатки")).toContainText("собеседник узнаёт весь ответ системы");
  await expect(row("Цены")).toContainText(/Не\sхватает: выбора, что сообщать/);
  await expect(row("Склады")).not.toContainText(/весь ответ|Не\sхватает/);
});
