// /twin-tools/{id}: what a tool asks goes through a proxy that its owner names, replaces and removes.
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import type { ToolInput } from "#contract/actions/tools.ts";
import { uuid } from "../factories/ids.ts";
import { buildTable, buildTool } from "../factories/tool.ts";
import { buildConnection } from "../factories/tool-connection.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { DESKTOP } from "../support/viewports.ts";
import { AT, button, screen } from "./tools-parts.ts";

test.use({ allowedConsoleErrors: [/status of 422/] });

/** No such name is known anywhere. */
const NOWHERE = "nobody-has-this-name.example.com:1080";
const PASSWORD = "canary-of-the-proxy";

test("a call is tried through a proxy, which is kept without its password, and removed", async ({ page }) => {
  const owner = await asOwner(page, { name: "Анна" });
  await page.setViewportSize(DESKTOP);
  await page.goto(`/twin-tools/${owner.id}?new=http`);
  await page.getByRole("textbox", { name: "Адрес", exact: true }).fill("https://api.example.ru/stock");
  await page.getByText("Дополнительно").press("Enter");
  const proxy = page.getByLabel("Прокси", { exact: true });
  await proxy.fill("proxy.example.com:1080");
  await expect(proxy).toHaveAttribute("type", "password");
  await button(page, "Проверить").click();
  await expect(page.getByRole("alert").filter({ hasText: "Начните с вида прокси" })).toBeVisible();
  await expect(proxy).toBeFocused();
  // The refusal has the example, so that the hint leaves it out.
  await expect(
    page
      .getByRole("group")
      .filter({ has: proxy })
      .getByText(/socks5:\/\/имя/),
  ).toHaveCount(1);
  await expectAccessibleCrosswise(page, "a proxy that is none");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await proxy.fill(`socks5://shop:${PASSWORD}@${NOWHERE}`);
  await button(page, "Проверить").click();
  const outcome = page.getByRole("region", { name: "Что вышло" });
  await expect(outcome).toContainText("Сервер прокси не найден. Проверьте имя сервера прокси", { timeout: 15_000 });
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(PASSWORD);
  await page.getByRole("checkbox", { name: /^Сообщать всё/ }).check();
  await page.getByRole("radio", { name: /^Это для всех/ }).check();
  await page.getByLabel("Название", { exact: true }).fill("Остатки");
  await page.getByLabel("Пример 1").fill("Что есть в наличии?");
  await button(page, "Создать действие").click();
  await expect(page).toHaveURL(`/twin-tools/${owner.id}`);

  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Остатки", exact: true }) });
  const settings = async () => (await owner.get("/api/tools"))[0].settings;
  expect((await settings()).proxy).toBe(`SOCKS5 ${NOWHERE}`);
  await row.getByRole("switch").click();
  await expect(row.getByRole("switch")).not.toBeChecked();
  expect((await settings()).proxy).toBe(`SOCKS5 ${NOWHERE}`);
  await row.getByRole("link", { name: /^Изменить/ }).click();
  await expect(page.getByText("Прокси задан")).toBeVisible();
  await expect(page.getByText(`Сейчас запросы идут через SOCKS5 ${NOWHERE}`)).toBeVisible();
  await expect(proxy).toHaveValue("");
  await expectAccessibleCrosswise(page, "a stored proxy");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Убрать прокси").press("Enter");
  await expect(page.getByText("Прокси убран: запросы пойдут напрямую")).toBeVisible();
  await expect(proxy).toBeFocused();
  await button(page, "Сохранить").click();
  await expect(page).toHaveURL(`/twin-tools/${owner.id}`);
  expect((await settings()).proxy).toBeNull();
});

