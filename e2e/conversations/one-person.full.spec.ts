// On a real server: two chats of one person are said to be his, remember the same, and are parted again.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { asOwner, connectBot } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP } from "../support/viewports.ts";
import { rows } from "./parts.ts";

const SOON = { timeout: 20_000 };

test("two chats become one person's by keyboard, each leads to the other, and they are parted after a question", async ({
  page,
  bot,
}) => {
  await connectBot(await asOwner(page), bot);
  await page.setViewportSize(DESKTOP);
  await bot.say("Добрый день, это из первого чата.", 5);
  await bot.say("И снова я, из второго чата.", 6);
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(2, SOON);
  await rows(page)
    .filter({ hasText: "из первого" })
    .getByRole("button", { name: /^Открыть чат/ })
    .click();
  const details = page.getByRole("complementary", { name: "О диалоге" });
  const channels = details.getByRole("region", { name: "Другие каналы" });
  await channels.getByRole("button", { name: "Объединить с…" }).click();
  const dialog = page.getByRole("dialog", { name: /^Кто ещё/ });
  await dialog.getByRole("combobox", { name: "Найти собеседника" }).fill("Никого такого");
  await expect(dialog.getByText("Такого собеседника нет.")).toBeVisible();
  await dialog.getByRole("combobox").fill("ив");
  await expect(dialog.getByRole("option")).toHaveCount(1);
  await expectAccessibleCrosswise(page, "whom a contact is merged with");
  await page.setViewportSize(DESKTOP);
  await page.keyboard.press("Enter");
  await expectToast(page, "Диалоги объединены");
  await expect(channels.getByRole("link")).toHaveCount(1);
  await expectAccessibleCrosswise(page, "a person's other channels");
  await page.setViewportSize(DESKTOP);

  const facts = details.getByRole("region", { name: "О собеседнике" });
  await facts.getByRole("button", { name: "Записать" }).click();
  await facts.getByRole("textbox", { name: "Запись" }).fill("Берёт улун по средам");
  await facts.getByRole("button", { name: "Сохранить" }).click();
  await expect(facts.getByText("Берёт улун по средам")).toBeVisible();
  await channels.getByRole("link").click();
  await expect(page.getByRole("log", { name: "Сообщения" })).toContainText("из второго чата");
  await expect(facts.getByText("Берёт улун по средам")).toBeVisible();

  await channels.getByRole("button", { name: /^Отделить диалог/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Отделить" }).click();
  await expectToast(page, "Диалоги разделены");
  await expect(channels.getByRole("link")).toHaveCount(0);
  await expect(facts.getByText("Берёт улун по средам")).toHaveCount(0);
});
