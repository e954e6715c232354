// What an owner holds in his hand: the switch that stops all, and one integration's page with its state, levels, hours and log.
// What owner-control.spec.ts leaves to test:full.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { asOwner, connectBot } from "../support/owner.ts";

test("an integration's page shows who wrote last there, once somebody has", async ({ page, bot }) => {
  const id = await connectBot(await asOwner(page), bot);
  await page.goto(`/integrations/${id}`);
  const latest = page.getByRole("region", { name: "Последние диалоги" });
  await expect(latest).toContainText("Пока никто не написал");
  await expect(page.getByRole("region", { name: "Состояние" })).toContainText("Активна", { timeout: 30_000 });
  await bot.say("Привет");
  await expect(latest.getByRole("listitem")).toContainText("Иван", { timeout: 30_000 });
  await expect(latest.getByRole("link", { name: "Иван" })).toHaveAttribute("href", /\/conversations\?dialog=/);
  await expectAccessibleCrosswise(page, "an integration's page with a conversation");
  // «Заменить ключ» in the list leads here.
  await page.goto(`/integrations/${id}?key=new`);
  await expect(page.getByRole("form", { name: "Новый ключ" }).getByLabel("Bot Token", { exact: true })).toBeFocused();
});
