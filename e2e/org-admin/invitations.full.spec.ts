// Inviting on the real server: the letter, its link, what is refused; samples where a list fails.
// What invitations.spec.ts leaves to test:full.
import { cardOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { asAdministrator } from "../support/super-admin.ts";
import { expectToast } from "../support/toast.ts";
import { openInvite } from "./invitations-parts.ts";
import { region } from "./members.ts";

test.describe("when the server fails", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("an invitation shows the toast, says why in the form and keeps what was typed", async ({ page }) => {
    await asAdministrator(page);
    await page.goto("/org-admin?tab=users");
    await page.route("**/api/organizations/*/users", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 500, body: "нет места" }) : route.continue(),
    );
    const dialog = await openInvite(page);
    await dialog.getByLabel("Email").fill("a@example.com");
    await dialog.getByRole("button", { name: "Пригласить" }).click();
    await expectToast(page, "Ошибка", "Не удалось создать пользователя");
    await expect(dialog.getByRole("alert")).toContainText("500: нет места");
    await expect(dialog.getByLabel("Email")).toHaveValue("a@example.com");
  });

  test("any list stands there as a sample", async ({ page }) => {
    await asAdministrator(page);
    await page.route("**/api/organizations/**", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/org-admin");
    const badge = page.locator("main").getByText("Пример");
    await expect(cardOf(page, "Пользователи")).toContainText("24");
    await expect(badge).toHaveText(["Пример"]);
    for (const [tab, card, ...words] of [
      ["Пользователи", "Пользователи", "Анна Петрова"],
      ["Двойники", "Двойники организации", "Active", "Training"],
      ["Оплата", "Счета"],
      ["Использование", "Использование за месяц", "50,000", "100,000", "10 GB"],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await expect(region(page, card)).toBeVisible();
      await expect(badge).toHaveText(["Пример"]);
      for (const word of words) await expect(page.locator("main").getByText(word).first()).toBeVisible();
    }
  });
});
