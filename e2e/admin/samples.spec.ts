// What stands on /admin for everybody else, and where the server has nothing: samples under their badges.
import { cardOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";
import { expectToast } from "../support/toast.ts";
import { PHONE } from "../support/viewports.ts";
import { region, row } from "./parts.ts";

test.describe("for who is no super admin", () => {
  test("samples stand there under one badge, and each button does something", async ({ page }) => {
    await asDemoUser(page);
    await page.goto("/admin");
    await expect(page.getByRole("note")).toContainText("Настоящие данные видит администратор платформы.");
    await expect(page.getByRole("note").getByText("Пример", { exact: true })).toBeVisible();
    await expect(cardOf(page, "Организации")).toContainText("156");
    for (const title of ["Активность", "Состояние системы", "Выручка"]) {
      await expect(region(page, title).getByRole("link")).toHaveCount(0);
    }
    await page.getByRole("tab", { name: "Организации" }).click();
    await expect(page).toHaveURL("/admin?tab=organizations");
    await expect(page.locator("main").getByText("Пример")).toHaveText(["Пример"]);
    await expect(row(page, "ТехноСфера").getByText("Active", { exact: true })).toHaveAttribute("lang", "en");
    await expect(row(page, "Старт").getByText("Trial", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Manage ТехноСфера" }).click();
    await expect(page.getByRole("dialog", { name: "ТехноСфера" })).toContainText("Это пример.");
    await page.getByRole("button", { name: "Понятно" }).click();
    // Nobody fills in a form that would end in a refusal.
    const onlyChief = "Это может сделать только администратор платформы.";
    await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
    await expectToast(page, "Недоступно", onlyChief);
    await page.getByRole("tab", { name: "Подписки" }).click();
    await expect(region(page, "Enterprise").getByText("Inactive")).toBeVisible();
    await expect(page.locator("main").getByText("Пример")).toHaveText(["Пример"]);
    const editPlan = region(page, "Business").getByRole("button", { name: "Edit Plan" });
    await expect(editPlan).toBeDisabled();
    await expect(editPlan).toHaveAttribute("title", onlyChief);
    await page.getByRole("tab", { name: "Аналитика" }).click();
    await expect(page.locator("main").getByText("Пример")).toHaveText(["Пример"]);
    await expect(region(page, "Сообщения по дням").getByRole("listitem")).toHaveCount(14);
  });

  test("the person's own settings and the organisation's have an address of their own, reached from the bar", async ({
    page,
  }) => {
    await asDemoUser(page);
    await page.goto("/admin");
    // The panel is what the page begins with.
    await expect(page.getByRole("tab", { name: "Обзор" })).toBeInViewport();
    await page.getByRole("banner").getByRole("link", { name: "Ваши настройки" }).click();
    await expect(page).toHaveURL("/settings");
    const own = page.getByRole("navigation", { name: "Ваши настройки" }).getByRole("link");
    await expect(own).toHaveText([
      /^Мой аккаунт/,
      /^Уведомления/,
      /^Организация/,
      /^Модель/,
      /^Данные организации/,
      /^Журнал действий/,
    ]);
    await own.filter({ hasText: "Мой аккаунт" }).click();
    await expect(page).toHaveURL("/account");
  });

  test("on a phone the two tabs for desktops are not there; rows of the overview lead to what they hold", async ({
    page,
  }) => {
    await page.setViewportSize(PHONE);
    await asDemoUser(page);
    await page.goto("/admin-dashboard");
    await expect(page.getByRole("tab")).toHaveText(["Обзор", "Организации"]);
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Аналитика/ })
      .click();
    // It stands alone under its own name, and leads back.
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Аналитика");
    await expect(page.getByRole("tab")).toHaveCount(0);
    await page.getByRole("main").getByRole("link", { name: "Супер-админ панель" }).click();
    await expect(page.getByRole("tab")).toHaveText(["Обзор", "Организации"]);
    await page.goBack();
    await page.setViewportSize({ width: 1000, height: 844 });
    await expect(page.getByRole("tab")).toHaveText(["Обзор", "Организации", "Подписки", "Аналитика"]);
    await expect(page.getByRole("tab", { name: "Аналитика" })).toHaveAttribute("aria-selected", "true");
  });
});
