// One's own organisation: members and invitations, the subscription, use; samples where the server returns nothing.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise, wearTheme } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { keyboardOf } from "./keyboard.ts";
import { tokenTo } from "./letters.ts";
import { withSeventyMembers } from "./many-members.ts";
import { enter } from "./session.ts";
import { asAdministrator, PASSWORD } from "./super-admin.ts";

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const stat = (page: Page, label: string) =>
  page.locator("main dl").filter({ has: page.locator("dt", { hasText: label }) });
const toast = (page: Page, title: string) => page.getByRole("status").filter({ hasText: title });
const members = (page: Page) => region(page, "Пользователи").getByRole("listitem");
const newEmail = () => `${randomUUID()}@example.com`;

async function openInvite(page: Page) {
  await page.getByRole("button", { name: "Invite User" }).click();
  return page.getByRole("dialog", { name: "Invite User" });
}

/** A member who is invited by the administrator and has followed the link, signed in on a page of his own. */
async function memberOf(page: Page, server: Parameters<typeof tokenTo>[0], role: string) {
  const { headers, organizationId } = await asAdministrator(page);
  const email = newEmail();
  const data = { email, firstName: "Иван", lastName: "Смирнов", role };
  await page.request.post(`/api/organizations/${organizationId}/users`, { data, headers });
  const token = await tokenTo(server, email);
  const accepted = await page.request.post("/api/auth/invitation/accept", { data: { token, password: PASSWORD } });
  return { email, headers, organizationId, token, session: await accepted.json() };
}

test("the overview shows the organisation's own figures and its subscription", async ({ page }) => {
  await asAdministrator(page, "Полина");
  await page.goto("/org-admin");
  await expect(page.getByRole("banner")).toContainText("Полина");
  await expect(stat(page, "Пользователи").locator("dd").first()).toHaveText("1");
  await expect(stat(page, "Активные интеграции").locator("dd").first()).toHaveText("0");
  await expect(page.getByRole("tab")).toHaveText(["Обзор", "Пользователи", "Двойники", "Оплата", "Использование"]);
  const card = region(page, "Текущая подписка");
  await expect(card).toContainText("Starter");
  await expect(page.locator("main").getByText("Пример", { exact: true })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("tab")).toHaveText(["Обзор", "Пользователи"]);
  await page.goto("/org-admin-dashboard?tab=billing");
  await expect(page.getByRole("tab", { name: "Обзор" })).toHaveAttribute("aria-selected", "true");
});

