// /twin-tools/{id}: MCP servers are connected, one of their actions is chosen by hand, and what the server says is only proposed.
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import { uuid } from "../factories/ids.ts";
import { buildTool, buildTrial } from "../factories/tool.ts";
import { buildConnection, buildMcpTool } from "../factories/tool-connection.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { fails, json, nothing, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { AT, button, screen } from "./tools-parts.ts";

test.use({ allowedConsoleErrors: [/status of (400|422|503)/] });

test("a server is connected with a key, an action is chosen and described in the owner's words", async ({ page }) => {
  let connections: ToolConnection[] = [];
  let tries = 0;
  const calls = await withTwins(
    page,
    screen([], {
      "GET /api/tool-connections": (route, request) => json(connections)(route, request),
      "POST /api/tool-connections/mcp": (route, request) => {
        tries += 1;
        if (tries === 1)
          return json(
            {
              ...{ message: "Сервер не принимает ключ", code: "tool_connection_refused", requestId: "r" },
              fields: { url: "Сервер не принимает ключ: введите новый" },
            },
            422,
          )(route, request);
        connections = [buildConnection(1)];
        return json({ connection: connections[0], signInUrl: null }, 201)(route, request);
      },
      "POST /api/tools/try": json(
        buildTrial({
          request: { method: "MCP", url: "mcp.example.ru/get_order", body: '{"order_id":"1042"}' },
          answer: JSON.stringify({ status: "в пути", phone: "+7 912 345-67-89" }),
        }),
      ),
      "POST /api/tools": json(buildTool(1), 201),
    }),
  );
  await page.setViewportSize(DESKTOP);
  await page.goto(AT);
  await page.getByRole("link", { name: "Сервер MCP" }).click();
  // Nothing else is asked until an action is chosen.
  await expect(page.getByLabel("Название", { exact: true })).toHaveCount(0);
  await button(page, "Подключить").click();
  await expect(page.getByText("Адрес вида https://example.ru/mcp")).toBeVisible();
  await page.getByLabel("Адрес сервера").fill("https://mcp.example.ru/mcp");
  await page.getByRole("radio", { name: /^Ключ/ }).check();
  await page.getByLabel("Ключ", { exact: true }).last().fill("Bearer s3cret");
  await expect(page.getByLabel("Ключ", { exact: true }).last()).toHaveAttribute("type", "password");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Сервер не принимает ключ: введите новый")).toBeVisible();
  await expectAccessibleCrosswise(page, "the form of a connection");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Подключить").dblclick();

  const offers = page.getByRole("region", { name: "Лавка" });
  await expect(offers).toContainText("Returns the state of an order");
  expect(tries).toBe(2);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("s3cret");
  await expect(button(page, "Выбрать: Import rows")).toHaveAttribute("aria-disabled", "true");
  await expectAccessibleCrosswise(page, "the list of a server's actions");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Выбрать: Get order").click();
  await expect(page.getByText("Сервер говорит: Returns the state")).toBeVisible();
  await expect(page.getByLabel("Название", { exact: true })).toHaveValue("");
  await expect(page.getByRole("checkbox", { name: /Вызов что-то меняет/ })).not.toBeChecked();
  await page.getByLabel("Название для людей").fill("Номер заказа");
  await page.getByLabel("Название", { exact: true }).fill("Статус заказа");
  await page.getByLabel("Пример 1").fill("Где мой заказ 1042?");
  await page.getByRole("textbox", { name: "Номер заказа" }).fill("1042");
  await button(page, "Проверить").click();
  await expect(page.getByText(/^Пока ничего не\sвыбрано/)).toBeVisible();
  await button(page, /^status:/).click();
  await page.getByLabel("Название для status").fill("Статус");
  await button(page, "Добавить вопрос").click();
  await page.getByLabel("Что назвать").fill("Телефон");
  await page.getByLabel(/Где это в\sответе/).selectOption("phone");
  await page.getByLabel("Как сверить").selectOption("phone");
  await expectAccessibleCrosswise(page, "the form of a server's action");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Создать действие").dblclick();
  await expect(page).toHaveURL(AT);
  const made = calls.filter(({ call }) => call === "POST /api/tools");
  expect(made).toHaveLength(1);
  expect(made[0]!.body).toMatchObject({
    tool: {
      ...{ title: "Статус заказа", degree: "itself", changes: false },
      settings: {
        ...{ kind: "mcp", connectionId: uuid(771), name: "get_order" },
        fields: [{ name: "order_id", label: "Номер заказа", required: true }],
        shown: [{ path: "status", label: "Статус" }],
      },
    },
  });
});

