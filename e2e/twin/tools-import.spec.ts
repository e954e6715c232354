// /twin-tools/{id}?new=openapi: calls of the owner's system are chosen in its OpenAPI description and become actions that are off.
import type { ToolDescription } from "#contract/actions/tool-import.ts";
import type { ToolInput } from "#contract/actions/tools.ts";
import { uuid } from "../factories/ids.ts";
import { buildBookingTool, buildTool } from "../factories/tool.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { DESKTOP } from "../support/viewports.ts";
import { AT, button, screen } from "./tools-parts.ts";

test.use({ allowedConsoleErrors: [/status of (400|409|422|503)/] });

const SHOP = `
openapi: 3.0.3
info: { title: Магазин «Зерно» }
servers: [{ url: https://api.example.ru/v1 }]
security: [{ token: [] }]
paths:
  /orders/{order_id}:
    get:
      summary: Состояние заказа
      parameters:
        - { name: order_id, in: path, required: true, description: Номер заказа, schema: { type: string } }
      responses: { "200": { content: { application/json: { schema: { type: object, properties: { status: { type: string, title: Статус } } } } } } }
  /photos:
    post:
      summary: Загрузить снимок
      requestBody: { required: true, content: { multipart/form-data: { schema: {} } } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`;

test("a chosen call becomes an action that is off, and is switched on once it is finished", async ({ page }) => {
  const { id } = await asOwner(page, { name: "Анна" });
  await page.setViewportSize(DESKTOP);
  await page.goto(`/twin-tools/${id}`);
  await expect(page.getByText("Действий пока нет")).toBeVisible();
  await page.getByRole("link", { name: /Описание OpenAPI/ }).click();
  await expect(page.getByText(/У\sдвойника может быть 20 действий, сейчас можно добавить 20\sвызовов/)).toBeVisible();
  await page.getByLabel("Или сам текст").fill("openapi: 4.0.0");
  await button(page, "Прочитать текст").click();
  await expect(page.getByRole("alert")).toHaveText("Это не описание OpenAPI 3.0, 3.1 или Swagger 2.0");
  await expect(page.getByLabel("Или сам текст")).toHaveValue("openapi: 4.0.0");
  await page.getByLabel("Или адрес описания").fill("http://192.168.1.1/openapi.json");
  await page.getByLabel("Или адрес описания").press("Enter");
  await expect(page.getByRole("alert")).toContainText("публичный адрес по https");
  const file = { name: "openapi.yaml", mimeType: "text/yaml", buffer: Buffer.from(SHOP) };
  await page.locator("input[type=file]").setInputFiles(file);

  await expect(page.getByText(/OpenAPI 3.0, 2\sвызова/)).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /Загрузить снимок/ })).toBeDisabled();
  await expect(page.getByText("Действие этого не отправит: тело запроса другого вида")).toBeVisible();
  await page.getByRole("checkbox", { name: /Состояние заказа/ }).press("Space");
  await expect(page.getByText("Спросит: Номер заказа")).toBeVisible();
  await expect(page.getByLabel("Адрес системы")).toHaveValue("https://api.example.ru/v1");
  await page.getByRole("textbox", { name: "Ключ (токен)" }).fill("s3cret");
  await expect(page.getByText(/Уйдёт на api\.example\.ru/)).toBeVisible();
  await expectAccessibleCrosswise(page, "the choice of calls");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, /Создать 1\sдействие/).dblclick();

  // One opens at once; where several were chosen, they stand in the list.
  await expect(page.getByRole("textbox", { name: "Адрес", exact: true })).toHaveValue(
    "https://api.example.ru/v1/orders/{order_id}",
  );
  await expect(page.getByRole("radio", { name: /Спрашивает вас/ })).toBeChecked();
  await page.getByRole("link", { name: "Все действия" }).click();
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Состояние заказа" }) });
  await expect(row).toContainText("Выключено");
  await expect(row).toContainText(/выбора, кому это можно сказать/);
  await expect(row).toContainText(/Не\sзакончено/);
  // A switch that is refused leads to the form.
  await row.getByRole("switch").click();
  await expect(page.getByText(/Не\sхватает: назначения или примера/).first()).toBeVisible();
  await page.getByLabel("Пример 1").fill("Что с заказом 1042?");
  await page.getByRole("radio", { name: /Это для всех/ }).check();
  await button(page, "Сохранить").click();
  await row.getByRole("switch").click();
  await expect(row).toContainText("Включено");
  await expect(row).not.toContainText(/Не\sхватает/);
});