test("a connection's proxy is set in its row, and a refused one is explained at its field", async ({ page }) => {
  let connection: ToolConnection = buildConnection(1);
  const said = "Этот прокси в частной сети: такой адрес может задать только тот, кто управляет установкой.";
  const calls = await withTwins(
    page,
    screen([buildTool(1)], {
      "GET /api/tool-connections": (route, request) => json([connection])(route, request),
      [`PUT /api/tool-connections/${uuid(771)}/proxy`]: (route, request) => {
        const { proxy } = request.postDataJSON() as { proxy: string };
        if (proxy.includes("10.0.0.7"))
          return json({ message: said, code: "private_address", requestId: "r", fields: { proxy: said } }, 422)(
            route,
            request,
          );
        connection = { ...connection, proxy: proxy === "" ? null : "SOCKS5 proxy.example.com:1080" };
        return json(connection)(route, request);
      },
    }),
  );
  await page.setViewportSize(DESKTOP);
  await page.goto(AT);
  const connections = page.getByRole("region", { name: "Подключения" });
  await button(page, "Прокси: Лавка").press("Enter");
  const form = page.getByRole("form", { name: "Прокси" });
  await expect(page.getByRole("dialog", { name: "Прокси: Лавка" })).toContainText("Сейчас соединения идут напрямую");
  await page.keyboard.type("socks5://10.0.0.7:1080");
  await page.keyboard.press("Enter");
  await expect(form.getByRole("alert")).toHaveText(said);
  await form.getByLabel("Новый прокси").fill("socks5://shop:word@proxy.example.com:1080");
  await page.keyboard.press("Enter");
  await expect(form).toHaveCount(0);
  await expect(connections).toContainText("Через SOCKS5 proxy.example.com:1080");
  await expectAccessibleCrosswise(page, "a connection through a proxy");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Прокси: Лавка").click();
  await form.getByRole("button", { name: "Убрать прокси" }).click();
  await expect(connections).not.toContainText("Через SOCKS5");
  expect(calls.filter(({ call }) => call.startsWith("PUT")).map(({ body }) => body)).toEqual([
    { proxy: "socks5://10.0.0.7:1080" },
    { proxy: "socks5://shop:word@proxy.example.com:1080" },
    { proxy: "" },
  ]);
});

test("a table, a server, a calendar and a description are read through the proxy that stands at their address", async ({
  page,
}) => {
  const said = "Прокси не принимает имя и пароль. Скопируйте их заново; проверьте, оплачен ли прокси.";
  const away = json({ message: said, code: "tool_table_unreadable", requestId: "r", fields: { proxy: said } }, 422);
  const table = buildTable({
    url: "https://example.ru/orders.csv",
    proxy: "SOCKS5 proxy.example.com:1080",
    sample: [],
  });
  const calls = await withTwins(
    page,
    screen(
      [buildTool(1, { settings: { kind: "table", tableId: table.id, keyColumn: "Номер", shown: ["Статус"], table } })],
      {
        "POST /api/tools/tables": away,
        "POST /api/tool-connections/mcp": away,
        "POST /api/tool-connections/calendars": away,
        "POST /api/tools/descriptions": away,
      },
    ),
  );
  const proxy = page.getByLabel("Прокси", { exact: true });
  const fails = async (entered: string) => {
    await page.getByText("Дополнительно").click();
    await proxy.fill(entered);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toHaveText(said);
  };
  await page.goto(`${AT}?new=mcp`);
  await page.getByLabel("Адрес сервера").fill("https://mcp.example.ru/mcp");
  await fails("http://proxy.example.com:3128");
  await page.goto(`${AT}?new=calendar`);
  await page.getByLabel("Логин").fill("anna@yandex.ru");
  await page.getByLabel("Пароль приложения").fill("word");
  await fails("http://proxy.example.com:3128");
  await page.goto(`${AT}?new=openapi`);
  await page.getByLabel("Или адрес описания").fill("https://example.ru/openapi.json");
  await fails("http://proxy.example.com:3128");
  await page.goto(`${AT}?edit=${uuid(701)}`);
  await expect(page.getByText("Через SOCKS5 proxy.example.com:1080")).toBeVisible();
  await button(page, "Заменить таблицу").click();
  await expect(page.getByLabel("Или адрес CSV")).toHaveValue("https://example.ru/orders.csv");
  await expect(page.getByText("Прокси задан")).toBeVisible();
  await button(page, "Прочитать").click();
  await expect(page.getByRole("alert")).toHaveText(said);
  const sent = calls.filter(({ call }) => call.startsWith("POST")).map(({ body }) => body as Partial<ToolInput>);
  const entered = { proxy: "http://proxy.example.com:3128" };
  expect(sent).toMatchObject([entered, entered, entered, { url: "https://example.ru/orders.csv", formerId: table.id }]);
  expect(sent[3]).not.toHaveProperty("proxy");
});