test("an action that does not say that it only reads waits for its owner; what it does not need is left out", async ({
  page,
}) => {
  await withTwins(page, screen([], { "GET /api/tool-connections": json([buildConnection(1)]) }));
  await page.goto(`${AT}?new=mcp`);
  await button(page, "Выбрать: create_booking").click();
  await expect(page.getByRole("checkbox", { name: /Вызов что-то меняет/ })).toBeChecked();
  await expect(page.getByRole("radio", { name: /^Спрашивает вас/ })).toBeChecked();
  await expect(page.getByRole("radio", { name: /^Сам/ })).toBeDisabled();
  await expect(page.getByText(/не\sпередаются: tags/)).toBeVisible();
  // Names of programs are no words for customers.
  await expect(page.getByLabel("Название", { exact: true })).toHaveValue("");
  const terrace = page.getByRole("group", { name: "Поле terrace" });
  await expect(terrace.getByLabel("Название для людей")).toHaveValue("");
  await expect(terrace.getByLabel("Значения, каждое с новой строки")).toHaveCount(0);
  await expect(terrace).toContainText("Значения: да, нет");
  // An example is entered as its type is.
  const tried = page.getByRole("region", { name: "Проверка" });
  await expect(tried.getByRole("combobox", { name: "terrace" }).getByRole("option")).toHaveText([
    ...["Не выбрано", "да", "нет"],
  ]);
  await expect(tried.getByRole("textbox", { name: "date" })).toHaveAttribute("placeholder", "дд.мм.гггг");
  await expect(tried.getByText("Цифрами: 2 или 2,5")).toBeVisible();
  await button(page, "Не передавать: terrace").click();
  await expect(page.getByRole("group", { name: "Поле terrace" })).toHaveCount(0);
  await button(page, "Вернуть все поля сервера").click();
  await expect(page.getByRole("group", { name: "Поле terrace" })).toBeVisible();
  await expect(button(page, "Не передавать: date")).toHaveCount(0);
  await button(page, "Выбрать другое").click();
  await expect(button(page, "Выбрать: Get order")).toBeVisible();
});

test("a connection opens the list of its actions, beside which a draft is offered", async ({ page }) => {
  const connection = buildConnection(1, { title: "Лавка 2.1" });
  await withTwins(page, screen([], { "GET /api/tool-connections": json([connection]) }));
  await page.goto(AT);
  const list = page.getByRole("link", { name: "Выбрать действие: Лавка" });
  await list.click();
  await button(page, "Выбрать: create_booking").click();
  await page.getByLabel("Название", { exact: true }).fill("Стол");
  await page.goto(AT);
  await list.click();
  await expect(page.getByText("Есть незаконченное действие: create_booking")).toBeVisible();
  await expect(page.getByLabel("Название", { exact: true })).toHaveCount(0);
  await button(page, "Продолжить").click();
  await expect(page.getByLabel("Название", { exact: true })).toHaveValue("Стол");
  await page.goto(AT);
  await list.click();
  await button(page, "Выбрать: Get order").click();
  await expect(page.getByText("Сервер говорит: Returns the state")).toBeVisible();
  await expect(page.getByLabel("Название", { exact: true })).toHaveValue("");
});

