// Where no letter can be sent, users read so in plain words; what to configure is shown to the operator on /admin.
import { expect, test } from "../support/fixtures.ts";
import { invite, OPERATORS, open } from "./letters-parts.ts";

test("the platform's administrator reads where the link is", async ({ page }) => {
  await invite(page, true);
  await expect(page.getByText("Ссылка для oleg@example.com записана в журнал сервера.")).toBeVisible();
});

test("the operator, and no other user, reads what to configure", async ({ page }) => {
  await open(page, "/admin", { superAdmin: true });
  await expect(page.getByText("SMTP_URL")).toBeVisible();
  await open(page, "/admin", { superAdmin: false });
  await expect(page.getByText("Настоящие данные видит администратор платформы.")).toBeVisible();
  await expect(page.locator("body")).not.toContainText(OPERATORS);
});
