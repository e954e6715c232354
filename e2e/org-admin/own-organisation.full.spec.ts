// One's own organisation on the real server: its figures, its subscription, who may change it, and how it looks.
// What own-organisation.spec.ts leaves to test:full.
import {
  expectAccessible,
  expectAccessibleCrosswise,
  expectFitsNarrowPhone,
  wearTheme,
} from "../support/accessibility.ts";
import { figureOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { enter } from "../support/session.ts";
import { asAdministrator } from "../support/super-admin.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP } from "../support/viewports.ts";
import { memberOf, members, region } from "./members.ts";

test("each tab and dialog is accessible, fits 320 px, and a dialog is reached and left by keyboard", async ({
  page,
}) => {
  test.slow();
  await asAdministrator(page);
  await page.goto("/org-admin?tab=users");
  await expect(members(page)).toHaveCount(1);
  await expectAccessibleCrosswise(page, "/org-admin?tab=users");
  await expectFitsNarrowPhone(page);
  await page.setViewportSize(DESKTOP);
  for (const tab of ["twins", "billing", "usage"]) {
    await page.goto(`/org-admin?tab=${tab}`);
    await expect(page.getByRole("tabpanel")).toBeVisible();
    await expect(page.locator("main [class*=animate-pulse]")).toHaveCount(0);
    await wearTheme(page, "dark");
    await expectAccessible(page, `/org-admin?tab=${tab}`);
  }
  const { follow, type, press } = keyboardOf(page);
  await page.goto("/org-admin?tab=users");
  const open = page.getByRole("button", { name: "Invite User" });
  await follow(open);
  const dialog = page.getByRole("dialog", { name: "Invite User" });
  await type(dialog.getByLabel("Email"), "nobody");
  await press("Enter");
  await expect(dialog.getByText("Введите корректный email")).toBeVisible();
  await expectAccessible(page, "an invalid invitation");
  await press("Escape");
  await expect(open).toBeFocused();
  await page.goto("/org-admin");
  await page.getByRole("button", { name: "Сменить план" }).click();
  await expect(page.getByRole("radio").first()).toBeVisible();
  await expectAccessible(page, "the choice of a plan");
});

test("a paid plan makes an invoice, honestly; the plan of now takes it back", async ({ page }) => {
  await asAdministrator(page);
  await page.goto("/org-admin?tab=billing");
  const card = region(page, "Текущая подписка");
  await expect(region(page, "Счета").getByText("Пример")).toBeVisible();
  await card.getByRole("button", { name: "Сменить план" }).click();
  const dialog = page.getByRole("dialog", { name: "Сменить план" });
  await expect(dialog).toContainText("онлайн-оплаты здесь нет");
  await expect(dialog.getByRole("radio", { name: /Starter/ })).toBeChecked();
  await expect(dialog.getByRole("button", { name: "Выбрать план" })).toBeDisabled();
  await dialog.getByRole("radio", { name: /Business/ }).check();
  await dialog.getByRole("button", { name: "Выставить счёт" }).click();
  await expectToast(page, "Счёт выставлен");
  await expect(card.getByRole("status")).toContainText("ждёт оплаты");
  await expect(region(page, "Счета").getByRole("listitem")).toContainText("Ждёт оплаты");
  await expect(region(page, "Счета").getByText("Пример")).toHaveCount(0);
  await card.getByRole("button", { name: "Сменить план" }).click();
  await dialog.getByRole("radio", { name: /Starter/ }).check();
  await dialog.getByRole("button", { name: "Выбрать план" }).click();
  await expect(region(page, "Счета").getByRole("listitem")).toContainText("Отменён");
  await expect(card.getByRole("status")).toHaveCount(0);
});

test("who is no administrator sees samples where nothing is for him, and changes nothing", async ({
  page,
  server,
  browser,
}) => {
  const admin = await (await browser.newContext({ baseURL: server.url })).newPage();
  const { session } = await memberOf(admin, server, "viewer");
  await admin.context().close();
  await enter(page, session);
  await page.goto("/org-admin");
  await expect(page.getByRole("note")).toContainText("показаны примеры");
  await expect(figureOf(page, "Пользователи")).toHaveText("2");
  await page.getByRole("tab", { name: "Пользователи" }).click();
  await expect(page.locator("main").getByText("Пример", { exact: true })).toHaveCount(1);
  await expect(members(page)).toHaveCount(3);
  await expect(members(page).getByRole("combobox")).toHaveCount(0);
  const begin = page.getByRole("button", { name: "Invite User" });
  await expect(begin).toBeDisabled();
  await expect(begin).toHaveAttribute("title", "Это может сделать только администратор организации.");
});
