// What stands on /admin for everybody else, and where the server has nothing: samples under their badges.
// What samples.spec.ts leaves to test:full.
import { cardOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { asSuperAdmin } from "../support/super-admin.ts";
import { region, row } from "./parts.ts";

test.describe("when the server fails", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("samples stand in place of what is missing", async ({ page }) => {
    await asSuperAdmin(page);
    await page.route("**/api/admin/**", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/admin?tab=organizations");
    await expect(row(page, "Медиа Групп")).toBeVisible();
    await page.unroute("**/api/admin/**");
    // An answer of another shape, and an empty list, are nothing as well.
    await page.route("**/api/admin/platform/stats", (route) => route.fulfill({ json: null }));
    await page.route("**/api/admin/subscription-plans", (route) => route.fulfill({ json: [] }));
    await page.goto("/admin");
    const badge = page.locator("main").getByText("Пример");
    await expect(cardOf(page, "Пользователи")).toContainText(/2\s847/);
    await expect(badge).toHaveText(["Пример"]);
    await page.getByRole("tab", { name: "Подписки" }).click();
    await expect(region(page, "Starter")).toBeVisible();
    await expect(badge).toHaveText(["Пример"]);
  });

  test("an organisation's members can be asked for again", async ({ page }) => {
    await asSuperAdmin(page);
    const members = "**/api/admin/organizations/*/users*";
    await page.route(members, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/admin?tab=organizations");
    await page.getByRole("button", { name: "Manage Демо" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Не удалось загрузить участников")).toBeVisible();
    await page.unroute(members);
    await dialog.getByRole("button", { name: "Повторить" }).click();
    await expect(dialog.getByRole("listitem")).not.toHaveCount(0);
  });
});
