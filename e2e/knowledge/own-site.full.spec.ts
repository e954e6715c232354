// A site of the owner's is read by the server itself and found, and read again once it has changed.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";

// Of its own environment: a server reads no site on its own machine otherwise.
test.use({ serverEnvironment: { NODE_ENV: "test" } });

const SHOP = "Мы печём торты на заказ в Казани с 2012 года и доставляем их по всему городу каждый день.";
/** A page a second, beside whatever else runs. */
const READ_MS = 120_000;
let price = "7500";
let pages: Record<string, string>;
const asked: string[] = [];
let site: Server;

test.beforeAll(async () => {
  pages = {
    "/": `<title>Торты Казани</title><p>${SHOP}</p>${["/prices", "/old", "/private", "/away"].map((path) => `<a href="${path}">туда</a>`).join(" ")}`,
    "/old": `<title>Акция</title><p>До конца октября каждый второй торт вдвое дешевле. ${SHOP}</p>`,
    "/private": `<title>Закупки</title><p>Себестоимость муки и масла за прошлый месяц. ${SHOP}</p>`,
  };
  site = createServer((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    const prices = `<title>Цены</title><p>Медовик весом три килограмма стоит ${price} рублей. Заказ принимаем за два дня.</p>`;
    const body = path === "/prices" ? prices : pages[path];
    if (path === "/robots.txt") response.end("User-agent: *\nDisallow: /private\n");
    else if (path === "/away") response.writeHead(302, { location: "http://169.254.169.254/latest/" }).end();
    else if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
});
test.afterAll(() => void site.close());

test("the pages of one's site are read by its rules, found, and read again once they have changed", async ({
  page,
}) => {
  test.setTimeout(400_000);
  await asOwner(page, { name: "Кондитер" });
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  await page.goto("/knowledge?tab=sites");
  await page.getByRole("button", { name: "Прочитать сайт" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Адрес сайта").fill(`http://${host}/`);
  await dialog.getByLabel(/^Это мой сайт/).check();
  await dialog.getByRole("button", { name: "Прочитать", exact: true }).click();
  const row = page.getByRole("region", { name: "Сайты" }).getByRole("listitem").first();
  await expect(row).toContainText("Читается");
  const read = row.getByText("Прочитан", { exact: true });
  await expect(read).toBeVisible({ timeout: READ_MS });
  await expectToast(page, "Сайт прочитан", `${host}: 3 страницы`);
  await row.getByRole("button", { name: `Страницы: ${host}` }).click();
  const list = page.getByRole("list", { name: "Страницы сайта" });
  await expect(list.getByRole("listitem").filter({ hasText: "/away" })).toContainText("Ведёт на другой сайт");
  expect(asked).not.toContain("/private");

  // What was read is found.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("медовик");
  await page.getByRole("option", { name: /Цены/ }).click();
  await expect(page.getByRole("dialog")).toContainText(`http://${host}/prices`);
  await expect(page.getByRole("dialog")).toContainText("7500 рублей");

  // The price has changed, the page of the offer is gone.
  price = "8200";
  delete pages["/old"];
  await page.goto("/knowledge?tab=sites");
  await row.getByRole("button", { name: `Обновить: ${host}` }).click();
  await expect(row).toContainText("Читается");
  await expect(read).toBeVisible({ timeout: READ_MS });
  await expect(row).toContainText("изменилось 1, исчезло с сайта 1");
  await expect(row).toContainText("2 страницы");
  await row.getByRole("button", { name: `Страницы: ${host}` }).click();
  await expect(list.getByRole("listitem").filter({ hasText: "/old" })).toContainText(
    "Такой страницы нет. Документ удалён",
  );
  await list.getByRole("link", { name: "/prices" }).click();
  await expect(page.getByRole("dialog")).toContainText("8200 рублей");
});
