// Inviting on the real server: the letter, its link, what is refused; samples where a list fails.
import { randomUUID } from "node:crypto";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { tokenTo } from "../support/letters.ts";
import { PASSWORD } from "../support/sign-in-form.ts";
import { asAdministrator } from "../support/super-admin.ts";
import { expectToast } from "../support/toast.ts";
import { openInvite } from "./invitations-parts.ts";
import { memberOf, members } from "./members.ts";

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
  // The options keep the specified names and are shown with what they mean.
  await expect(role.locator("option")).toHaveText(["User", "Admin", "Viewer"]);
  await expect(role.getByRole("option").nth(1)).toHaveAttribute("label", "Admin — администратор");
  const email = `${randomUUID()}@example.com`;
  await dialog.getByRole("button", { name: "Пригласить" }).click();
  await expect(dialog.getByText("Введите email")).toBeVisible();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Имя").fill("Иван");
  await dialog.getByLabel("Фамилия").fill("Смирнов");
  await role.selectOption("viewer");
  const sent = page.waitForRequest((request) => request.method() === "POST" && /\/users$/.test(request.url()));
  await dialog.getByRole("button", { name: "Пригласить" }).click();
  expect((await sent).postDataJSON()).toEqual({ email, firstName: "Иван", lastName: "Смирнов", role: "viewer" });
  await expectToast(page, "Успех", "Пользователь успешно создан");
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
  await expectToast(page, "Роль изменена");
  await ivan.getByRole("button", { name: "Исключить: Иван Смирнов" }).click();
  const confirm = page.getByRole("dialog", { name: "Исключить участника?" });
  await expect(confirm).toContainText("Иван Смирнов потеряет доступ сразу");
  await expect(confirm).toContainText("Ключей, вебхуков и подключённых платформ у участника нет.");
  await expect(confirm.getByRole("radio")).toHaveCount(0);
  await confirm.getByRole("button", { name: "Исключить" }).click();
  await expect(members(page)).toHaveCount(1);
  // His next request is no longer authenticated.
  await guest.getByRole("link", { name: "Аналитика" }).first().click();
  await expect(guest).toHaveURL(/\/login/);
  await guest.context().close();
});

test("an invitation's link that is used, unknown or cut says so", async ({ page, server }) => {
  const used = (await memberOf(page, server, "user")).token;
  for (const token of [used, "x".repeat(43), ""]) {
    await page.goto(`/invitation?token=${token}`);
    await expect(page.getByRole("alert")).toContainText("Приглашение недействительно или устарело");
  }
});