test("somebody is invited, comes by the letter's link, changes role and is removed", async ({
  page,
  server,
  browser,
}) => {
  await asAdministrator(page);
  await page.goto("/org-admin?tab=users");
  await expect(members(page)).toHaveCount(1);
  const dialog = await openInvite(page);
  const role = dialog.getByLabel("Роль");
  await expect(role).toHaveValue("user");
  await expect(role.locator("option")).toHaveText(["User", "Admin", "Viewer"]);
  await expect(role).toHaveAttribute("lang", "en");
  const email = newEmail();
  await dialog.getByRole("button", { name: "Пригласить" }).click();
  await expect(dialog.getByText("Введите email")).toBeVisible();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Имя").fill("Иван");
  await dialog.getByLabel("Фамилия").fill("Смирнов");
  await role.selectOption("viewer");
  const sent = page.waitForRequest((request) => request.method() === "POST" && /\/users$/.test(request.url()));
  await dialog.getByRole("button", { name: "Пригласить" }).click();
  expect((await sent).postDataJSON()).toEqual({ email, firstName: "Иван", lastName: "Смирнов", role: "viewer" });
  await expect(toast(page, "Успех")).toContainText("Пользователь успешно создан");
  await expect(dialog).toHaveCount(0);
  await expect(members(page)).toHaveCount(2);
  await expect(members(page).first()).toContainText("Приглашён");

  const guest = await (await browser.newContext({ baseURL: server.url, locale: "ru-RU" })).newPage();
  await guest.goto(`/invitation?token=${await tokenTo(server, email)}`);
  await expect(guest.getByText("Иван, вас пригласили в организацию Вера.")).toBeVisible();
  await expectAccessible(guest, "an invitation");
  await guest.getByLabel("Придумайте пароль").fill("short");
  await guest.getByRole("button", { name: "Принять приглашение" }).click();
  await expect(guest.getByText("Пароль должен содержать минимум 8 символов")).toBeVisible();
  await guest.getByLabel("Придумайте пароль").fill(PASSWORD);
  await guest.getByRole("button", { name: "Принять приглашение" }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Панель управления" })).toBeVisible();

  await page.reload();
  const ivan = members(page).filter({ hasText: "Иван Смирнов" });
  await expect(ivan).toContainText("Активен");
  await ivan.getByLabel("Роль: Иван Смирнов").selectOption("user");
  await expect(toast(page, "Роль изменена")).toBeVisible();
  await ivan.getByRole("button", { name: "Исключить: Иван Смирнов" }).click();
  const confirm = page.getByRole("dialog", { name: "Исключить участника?" });
  await expect(confirm).toContainText("Иван Смирнов потеряет доступ сразу");
  await expect(confirm).toContainText("Ключей, вебхуков и подключённых платформ у участника нет.");
  await expect(confirm.getByRole("radio")).toHaveCount(0);
  await confirm.getByRole("button", { name: "Исключить" }).click();
  await expect(members(page)).toHaveCount(1);
  // His next request is nobody's any more.
  await guest.getByRole("link", { name: "Аналитика" }).first().click();
  await expect(guest).toHaveURL(/\/login/);
  await guest.context().close();
});

/** A member with a twin, a key and a webhook; the administrator's page stands on the list of members. */
async function withHoldings(page: Page, server: Parameters<typeof tokenTo>[0]) {
  const { session, headers, organizationId } = await memberOf(page, server, "user");
  const own = { authorization: `Bearer ${session.token}` };
  const twin = {
    name: "Двойник Ивана",
    description: "Отвечает покупателям магазина",
    personality: "Внимательный, спокойный, шутит редко",
    communicationStyle: "Коротко и на вы",
    knowledgeArea: "Доставка и возврат",
  };
  const made = await page.request.post("/api/digital-twins", { data: twin, headers: own });
  const { id } = await made.json();
  const key = { name: "Сайт магазина", scopes: ["ask"], dailyMessages: 10, dailyTokens: 10_000 };
  expect((await page.request.post(`/api/digital-twins/${id}/keys`, { data: key, headers: own })).ok()).toBe(true);
  const hook = { url: "https://example.com/secret-path", events: ["reply.sent"], includeTexts: true, enabled: true };
  expect((await page.request.post(`/api/digital-twins/${id}/webhooks`, { data: hook, headers: own })).ok()).toBe(true);
  await page.goto("/org-admin?tab=users");
  const remove = page.getByRole("button", { name: "Исключить: Иван Смирнов" });
  const dialog = page.getByRole("dialog", { name: "Исключить участника?" });
  const twins = async () => (await page.request.get("/api/digital-twins", { headers })).json();
  return { remove, dialog, twins, id, organizationId };
}

test("before a removal stands what the member holds, and his twins pass to the administrator", async ({
  page,
  server,
}) => {
  const { remove, dialog, twins, id } = await withHoldings(page, server);
  const { follow, press } = keyboardOf(page);
  await follow(remove);
  await expect(dialog).toContainText("Ключи: 1");
  await expect(dialog).toContainText("Сайт магазина (Двойник Ивана)");
  await expect(dialog).toContainText("example.com (Двойник Ивана)");
  await expect(dialog).not.toContainText("secret-path");
  await expect(dialog.getByRole("radio", { name: /^Передать мне двойников/ })).toBeChecked();
  await expectAccessible(page, "the removal of a member");
  await press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(remove).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await remove.click();
  await expect(dialog).toContainText("Двойники участника: 1");
  expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await wearTheme(page, "dark");
  await expectAccessible(page, "the removal of a member on a phone");
  await dialog.getByRole("button", { name: "Исключить" }).click();
  await expect(toast(page, "Участник исключён")).toBeVisible();
  await expect(members(page)).toHaveCount(1);
  expect(await twins()).toMatchObject([{ id, isActive: false }]);
});

test("a member's twins are deleted where the administrator says so", async ({ page, server }) => {
  const { remove, dialog, twins } = await withHoldings(page, server);
  await remove.click();
  await dialog.getByRole("radio", { name: /^Удалить двойников/ }).check();
  await dialog.getByRole("button", { name: "Исключить и удалить двойников" }).click();
  await expect(members(page)).toHaveCount(1);
  expect(await twins()).toEqual([]);
});

test("an invitation's link that is used, unknown or cut says so", async ({ page, server }) => {
  const used = (await memberOf(page, server, "user")).token;
  for (const token of [used, "x".repeat(43), ""]) {
    await page.goto(`/invitation?token=${token}`);
    await expect(page.getByRole("alert")).toContainText("Приглашение недействительно или устарело");
  }
});

test("the last administrator is told why he stays one", async ({ page }) => {
  await asAdministrator(page);
  await page.goto("/org-admin?tab=users");
  await members(page).getByLabel(/^Роль/).selectOption("viewer");
  await expect(toast(page, "Ошибка")).toContainText("В организации должен остаться хотя бы один администратор");
  await expect(members(page).getByLabel(/^Роль/)).toHaveValue("org_admin");
});

test.describe("a failing invitation", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("shows the toast, says why in the form and keeps what was typed", async ({ page }) => {
    await asAdministrator(page);
    await page.goto("/org-admin?tab=users");
    await page.route("**/api/organizations/*/users", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 500, body: "нет места" }) : route.continue(),
    );
    const dialog = await openInvite(page);
    await dialog.getByLabel("Email").fill("a@example.com");
    await dialog.getByRole("button", { name: "Пригласить" }).click();
    await expect(toast(page, "Ошибка")).toContainText("Не удалось создать пользователя");
    await expect(dialog.getByRole("alert")).toContainText("500: нет места");
    await expect(dialog.getByLabel("Email")).toHaveValue("a@example.com");
  });

  test("and nobody is removed while it is not known what he holds", async ({ page, server }) => {
    const { remove, dialog } = await withHoldings(page, server);
    await page.route("**/holdings", (route) => route.fulfill({ status: 500, body: "" }));
    await remove.click();
    await expect(dialog.getByRole("alert")).toContainText("Не удалось узнать, что есть у участника");
    await expect(dialog.getByRole("button", { name: "Исключить" })).toBeDisabled();
    await page.unroute("**/holdings");
    await dialog.getByRole("button", { name: "Повторить" }).click();
    await expect(dialog).toContainText("Ключи: 1");
    await expect(dialog.getByRole("button", { name: "Исключить" })).toBeEnabled();
  });

  test("and any failing list stands there as a sample", async ({ page }) => {
    await asAdministrator(page);
    await page.route("**/api/organizations/**", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/org-admin");
    await expect(stat(page, "Пользователи")).toContainText(/24\s*Пример/);
    await expect(region(page, "Текущая подписка").getByText("Пример")).toBeVisible();
    for (const [tab, card] of [
      ["Пользователи", "Пользователи"],
      ["Двойники", "Двойники организации"],
      ["Оплата", "Счета"],
      ["Использование", "Использование за месяц"],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await expect(region(page, card).getByText("Пример", { exact: true })).toBeVisible();
    }
  });
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
  await expect(toast(page, "Счёт выставлен")).toBeVisible();
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
  await expect(stat(page, "Пользователи").locator("dd").first()).toHaveText("2");
  await page.getByRole("tab", { name: "Пользователи" }).click();
  await expect(region(page, "Пользователи").getByText("Пример", { exact: true })).toBeVisible();
  await expect(members(page)).toHaveCount(3);
  await expect(members(page).getByRole("combobox")).toHaveCount(0);
  const begin = page.getByRole("button", { name: "Invite User" });
  await expect(begin).toBeDisabled();
  await expect(begin).toHaveAttribute("title", "Это может сделать только администратор организации.");
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
  await expect(region(page, "Пользователи").getByText("Пример", { exact: true })).toBeVisible();
});

test("a long list of members is searched and read in portions", async ({ page }) => {
  const { organizationId } = await asAdministrator(page);
  await withSeventyMembers(page, `**/api/organizations/${organizationId}/users*`);
  await page.goto("/org-admin?tab=users");
  await expect(members(page)).toHaveCount(50);
  await page.getByRole("button", { name: "Показать ещё" }).click();
  await expect(members(page)).toHaveCount(70);
  await page.getByRole("searchbox", { name: "Поиск участника" }).fill("Участник 6");
  await expect(members(page)).toHaveCount(11);
  await expect(page).toHaveURL(/q=/);
  await page.getByRole("searchbox", { name: "Поиск участника" }).fill("нет такого");
  await expect(page.getByText("Никого не найдено")).toBeVisible();
  await page.getByRole("button", { name: "Сбросить поиск" }).click();
  await expect(members(page)).toHaveCount(70);
});

test("each tab and dialog is accessible, fits 320 px, and a dialog is reached and left by keyboard", async ({
  page,
}) => {
  test.slow();
  await asAdministrator(page);
  await page.goto("/org-admin?tab=users");
  await expect(members(page)).toHaveCount(1);
  await expectAccessibleCrosswise(page, "/org-admin?tab=users");
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 1440, height: 900 });
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
