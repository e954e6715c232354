// What the platform's administrator does on /admin, on a real server.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { figureOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { asAdministrator, asSuperAdmin } from "../support/super-admin.ts";
import { expectToast } from "../support/toast.ts";
import { region, row } from "./parts.ts";

const sample = (page: Page) => page.locator("main").getByText("Пример");

test.describe("for the super admin", () => {
  test("totals are the platform's own", async ({ page }) => {
    const { headers } = await asSuperAdmin(page);
    await page.goto("/admin");
    const stats = await (await page.request.get("/api/admin/platform/stats", { headers })).json();
    await expect(figureOf(page, "Цифровые двойники")).toHaveText(String(stats.totalDigitalTwins));
    // What waits and what is broken stands before any sample.
    const state = region(page, "Что ждёт вас");
    await expect(state.getByRole("link", { name: "Всё состояние сервера" })).toHaveAttribute(
      "href",
      "/platform-health",
    );
    await expect(state.getByRole("listitem").last()).toContainText(/Неоплаченных счетов нет|Счета ждут оплаты/);
    expect((await state.boundingBox())!.y).toBeLessThan((await sample(page).boundingBox())!.y);
    // The three blocks are samples for everybody, and one quiet line says so.
    await expect(sample(page)).toHaveText([/^Пример: .*активность, состояние системы и выручка\.$/]);
    const line = (await sample(page).boundingBox())!;
    expect(line.y).toBeGreaterThan((await figureOf(page, "Сообщения").boundingBox())!.y);
    expect(line.y).toBeLessThan((await region(page, "Активность").boundingBox())!.y);
    for (const [title, link, href] of [
      ["Активность", "Открыть журнал", "/platform-audit"],
      ["Состояние системы", "Открыть состояние", "/platform-health"],
      ["Выручка", "Открыть планы", "/admin?tab=organizations"],
    ] as const) {
      await expect(region(page, title).getByRole("link", { name: link })).toHaveAttribute("href", href);
    }
    await page.getByRole("tab", { name: "Аналитика" }).click();
    await expect(sample(page)).toHaveText(["Пример: тариф в меню, числа на значках."]);
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
    await expectToast(page, "Организация добавлена");
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText("Ссылка для admin@example.com записана в журнал сервера")).toBeVisible();
    await expect(row(page, name)).toContainText("Starter");

    await page.getByRole("button", { name: `Manage ${name}` }).click();
    await expect(dialog.getByRole("listitem")).toContainText("admin@example.com");
    await dialog.getByLabel("Название").fill(`${name} 2`);
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByRole("dialog", { name: `${name} 2` })).toBeVisible();
    await dialog.getByLabel("План").selectOption({ label: "Enterprise" });
    await expectToast(page, "План изменён");
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
    // Set, not turned over: a first try that was cut off may have left the plan as it likes.
    await dialog.getByRole("switch", { name: "План можно выбрать" }).setChecked(false);
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expectToast(page, "План сохранён");
    await expect(card).toContainText("₽30,000");
    await expect(card.getByRole("listitem")).toHaveText(["Одно", "Другое", "Третье"]);
    await expect(card.getByText("Inactive", { exact: true })).toBeVisible();
    // As it was: the tests of a worker share the server.
    await card.getByRole("button", { name: "Edit Plan" }).click();
    await dialog.getByRole("switch").setChecked(true);
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
    await expectToast(page, "Счёт оплачен");
    await expect(invoices).not.toContainText(name);
    expect((await (await other.request.get(address, { headers })).json()).plan.id).toBe("business");
    await other.context().close();
  });
});
