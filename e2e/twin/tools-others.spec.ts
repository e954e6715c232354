// /twin-tools/{id}: a question to the owner, and a deal of the CRM, as they are made.
import type { ToolInput } from "#contract/actions/tools.ts";
import { buildCrm, buildCrmConnection } from "../factories/crm.ts";
import { uuid } from "../factories/ids.ts";
import { buildCall, buildTool, buildTrial } from "../factories/tool.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";
import { AT, button, screen } from "./tools-parts.ts";

test.use({ allowedConsoleErrors: [/status of (400|404|503)/] });

/** The tools that were sent to be made. */
const madeBy = (calls: readonly { call: string; body: unknown }[]): ToolInput[] =>
  calls.filter(({ call }) => call === "POST /api/tools").map(({ body }) => (body as { tool: ToolInput }).tool);

test("a question to the owner is formed of fields, never put without him, and only shown in a trial", async ({
  page,
}) => {
  const note = "Показан вопрос, который вы получите. Никого не спросили.";
  const dry = buildTrial({
    call: buildCall({ outcome: "dry", result: [], note }),
    request: { method: "Вопрос", url: "вам", body: "Есть ли латте?" },
  });
  const calls = await withTwins(
    page,
    screen([], { "POST /api/tools/try": json(dry), "POST /api/tools": json(buildTool(1), 201) }),
  );
  await page.setViewportSize(DESKTOP);
  await page.goto(AT);
  await page.getByRole("link", { name: /Вопрос к\sвам/ }).click();
  await button(page, "Создать действие").click();
  await expect(page.getByRole("alert").first()).toHaveText("Введите вопрос");
  await page.getByLabel("Вопрос к вам").fill("Есть ли {товар}?");
  await page.getByLabel("Вопрос к вам").blur();
  await expect(page.getByLabel("Имя латиницей")).toHaveCount(0);
  await expect(page.getByLabel("Название для людей")).toHaveValue("Товар");
  // A field is called in the question as it is called beside it.
  await page.getByLabel("Название для людей").fill("Сорт кофе");
  await expect(page.getByLabel("Вопрос к вам")).toHaveValue("Есть ли {сорт кофе}?");
  await page.getByLabel("Название для людей").fill("Товар");
  await expect(page.getByLabel("Вопрос к вам")).toHaveValue("Есть ли {товар}?");
  await expect(page.getByRole("radio", { name: /^Сам/ })).toHaveCount(0);
  await expect(page.getByText("Кому это можно сказать")).toHaveCount(0);
  await page.getByRole("textbox", { name: "Товар" }).fill("латте");
  await button(page, "Проверить").click();
  await expect(page.getByRole("region", { name: "Что вышло" })).toContainText("Есть ли латте?");
  await expectAccessibleCrosswise(page, "the form of a question");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Создать действие").click();
  await expect(page.getByLabel("Для чего оно")).toBeFocused();
  await page.getByLabel("Для чего оно").fill("Узнать, есть ли товар");
  await button(page, "Создать действие").dblclick();
  await expect(page).toHaveURL(AT);
  expect(madeBy(calls)).toMatchObject([
    {
      degree: "asks",
      changes: false,
      proof: { everybody: true },
      settings: { kind: "question", question: "Есть ли {tovar}?" },
    },
  ]);
});

test("a deal of the CRM needs a proof; a note is a change; without a CRM it says so", async ({ page }) => {
  let tries = 0;
  let overview = buildCrm();
  const calls = await withTwins(
    page,
    screen([], {
      "GET /api/crm": (route, request) => json(overview)(route, request),
      "POST /api/tools": (route, request) => {
        tries += 1;
        return tries === 1
          ? fails(404, "Сначала выберите CRM для этого двойника на странице «CRM»", "crm_not_found")(route, request)
          : json(buildTool(1), 201)(route, request);
      },
    }),
  );
  await page.setViewportSize(DESKTOP);
  await page.goto(`${AT}?new=crm`);
  await expect(page.getByText(/CRM не\sподключена/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Подключить CRM" })).toHaveAttribute("href", "/crm");
  await expect(button(page, "Создать действие")).toHaveCount(0);
  const connection = buildCrmConnection();
  overview = buildCrm({
    connections: [connection],
    choices: [{ twinId: uuid(1), connectionId: connection.id, includeTexts: false }],
  });
  await page.reload();
  await expect(page.getByText(/Подключена amoCRM: company\.amocrm\.ru/)).toBeVisible();
  await expect(page.getByLabel("Название", { exact: true })).toHaveValue("Состояние сделки");
  await expect(page.getByLabel("Телефон собеседника в сделке")).toHaveValue("phone");
  await page.getByRole("checkbox", { name: "Сумма" }).check();
  await page.getByRole("radio", { name: /^По телефону/ }).check();
  await button(page, "Создать действие").click();
  await expect(page.getByRole("alert").first()).toHaveText("Телефон собеседник уже назвал: спросите другое");
  await page.getByRole("radio", { name: /^По номеру сделки/ }).check();
  await expectAccessibleCrosswise(page, "the form of a deal");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Создать действие").click();
  await expect(page.getByText("Сначала выберите CRM для этого двойника")).toBeVisible();
  await page.getByRole("radio", { name: /^Оставлять заметку/ }).check();
  await expect(page.getByLabel("Название", { exact: true })).toHaveValue("Заметка менеджеру");
  await expect(page.getByRole("radio", { name: /^Спрашивает вас/ })).toBeChecked();
  await button(page, "Создать действие").dblclick();
  await expect(page).toHaveURL(AT);
  expect(madeBy(calls)).toMatchObject([
    {
      changes: false,
      proof: { channelPhone: "phone" },
      settings: { kind: "crm", does: "deal", shown: ["stage", "amount"] },
    },
    { changes: true, degree: "asks", settings: { kind: "crm", does: "note" } },
  ]);
});
