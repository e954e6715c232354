// Sign-in by Telegram's widget, which is played here: it shows a button and leads to `data-auth-url` with signed fields.
import { createHash, createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { recordToasts } from "../support/toast.ts";

// Sign-in by Telegram's widget, which is played here: it shows a button and leads to `data-auth-url` with signed fields.

const BOT = "digital_twins_test_bot";
const TOKEN = "123456:the-token-of-a-bot-0123456789abcdefghij-that-is-not-there";
const SCRIPT = "https://telegram.org/js/telegram-widget.js";

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

test("why a session has ended is still said when the sign-in page needs another document", async ({ page }) => {
  await playWidget(page, signed({ id: "4243", first_name: "Инна" }));
  const toasts = await recordToasts(page);
  await page.goto("/login?return=%2Ftwins");
  await page.locator("#telegram-login-container").getByRole("button").click();
  await expect(page).toHaveURL("/twins");
  // A document that may not load Telegram's script: the sign-in page will ask for one that may.
  await page.reload();
  // Until the stored token is checked nobody is signed in, and no session of theirs ends.
  await expect(page.getByRole("heading", { name: "Примите условия, чтобы продолжить" })).toBeVisible();
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  await page.request.post("/api/auth/logout", { headers: { authorization: `Bearer ${token}` } });
  // The page's live stream is told of the end at once.
  await expect(page.locator("#telegram-login-container script")).toHaveCount(1);
  await expect.poll(toasts).toContainEqual(expect.stringMatching(/^Сеанс завершён\s*Войдите снова, чтобы продолжить/));
});

test("a widget that does not come is warned of after three seconds", async ({ page }) => {
  await page.route(SCRIPT, () => undefined);
  const warned = page.waitForEvent("console", { predicate: (message) => message.type() === "warning" });
  // The script hangs, and the page's load event waits for it.
  await page.goto("/login", { waitUntil: "commit" });
  expect((await warned).text()).toContain("Telegram widget has not loaded");
  await expect(page.getByText("Не удалось загрузить вход через Telegram.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Войти по email" })).toBeEnabled();
});

/** Signs the way Telegram does. */
function signed(fields: Record<string, string>): Record<string, string> {
  const all: Record<string, string> = { ...fields, auth_date: String(Math.floor(Date.now() / 1000)) };
  const lines = Object.entries(all).map(([key, value]) => `${key}=${value}`);
  const secret = createHash("sha256").update(TOKEN).digest();
  return { ...all, hash: createHmac("sha256", secret).update(lines.sort().join("\n")).digest("hex") };
}

async function playWidget(page: Page, answer: Record<string, string>): Promise<void> {
  const body = `
    const script = document.currentScript;
    const button = document.createElement("button");
    button.textContent = "Log in with Telegram";
    button.onclick = () => {
      location.href = script.dataset.authUrl + "&" + new URLSearchParams(${JSON.stringify(answer)});
    };
    script.before(button, document.createElement("iframe"));`;
  await page.route(SCRIPT, (route) => route.fulfill({ contentType: "text/javascript", body }));
}
