// Where no letter can be sent, users read so in plain words; what to configure is shown to the operator on /admin. What letters.spec.ts
// leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { invite, OPERATORS, open } from "./letters-parts.ts";

test("an organisation's administrator reads who hands the link over", async ({ page }) => {
  await invite(page, false);
  await expect(page.getByText(/Письмо сейчас отправить нельзя\. Приглашение создано/)).toBeVisible();
  await expect(page.locator("body")).not.toContainText(OPERATORS);
});

test("an account that is not confirmed reads no operator's word", async ({ page }) => {
  for (const [at, said] of [
    ["/dashboard", /Письмо отправить нельзя: ссылку передаст администратор платформы/],
    ["/confirm-email", /Подтвердите email|ещё не\s+подтверждён/],
  ] as const) {
    await open(page, at, { emailConfirmed: false });
    await expect(page.getByText(said).first()).toBeVisible();
    await expect(page.locator("body")).not.toContainText(OPERATORS);
  }
});
