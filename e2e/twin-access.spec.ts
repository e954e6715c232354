// /twin-access/{id}: keys for programs, against the real server.
import type { Page } from "@playwright/test";
import { expectAccessibleCrosswise } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { keyboardOf } from "./keyboard.ts";
import { asNewUser } from "./session.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

/** A new user's twin that knows what a delivery costs. */
async function ownTwin(page: Page): Promise<{ id: string; headers: Record<string, string> }> {
  const headers = { authorization: `Bearer ${await asNewUser(page)}` };
  const data = {
    name: "Анна",
    description: "Отвечает покупателям магазина",
    personality: "Внимательная, спокойная, шутит редко",
    communicationStyle: "Коротко и по делу",
    knowledgeArea: "Доставка и возврат",
  };
  const { id } = await (await page.request.post("/api/digital-twins", { headers, data })).json();
  return { id, headers };
}

test("a key is made by keyboard, shown once, answers, and is dead when it is revoked", async ({ page }) => {
  const { id } = await ownTwin(page);
  const { focus, follow, type, press } = keyboardOf(page);
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Настроить доступ" }).click();
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
