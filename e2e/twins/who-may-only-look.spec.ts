// The forms of a twin for who may only look, and as they look with faults in them.
import { uuid } from "../factories/ids.ts";
import { user } from "../factories/people.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, listOf, oneTwin } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

test.describe("who may only look", () => {
  const caller = { "GET /api/auth/verify": json({ user: { ...user, role: "viewer" } }) };
  const reason = "Только просмотр: ваша роль не позволяет ничего менять.";

  test("reads so instead of filling in a form in vain", async ({ page }) => {
    const mine = buildTwin(1);
    await answering(page, { ...caller, ...listOf(mine), ...oneTwin(mine) });
    await page.goto("/create-twin");
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByLabel("Имя двойника")).toBeDisabled();
    await expect(page.getByRole("button", { name: "Создать Агента" })).toBeDisabled();
    await expectAccessibleCrosswise(page, "the create form of who may only look");
    await page.goto(`/edit-twin/${mine.id}`);
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByLabel("Личность")).toBeDisabled();
    for (const name of ["Сохранить", "Удалить двойника"]) {
      await expect(page.getByRole("button", { name })).toBeDisabled();
    }
    await page.getByRole("button", { name: "Отмена" }).click();
    await expect(page).toHaveURL("/twins");
    await page.goto(`/twin-settings/${mine.id}`);
    const toggle = page.getByRole("switch", { name: "Активность" });
    await expect(toggle).toBeDisabled();
    await expect(toggle).toHaveAccessibleDescription(/Агент активен и отвечает на сообщения Только просмотр/);
  });

  test("is also who reads a colleague's twin without being an administrator", async ({ page }) => {
    const foreign = buildTwin(1, { ownerId: uuid(777) });
    const own = buildTwin(2);
    const member = { "GET /api/auth/verify": json({ user: { ...user, role: "user" } }) };
    await answering(page, { ...member, ...listOf(foreign, own), ...oneTwin(foreign), ...oneTwin(own) });
    await page.goto(`/twin-settings/${foreign.id}`);
    await expect(page.getByText("Только просмотр: этого двойника меняют его владелец")).toBeVisible();
    await expect(page.getByRole("switch", { name: "Активность" })).toBeDisabled();
    await page.goto(`/twin-settings/${own.id}`);
    await expect(page.getByRole("switch", { name: "Активность" })).toBeEnabled();
    await expect(page.getByText("Только просмотр")).toBeHidden();
  });
});
