// /model: an organisation chooses who reads recordings and pictures; what is wrong stands at its field, the key is kept and not shown.
// What media-readers.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";

test("a user who is not the operator reads why an address of this machine is not allowed", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/model?tab=media");
  const card = page.getByRole("region", { name: "Голосовые сообщения" });
  await card.getByLabel("Кто распознаёт").selectOption("endpoint");
  await card.getByLabel("Адрес").fill("http://127.0.0.1:9/v1");
  await card.getByLabel("Модель").fill("m");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await expect(card.getByRole("alert").first()).toContainText("ведёт в частную сеть");
  await expect(card.getByLabel("Адрес")).toBeFocused();
});
