// Sign-in by Telegram's widget, which is played here: it shows a button and leads to `data-auth-url` with signed fields.
// What telegram.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { recordToasts } from "../support/toast.ts";
import { BOT, playWidget, SCRIPT, signed, TOKEN } from "./telegram-parts.ts";

test.use({ serverEnvironment: { DEMO: "0", TELEGRAM_BOT_NAME: BOT, TELEGRAM_BOT_TOKEN: TOKEN } });

// One worker, one server.
test.describe.configure({ mode: "default" });

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
  // The page's live stream learns of the end at once.
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
