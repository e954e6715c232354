// One's own organisation on the real server: its figures, its subscription, who may change it, and how it looks.
import { expectAccessible } from "../support/accessibility.ts";
import { figureOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { tokenTo } from "../support/letters.ts";
import { enter } from "../support/session.ts";
import { asAdministrator } from "../support/super-admin.ts";
import { PHONE } from "../support/viewports.ts";
import { memberOf, members, region } from "./members.ts";

test("the overview shows the organisation's own figures and its subscription", async ({ page }) => {
  await asAdministrator(page, "Полина");
  await page.goto("/org-admin");
  await expect(page.getByRole("banner")).toContainText("Полина");
  await expect(figureOf(page, "Пользователи")).toHaveText("1");
  await expect(figureOf(page, "Активные интеграции")).toHaveText("0");
  const card = region(page, "Текущая подписка");
  await expect(card).toContainText("Starter");
  await expect(page.locator("main").getByText("Пример", { exact: true })).toHaveCount(0);
  await page.setViewportSize(PHONE);
  await expect(page.getByRole("tab")).toHaveText(["Обзор", "Пользователи"]);
  await page.getByRole("link", { name: /^Оплата/ }).click();
  // A section without a tab stands alone under its own name, and leads back.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Оплата");
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(region(page, "Счета")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Организация" }).click();
  await expect(page.getByRole("tab")).toHaveText(["Обзор", "Пользователи"]);
});

test("a member of two organisations changes between them in the user's menu", async ({ page, server }) => {
  const { session, email } = await memberOf(page, server, "user");
  const second = await memberOf(page, server, "user");
  const path = `/api/organizations/${second.organizationId}/users`;
  await page.request.post(path, { data: { email, role: "org_admin" }, headers: second.headers });
  const token = await tokenTo(server, email);
  const own = { authorization: `Bearer ${session.token}` };
  const joined = await (
    await page.request.post("/api/auth/invitation/accept", { data: { token }, headers: own })
  ).json();
  await enter(page, joined);
  await page.goto("/org-admin?tab=users");
  await expect(members(page).filter({ hasText: "(вы)" }).getByRole("combobox")).toHaveValue("org_admin");
  await page
    .getByRole("button", { name: /Смирнов|Иван/ })
    .first()
    .click();
  const choices = page.getByRole("menuitemradio", { name: "Вера" });
  await expect(choices).toHaveCount(2);
  await expect(choices.nth(1)).toHaveAttribute("aria-checked", "true");
  await expectAccessible(page, "the user's menu with two organisations");
  await choices.nth(0).click();
  await expect(page.getByRole("note")).toContainText("показаны примеры");
  await expect(page.locator("main").getByText("Пример", { exact: true })).toHaveCount(1);
});