const call = (n: number, own: object = {}): ToolDescription["calls"][number] => ({
  ...{ method: "GET", path: `/things/${n}`, server: null, target: `/things/${n}`, title: `Вещь ${n}`, description: "" },
  ...{ changes: false, fields: [], headers: [], shown: [], omitted: [], problem: null },
  ...own,
});
/** A call to another host, in another language. */
const foreign = {
  ...{ title: "getThingV2", description: "Returns a thing", server: "https://pay.example.ru" },
  fields: [{ name: "sku", label: "sku", type: "text", required: true, description: "", choices: [] }],
  ...{ shown: [{ path: "eta", label: "eta" }], headers: [{ name: "Authorization", scheme: "basic", about: "" }] },
};
const token = { name: "Authorization", scheme: "basic" as const, about: "" };

test("many calls are searched; no more are chosen than there is room for; one secret serves each host", async ({
  page,
}) => {
  const description: ToolDescription = {
    ...{ title: "Склад", format: "Swagger 2.0", servers: [], total: 1200 },
    calls: Array.from({ length: 60 }, (_, at) => call(at, at === 2 ? foreign : at < 2 ? { headers: [token] } : {})),
  };
  let tries = 0;
  const calls = await withTwins(
    page,
    screen(
      Array.from({ length: 18 }, (_, at) => buildTool(at, { id: uuid(800 + at) })),
      {
        "POST /api/tools/descriptions": json(description),
        "POST /api/tools/chosen": (route, request) => {
          tries += 1;
          return tries === 1
            ? fails(503, "База данных временно недоступна")(route, request)
            : json([buildTool(30), buildBookingTool(31)], 201)(route, request);
        },
      },
    ),
  );
  await page.goto(`${AT}?new=openapi`);
  await expect(page.getByText(/можно добавить 2\sвызова/)).toBeVisible();
  await page.getByLabel("Или сам текст").fill("x");
  await button(page, "Прочитать текст").click();
  await expect(page.getByRole("checkbox")).toHaveCount(50);
  await expect(button(page, "Создать действия")).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("searchbox", { name: "Найти вызов" }).fill("вещь 1");
  await page.getByRole("checkbox", { name: /Вещь 1 / }).check();
  await page.getByRole("searchbox", { name: "Найти вызов" }).fill("");
  await page.getByRole("checkbox", { name: /getThingV2/ }).check();
  // What customers would read is named here, and without it the action is not finished.
  const names = page.getByRole("group", { name: "getThingV2" });
  await expect(names.getByText(/Не\sзакончено, нет: названия по-русски, названия для sku/)).toBeVisible();
  await names.getByLabel("Название", { exact: true }).fill("Товар");
  await names.getByLabel("Для чего оно").fill("Узнать о товаре");
  await names.getByLabel("Название для sku").fill("Артикул");
  await expect(names.getByText(/Не\sзакончено/)).toHaveCount(0);
  await expect(page.getByText("Спросит: Артикул")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /Вещь 3 / })).toBeDisabled();
  await button(page, /Создать 2\sдействия/).click();
  await expect(page.getByRole("alert")).toHaveText("Введите адрес вида https://api.example.ru");
  await page.getByLabel("Адрес системы").fill("https://sklad.example.ru/");
  // Each host has a key of its own.
  await page.getByRole("textbox", { name: "Логин и пароль через двоеточие для sklad.example.ru" }).fill("лавка:слово");
  await expect(page.getByLabel("Логин и пароль через двоеточие для pay.example.ru")).toHaveValue("");
  await expect(page.getByText(/^Без ключа 1\sдействие не\sвключить/)).toBeVisible();
  await button(page, /Создать 2\sдействия/).click();
  await expect(page.getByText("База данных временно недоступна")).toBeVisible();
  await button(page, /Создать 2\sдействия/).dblclick();
  await expect(page).toHaveURL(AT);
  const sent = calls.filter(({ call: one }) => one === "POST /api/tools/chosen").map(({ body }) => body);
  expect(sent).toHaveLength(2);
  const value = `Basic ${Buffer.from("лавка:слово").toString("base64")}`;
  const { tools } = sent[1] as { tools: ToolInput[] };
  expect(tools.map(({ enabled, degree, settings }) => [enabled, degree, settings])).toMatchObject([
    [false, "asks", { url: "https://sklad.example.ru/things/1", headers: [{ name: "Authorization", value }] }],
    [
      ...[false, "asks"],
      { url: "https://pay.example.ru/things/2", shown: [], headers: [{ name: "Authorization", missing: true }] },
    ],
  ]);
  expect(tools[1]).toMatchObject({
    ...{ title: "Товар", description: "Узнать о товаре" },
    settings: { fields: [{ name: "sku", label: "Артикул" }] },
  });
});
