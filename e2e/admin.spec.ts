// The super admin's panel: what its administrator does there, and the samples for everybody else.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  expectAccessible,
  expectAccessibleCrosswise,
  expectAccessibleInBothThemes,
  wearTheme,
} from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { keyboardOf } from "./keyboard.ts";
import { withSeventyMembers } from "./many-members.ts";
import { asDemoUser } from "./session.ts";
import { asAdministrator, asSuperAdmin } from "./super-admin.ts";

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const stat = (page: Page, label: string) =>
  page.locator("main dl").filter({ has: page.locator("dt", { hasText: label }) });
const sample = (page: Page) => page.locator("main").getByText("Пример", { exact: true });
const toast = (page: Page, title: string) => page.getByRole("status").filter({ hasText: title });
const row = (page: Page, name: string) => region(page, "Организации").getByRole("listitem").filter({ hasText: name });

test.describe("for who is no super admin", () => {
  test("samples stand there under their badges, and each button does something", async ({ page }) => {
    await asDemoUser(page);
    await page.goto("/admin");
    await expect(page.getByRole("note")).toContainText("Вам показаны примеры");
    await expect(stat(page, "Организации")).toContainText(/156\s*Пример/);
    for (const title of ["Активность", "Состояние системы", "Выручка"]) {
      await expect(region(page, title).getByText("Пример")).toBeVisible();
    }
    await page.getByRole("tab", { name: "Организации" }).click();
    await expect(page).toHaveURL("/admin?tab=organizations");
    await expect(region(page, "Организации").getByText("Пример")).toBeVisible();
    await expect(row(page, "ТехноСфера").getByText("Active", { exact: true })).toHaveAttribute("lang", "en");
    await expect(row(page, "Старт").getByText("Trial", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Manage ТехноСфера" }).click();
    await expect(page.getByRole("dialog", { name: "ТехноСфера" })).toContainText("Это пример.");
    await page.getByRole("button", { name: "Понятно" }).click();
    // Nobody fills in a form that would end in a refusal.
    const onlyChief = "Это может сделать только администратор платформы.";
    await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
    await expect(toast(page, "Недоступно")).toContainText(onlyChief);
    await page.getByRole("tab", { name: "Подписки" }).click();
    await expect(region(page, "Enterprise").getByText("Inactive")).toBeVisible();
    await expect(region(page, "Business").getByText("Пример")).toBeVisible();
    const editPlan = region(page, "Business").getByRole("button", { name: "Edit Plan" });
    await expect(editPlan).toBeDisabled();
    await expect(editPlan).toHaveAttribute("title", onlyChief);
    await page.getByRole("tab", { name: "Аналитика" }).click();
    await expect(region(page, "Сообщения по дням").getByText("Пример")).toBeVisible();
    await expect(region(page, "Сообщения по дням").getByRole("listitem")).toHaveCount(14);
  });

  test("on a phone the two tabs for desktops are not there, not by address either", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await asDemoUser(page);
    await page.goto("/admin-dashboard?tab=analytics");
    await expect(page.getByRole("tab")).toHaveText(["Обзор", "Организации"]);
    await expect(page.getByRole("tab", { name: "Обзор" })).toHaveAttribute("aria-selected", "true");
    await page.setViewportSize({ width: 1000, height: 844 });
    await expect(page.getByRole("tab")).toHaveText(["Обзор", "Организации", "Подписки", "Аналитика"]);
    await expect(page.getByRole("tab", { name: "Аналитика" })).toHaveAttribute("aria-selected", "true");
  });
});

test.describe("for the super admin", () => {
  test("totals are the platform's own", async ({ page }) => {
    const { headers } = await asSuperAdmin(page);
    await page.goto("/admin");
    const stats = await (await page.request.get("/api/admin/platform/stats", { headers })).json();
    await expect(stat(page, "Цифровые двойники").locator("dd").first()).toHaveText(String(stats.totalDigitalTwins));
    await expect(stat(page, "Организации")).not.toContainText("Пример");
    await expect(page.getByRole("note").filter({ hasText: /[Пп]ример/ })).toHaveCount(0);
    // The three blocks are samples for everybody.
    await expect(sample(page)).toHaveCount(3);
    await page.getByRole("tab", { name: "Аналитика" }).click();
    await expect(region(page, "Новые пользователи по дням").getByText("Пример")).toHaveCount(0);
    await expect(region(page, "Новые пользователи по дням").getByRole("listitem")).toHaveCount(14);
    await expect(region(page, "Новые пользователи по дням").getByRole("listitem").last()).not.toContainText(": 0");
  });

  test("an organisation is added, renamed, given a plan and members", async ({ page }) => {
    await asSuperAdmin(page);
    await page.goto("/admin?tab=organizations");
    const name = `Лавка ${randomUUID().slice(0, 8)}`;
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Добавить" }).click();
    await expect(dialog.getByText("Укажите название организации")).toBeVisible();
    await expect(dialog.getByText("Введите email")).toBeVisible();
    await dialog.getByLabel("Название").fill(name);
    await dialog.getByLabel("Email администратора").fill("admin@example.com");
    await dialog.getByRole("button", { name: "Добавить" }).click();
    await expect(toast(page, "Организация добавлена")).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText("Ссылка для admin@example.com записана в журнал сервера")).toBeVisible();
    await expect(row(page, name)).toContainText("Starter");

    await page.getByRole("button", { name: `Manage ${name}` }).click();
    await expect(dialog.getByRole("listitem")).toContainText("admin@example.com");
    await dialog.getByLabel("Название").fill(`${name} 2`);
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByRole("dialog", { name: `${name} 2` })).toBeVisible();
    await dialog.getByLabel("План").selectOption({ label: "Enterprise" });
    await expect(toast(page, "План изменён")).toBeVisible();
    await dialog.getByRole("button", { name: "Invite User" }).click();
    const invite = page.getByRole("dialog", { name: "Invite User" });
    await invite.getByLabel("Email").fill("ivan@example.com");
    await invite.getByRole("button", { name: "Пригласить" }).click();
    await expect(invite).toHaveCount(0);
    await expect(dialog.getByRole("listitem")).toHaveCount(2);
    await dialog.getByRole("button", { name: "Отозвать приглашение: ivan@example.com" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Отозвать" }).click();
    await expect(dialog.getByRole("listitem")).toHaveCount(1);
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Закрыть" }).click();
    await expect(row(page, `${name} 2`)).toContainText("Enterprise");
  });

  test("members of a large organisation are searched and read in portions", async ({ page }) => {
    await asSuperAdmin(page);
    await withSeventyMembers(page, "**/api/admin/organizations/*/users*");
    await page.goto("/admin?tab=organizations");
    await page.getByRole("button", { name: "Manage Демо" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("listitem")).toHaveCount(50);
    await dialog.getByRole("button", { name: "Показать ещё" }).click();
    await expect(dialog.getByRole("listitem")).toHaveCount(70);
    await expectAccessibleInBothThemes(page, "a long list in the dialog of an organisation");
    await dialog.getByRole("searchbox", { name: "Поиск участника" }).fill("Участник 6");
    await expect(dialog.getByRole("listitem")).toHaveCount(11);
    await dialog.getByRole("searchbox", { name: "Поиск участника" }).fill("нет такого");
    await expect(dialog.getByText("Никого не найдено")).toBeVisible();
    await dialog.getByRole("searchbox", { name: "Поиск участника" }).fill("");
    await expect(dialog.getByRole("listitem")).toHaveCount(70);
  });

  test("a plan is edited and shows its first three features", async ({ page }) => {
    await asSuperAdmin(page);
    await page.goto("/admin?tab=subscriptions");
    const card = region(page, "Enterprise");
    await expect(card.getByRole("listitem")).toHaveCount(3);
    await card.getByRole("button", { name: "Edit Plan" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Plan" });
    await dialog.getByLabel("Цена, ₽").fill("-1");
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expect(dialog.getByText("Цена не может быть отрицательной")).toBeVisible();
    await dialog.getByLabel("Цена, ₽").fill("30000");
    await dialog.getByLabel("Возможности").fill("Одно\n\nДругое\nТретье\nЧетвёртое");
    await dialog.getByRole("switch", { name: "План можно выбрать" }).click();
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expect(toast(page, "План сохранён")).toBeVisible();
    await expect(card).toContainText("30 000");
    await expect(card.getByRole("listitem")).toHaveText(["Одно", "Другое", "Третье"]);
    await expect(card.getByText("Inactive", { exact: true })).toBeVisible();
    // As it was: the tests of a worker share the server.
    await card.getByRole("button", { name: "Edit Plan" }).click();
    await dialog.getByRole("switch").click();
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expect(card.getByText("Active", { exact: true })).toBeVisible();
  });

  test("an invoice that waits is marked as paid", async ({ page, server, browser }) => {
    const other = await (await browser.newContext({ baseURL: server.url })).newPage();
    const { headers, organizationId } = await asAdministrator(other, `Лавка ${randomUUID().slice(0, 8)}`);
    const address = `/api/organizations/${organizationId}/subscription`;
    await other.request.put(address, { data: { planId: "business" }, headers });
    const [{ name }] = await (await other.request.get("/api/auth/organizations", { headers })).json();
    await asSuperAdmin(page);
    await page.goto("/admin?tab=subscriptions");
    const invoices = region(page, "Счета ждут оплаты");
    await expect(invoices).toContainText("Платёжная система не подключена");
    await invoices.getByRole("button", { name: `Оплачен ${name}` }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Отметить оплаченным" }).click();
    await expect(toast(page, "Счёт оплачен")).toBeVisible();
    await expect(invoices).not.toContainText(name);
    expect((await (await other.request.get(address, { headers })).json()).plan.id).toBe("business");
    await other.context().close();
  });

  test("each tab and dialog is accessible, fits 320 px; a dialog is reached and left by keyboard", async ({ page }) => {
    test.slow();
    await asSuperAdmin(page);
    for (const tab of ["", "?tab=organizations"]) {
      await page.goto(`/admin${tab}`);
      await expect(page.getByRole("tabpanel")).toBeVisible();
      await expect(page.locator("main [class*=animate-pulse]")).toHaveCount(0);
      await expectAccessibleCrosswise(page, `/admin${tab}`);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const tab of ["subscriptions", "analytics"]) {
      await page.goto(`/admin?tab=${tab}`);
      await expect(page.getByRole("tabpanel")).toBeVisible();
      await expect(page.locator("main [class*=animate-pulse]")).toHaveCount(0);
      await wearTheme(page, "dark");
      await expectAccessible(page, `/admin?tab=${tab}`);
    }
    await page.goto("/admin?tab=organizations");
    const { follow } = keyboardOf(page);
    const manage = page.getByRole("button", { name: "Manage Демо" });
    await follow(manage);
    await expect(page.getByRole("dialog").getByRole("listitem")).not.toHaveCount(0);
    await expectAccessible(page, "the dialog of an organisation");
    await page.keyboard.press("Escape");
    await expect(manage).toBeFocused();
  });
});

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
    await expect(stat(page, "Пользователи")).toContainText("Пример");
    await page.getByRole("tab", { name: "Подписки" }).click();
    await expect(region(page, "Starter").getByText("Пример")).toBeVisible();
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
