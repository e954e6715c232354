// The proxy of an integration and «Проверить соединение», on a real server and a local bot API.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { asOwner, connectBot } from "../support/owner.ts";

/** No such name is known anywhere. */
const NOWHERE = "socks5://shop:canary@nobody-has-this-name.example.com:1080";

test("in the wizard a wrong form is explained, and a check says which hop fails before anything is connected", async ({
  page,
  bot,
}) => {
  const owner = await asOwner(page, { name: "Вера" });
  await page.goto("/add-integration?platform=telegram");
  await page.getByLabel("Цифровой двойник").selectOption("Вера");
  await page.getByLabel("Bot Token", { exact: true }).fill(bot.token);
  const check = page.getByRole("button", { name: "Проверить соединение" });
  const path = page.getByRole("list", { name: "Путь до платформы" });
  await check.click();
  await expect(path).toContainText("Telegram отвечает: @tea_bot");
  // The reader is no engineer: the server's address is folded away.
  await expect(path).toContainText("Сервер на связи");
  await expect(path).not.toContainText("127.0.0.1");
  const addresses = page.getByText("127.0.0.1").first();
  await expect(addresses).toBeHidden();
  await page.getByText("Адреса и время").click();
  await expect(addresses).toBeVisible();

  await page.getByText("Дополнительно").click();
  const proxy = page.getByLabel("Прокси", { exact: true });
  await proxy.fill("proxy.example.com:1080");
  await check.click();
  await expect(page.getByRole("alert").filter({ hasText: "Начните с вида прокси" })).toBeVisible();
  await proxy.fill(NOWHERE);
  await check.click();
  await expect(path).toContainText("Сервер прокси не найден", { timeout: 30_000 });
  await expect(path).toContainText("Проверьте имя сервера прокси");
  await expect(path.getByRole("listitem").last()).toContainText("не проверялось");
  await expect(page.getByText("canary")).toHaveCount(0);
  await expectAccessibleCrosswise(page, "a check before connecting has failed");
  expect(await owner.get("/api/integrations")).toEqual([]);
});

test("on the integration's page a proxy is set, checked, shown without its password, and removed", async ({
  page,
  bot,
}) => {
  const owner = await asOwner(page);
  const id = await connectBot(owner, bot);
  await page.goto(`/integrations/${id}`);
  const state = page.getByRole("region", { name: "Состояние" });
  await expect(state).toContainText("Активна");
  await state.getByRole("button", { name: "Прокси" }).click();
  const form = page.getByRole("form", { name: "Прокси" });
  await expect(page.getByRole("dialog", { name: "Прокси" })).toContainText("Сейчас соединения идут напрямую");
  await form.getByLabel("Новый прокси").fill("tg://proxy?server=mt.example.com&port=443&secret=1");
  await page.keyboard.press("Enter");
  await expect(form.getByRole("alert")).toContainText("secret в ссылке неполный");
  await form.getByLabel("Новый прокси").fill(NOWHERE);
  await page.keyboard.press("Enter");
  await expect(form).toHaveCount(0);
  await expect(state).toContainText("SOCKS5 nobody-has-this-name.example.com:1080");
  await expect(state).toContainText("Сервер прокси не найден", { timeout: 30_000 });
  await state.getByRole("button", { name: "Проверить соединение" }).click();
  await expect(state.getByRole("list", { name: "Путь до платформы" })).toContainText("не проверялось", {
    timeout: 30_000,
  });
  await expectAccessibleCrosswise(page, "a check of an integration has failed");

  await state.getByRole("button", { name: "Прокси" }).click();
  await form.getByRole("button", { name: "Убрать прокси" }).click();
  await expect(state).toContainText("Активна", { timeout: 30_000 });
  await expect(state).not.toContainText("SOCKS5");
});
