// Where no letter can leave, people are told so in their own words; what to set is told to whoever runs the platform, on /admin.
import { expect, test } from "../support/fixtures.ts";
import { invite, OPERATORS, open } from "./letters-parts.ts";

test("the platform's administrator reads where the link is", async ({ page }) => {
  await invite(page, true);
  await expect(page.getByText("Ссылка для oleg@example.com записана в журнал сервера.")).toBeVisible();
});

test("whoever runs the platform is told what to set, and nobody else", async ({ page }) => {
  await open(page, "/admin", { superAdmin: true });
  await expect(page.getByText("SMTP_URL")).toBeVisible();
  await open(page, "/admin", { superAdmin: false });
  await expect(page.getByText("Настоящие данные видит администратор платформы.")).toBeVisible();
  await expect(page.locator("body")).not.toContainText(OPERATORS);
});
