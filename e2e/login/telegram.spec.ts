// Sign-in by Telegram's widget, which is played here: it shows a button and leads to `data-auth-url` with signed fields.
import { expect, test } from "../support/fixtures.ts";
import { BOT, playWidget, SCRIPT, signed, TOKEN } from "./telegram-parts.ts";

test.use({ serverEnvironment: { DEMO: "0", TELEGRAM_BOT_NAME: BOT, TELEGRAM_BOT_TOKEN: TOKEN } });

// One worker, one server.
test.describe.configure({ mode: "default" });

test("the widget's signed answer signs in and leads back to the barred page", async ({ page }) => {
  await playWidget(page, signed({ id: "4242", first_name: "Ольга", username: "olga" }));
  await page.goto("/twins");
  // The document changes once: only the one of /login may load Telegram's script.
  await expect(page).toHaveURL("/login?return=%2Ftwins");
  const widget = page.locator("#telegram-login-container");
  await expect(widget.locator("script")).toHaveAttribute("data-telegram-login", BOT);
  await expect(widget.locator("script")).toHaveAttribute("data-request-access", "write");
  await expect(page.getByText(/Рекомендуем: без пароля.*ваши данные полностью отделены/)).toBeVisible();
  await expect(page.getByText("или", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Тестовый вход" })).toHaveCount(0);

  await widget.getByRole("button").click();
  await expect(page.getByText("Добро пожаловать, Ольга!", { exact: true })).toBeVisible();
  await expect(page).toHaveURL("/twins");
});

test("an answer with a wrong signature is refused and leaves the address clean", async ({ page }) => {
  await playWidget(page, { ...signed({ id: "4242", first_name: "Ольга" }), first_name: "Другая" });
  const answer = await page.goto("/login");
  // Otherwise the real widget's window could not answer the page that opened it.
  expect(answer?.headers()["cross-origin-opener-policy"]).toBe("same-origin-allow-popups");
  await page.locator("#telegram-login-container").getByRole("button").click();
  await expect(page.getByText("Данные Telegram не прошли проверку", { exact: true })).toBeVisible();
  await expect(page).toHaveURL("/login");
});

test("a stranger's link with a good signature signs nobody in", async ({ page }) => {
  await page.route(SCRIPT, (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  const fields = signed({ id: "666", first_name: "Чужой" });
  await page.goto(`/login?${new URLSearchParams({ ...fields, telegram_state: "guessed" })}`);
  await expect(
    page.getByText("Вход через Telegram начат не в этой вкладке. Попробуйте ещё раз", { exact: true }),
  ).toBeVisible();
  await expect(page).toHaveURL("/login");
  expect(await page.evaluate(() => localStorage.getItem("auth_token"))).toBeNull();
});
