// A member who may only look learns that before filling anything in: what changes something is not offered, or says why it cannot be done.
// What viewers.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { expect, test } from "../support/fixtures.ts";
import { asViewer } from "./viewers-parts.ts";

// A member who may only look learns that before filling anything in: what changes something is not offered, or says why it cannot be done.

const REASON = /ваша роль не\s+позволяет ничего менять/;

test("forms are not to be filled in by a viewer", async ({ page }) => {
  await asViewer(page);
  for (const [path, field, button] of [
    ["/create-twin", "Имя двойника", "Создать Агента"],
    ["/add-integration", "Цифровой двойник", "Создать интеграцию"],
    ["/integrations?connect=account", "API ID", "Отправить код"],
    ["/train-ai", "Название документа", "Загрузить документ"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(REASON).first(), path).toBeVisible();
    await expect(page.getByLabel(field).first(), path).toBeDisabled();
    await expect(page.getByRole("button", { name: button }), path).toBeDisabled();
  }
});

test("a viewer's test chat and integrations are only looked at, and no quick act is offered", async ({ page }) => {
  await asViewer(page);
  await page.goto(`/twins?chat=${uuid(1)}`);
  await expect(page.getByRole("region", { name: "Тест чат: Анна" }).getByText(REASON)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Сообщение" })).toBeHidden();
  await page.goto("/integrations");
  await expect(page.getByRole("heading", { name: "+79000000001" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Действия/ })).toBeHidden();
  await page.keyboard.press("Control+KeyK");
  await expect(page.getByRole("option", { name: "База знаний" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Создать двойника" })).toBeHidden();
});
