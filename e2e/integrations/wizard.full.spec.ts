import { json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { expectToast } from "../support/toast.ts";
import { account, code, codeSent, hash, requestCode, step, twinSelect, VERIFY } from "./wizard.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test.describe("connecting an account", () => {
  test("without a twin it sends to making one", async ({ page }) => {
    await withTwins(page, { "GET /api/digital-twins": json([]) });
    await page.goto("/integrations?connect=account");
    await page.getByLabel("API ID").fill("1");
    await hash(page).fill("2");
    await page.getByLabel("Номер телефона").fill("3");
    await requestCode(page);
    await expectToast(page, "Нет Digital Twins", "Сначала создайте Digital Twin");
    await page.getByRole("link", { name: "Создать двойника" }).click();
    await expect(page).toHaveURL(/\/create-twin$/);
  });

  test("is done by the keyboard alone", async ({ page }) => {
    const calls = await withTwins(page, { ...codeSent, [VERIFY]: json({ success: true }) });
    await page.goto("/integrations?connect=account");
    const { focus, follow, press, type } = keyboardOf(page);
    await expect(page.getByRole("option", { name: "Анна" })).toBeAttached();
    await focus(twinSelect(page));
    await press("ArrowDown");
    await type(page.getByLabel("API ID"), "123456");
    await type(hash(page), "0123456789abcdef");
    await type(page.getByLabel("Номер телефона"), "+79001234567");
    await press("Enter");
    await expect(code(page)).toBeFocused();
    await page.keyboard.type("54321");
    await press("Enter");
    await expect(step(page)).toContainText("Готово");
    const session = { phoneCodeHash: "hash-1", sessionId: "session-1" };
    expect(calls.find(({ call }) => call === VERIFY)?.body).toMatchObject({ ...account, ...session });
    await follow(page.getByRole("button", { name: "Настроить еще один аккаунт" }));
    await expect(twinSelect(page)).toBeFocused();
  });
});
