// /twin-access/{id}: keys for programs, webhooks and the chat on a site, against the real server.
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { asOwner } from "../support/owner.ts";

test("a webhook is added, tried, given another secret and removed; its log shows the try", async ({ page }) => {
  const { id } = await asOwner(page, { name: "Анна" });
  await page.goto(`/twin-access/${id}?tab=webhooks`);
  await expect(page.getByText("Вебхуков пока нет")).toBeVisible();
  await page.getByRole("button", { name: "Новый вебхук" }).click();
  const form = page.getByRole("dialog", { name: "Новый вебхук" });
  await form.getByRole("textbox", { name: "Адрес" }).fill("http://crm.example.ru/hooks");
  await form.getByRole("button", { name: "Сохранить" }).click();
  await expect(form.getByRole("alert")).toContainText("https");
  // Nobody has such a name.
  const url = "https://crm.nobody.example/hooks";
  await form.getByRole("textbox", { name: "Адрес" }).fill(url);
  await form.getByRole("button", { name: "Сохранить" }).click();
  const told = page.getByRole("dialog", { name: "Секрет подписи" });
  const secret = async () => (await told.getByRole("region", { name: "Секрет" }).textContent())?.trim();
  const first = await secret();
  expect(first).toMatch(/^whsec_[\w+/=-]{20,}$/);
  await told.getByRole("button", { name: "Секрет сохранён" }).click();

  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: url }) });
  await expect(row).toContainText("Включён");
  await row.getByRole("button", { name: /^Проверить/ }).click();
  await row.getByRole("button", { name: /^Журнал/ }).click();
  await expect(row.getByRole("listitem")).toContainText("webhook.test");
  await expectAccessibleCrosswise(page, "a webhook and its log");
  await row.getByRole("button", { name: /^Сменить секрет/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Сменить" }).click();
  await expect(told).toBeVisible();
  expect(await secret()).not.toBe(first);
  await told.getByRole("button", { name: "Секрет сохранён" }).click();
  await row.getByRole("button", { name: /^Удалить/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
  await expect(page.getByText("Вебхуков пока нет")).toBeVisible();
});

// /twin-access/{id}: keys for programs, against the real server.

test("a key is made by keyboard, shown once, answers, and is dead when it is revoked", async ({ page }) => {
  const { id } = await asOwner(page, { name: "Анна" });
  const { focus, follow, type, press } = keyboardOf(page);
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Для специалистов" }).click();
  await expect(page.getByText("Ключей пока нет")).toBeVisible();
  await expectAccessibleCrosswise(page, "no keys");

  await follow(page.getByRole("button", { name: "Новый ключ" }));
  const dialog = page.getByRole("dialog", { name: "Новый ключ" });
  await type(dialog.getByLabel("Название"), "Сайт");
  await focus(dialog.getByRole("checkbox", { name: /Читать черновики/ }));
  await press("Space");
  await expectAccessibleCrosswise(page, "the form of a key");
  await follow(dialog.getByRole("button", { name: "Создать ключ" }));
  const made = page.getByRole("dialog", { name: "Ключ создан" });
  const token = ((await made.getByRole("region", { name: "Ключ" }).textContent()) ?? "").trim();
  expect(token).toMatch(/^dtk_[\w-]{43}$/);
  await follow(made.getByRole("button", { name: "Ключ сохранён" }));

  const ask = () => page.request.get("/v1/models", { headers: { authorization: `Bearer ${token}` } });
  expect(await (await ask()).json()).toMatchObject({ data: [{ id: "anna" }] });
  await page.reload();
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Сайт" }) });
  await expect(row).toContainText("Действует");
  await expect(row).toContainText(`${token.slice(0, 10)}…`);
  await expect(page.locator("body")).not.toContainText(token);
  await expectAccessibleCrosswise(page, "a key");

  await follow(page.getByRole("button", { name: "Отозвать: Сайт" }));
  await page.getByRole("alertdialog").getByRole("button", { name: "Отозвать" }).click();
  await expect(row).toContainText("Отозван");
  expect((await ask()).status()).toBe(401);
});