test("the owner is sent to the server's own page, and comes back to its actions", async ({ page }) => {
  const signInUrl = `${AT}?code=c0de&state=${"s".repeat(43)}&iss=https%3A%2F%2Fauth.example.ru`;
  const waiting = buildConnection(1, { auth: "oauth", state: "sign-in", server: null, checkedAt: null, offers: [] });
  let connections = [waiting];
  const calls = await withTwins(
    page,
    screen([], {
      "GET /api/tool-connections": (route, request) => json(connections)(route, request),
      [`POST /api/tool-connections/${uuid(771)}/renew`]: json({ connection: waiting, signInUrl }),
      "POST /api/tool-connections/complete": (route, request) => {
        connections = [buildConnection(1, { auth: "oauth" })];
        return json(connections[0])(route, request);
      },
    }),
  );
  await page.goto(AT);
  await expect(page.getByText("Нужно войти")).toBeVisible();
  await button(page, "Войти: Лавка").click();
  await expect(page).toHaveURL(`${AT}?new=mcp`);
  await expect(page.getByText("Сервер подключён", { exact: true })).toBeVisible();
  await expect(button(page, "Выбрать: Get order")).toBeVisible();
  expect(calls.find(({ call }) => call === "POST /api/tool-connections/complete")!.body).toEqual({
    ...{ code: "c0de", state: "s".repeat(43), issuer: "https://auth.example.ru" },
  });
  await page.goto(`${AT}?error=access_denied&state=${"s".repeat(43)}`);
  await expect(page.getByText("Доступ не разрешён", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(AT);
});

test("connections are read again, signed in to again and removed, with what stops; each failure says so", async ({
  page,
}) => {
  const at = `/api/tool-connections/${uuid(771)}`;
  const tools = [{ id: uuid(701), title: "Статус заказа", enabled: true }];
  let connections: ToolConnection[] = [buildConnection(1, { tools })];
  let answers = false;
  const said = "Сервер не принимает ключ: введите новый";
  const calls = await withTwins(
    page,
    screen(
      [buildMcpTool(1, { enabled: false, offReason: "Сервер изменил это действие: посмотрите и включите снова" })],
      {
        "GET /api/tool-connections": (route, request) =>
          (answers ? json(connections) : fails(503, "База данных временно недоступна"))(route, request),
        [`POST ${at}/read`]: (route, request) => {
          connections = [buildConnection(1, { tools, state: "broken", failure: said })];
          return fails(422, said)(route, request);
        },
        [`POST ${at}/renew`]: (route, request) => {
          connections = [buildConnection(1, { tools })];
          return json({ connection: connections[0], signInUrl: null })(route, request);
        },
        [`DELETE ${at}`]: (route, request) => {
          connections = [];
          return nothing(route, request);
        },
      },
    ),
  );
  await page.setViewportSize(PHONE);
  await page.goto(AT);
  await expect(page.getByText("Не удалось загрузить подключения")).toBeVisible();
  answers = true;
  await button(page, "Повторить").click();
  await expect(page.getByText("посмотрите и включите снова")).toBeVisible();
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Лавка" }) });
  await expect(row).toContainText(/На\sсервере 3\sдействия/);
  await expectAccessibleCrosswise(page, "the list of connections");
  await expectNoSidewaysScroll(page);
  await button(page, "Прочитать список снова: Лавка").click();
  await expect(row).toContainText("Не работает");
  await expect(row).toContainText(said);
  await row.getByLabel("Новый ключ").fill("Bearer fresh");
  await page.keyboard.press("Enter");
  await expect(row).toContainText("Подключено");
  expect(calls.find(({ call }) => call === `POST ${at}/renew`)!.body).toEqual({ kind: "key", value: "Bearer fresh" });
  await button(page, "Отключить: Лавка").click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(/вместе с ними 1\sдействие: «Статус заказа»/);
  await dialog.getByRole("button", { name: "Отключить" }).dblclick();
  await expect(row).toHaveCount(0);
  expect(calls.filter(({ call }) => call.startsWith("DELETE"))).toHaveLength(1);
});
