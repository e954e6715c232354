// Beside a draft: what its owner answered to the like message before, taken into the editor with one key and sent by himself.
import { expect, test } from "../servers/bot.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { asOwner, connectBot, uploadTalk } from "../support/owner.ts";
import { toast } from "../support/toast.ts";

// Beside a draft: what its owner answered to the like message before, taken into the editor with one key and sent by himself.

test("a past reply is taken with its digit, another person's data in it stand out until they are gone, and it is sent as he left it", async ({
  page,
  bot,
}) => {
  const owner = await asOwner(page);
  await uploadTalk(
    owner,
    "Мария Петрова",
    1,
    "Сколько стоит доставка чая в область?",
    "Мария, 700 рублей, курьер наберёт +7 912 345-67-89",
  );
  await uploadTalk(
    owner,
    "Светлана",
    2,
    "А доставка чая в область сколько стоит?",
    "От 700 рублей, считаем по километрам",
  );
  await connectBot(owner, bot);
  await bot.say("Сколько стоит доставка чая в область?");

  await page.goto("/conversations?tab=approval");
  const card = page.getByRole("list", { name: "Ответы, которые ждут решения" }).getByRole("article", { name: "Иван" });
  const past = card.getByRole("region", { name: "Как вы отвечали раньше" });
  await expect(past.getByRole("listitem")).toHaveCount(2, { timeout: 20_000 });
  const mary = past.getByRole("listitem").filter({ hasText: "Мария Петрова" });
  await expect(mary.locator("mark")).toHaveText(["Мария", "+7 912 345-67-89"]);
  await expectAccessibleCrosswise(page, "past replies beside a draft");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }

  const place = (await mary.getByRole("button").textContent())!.match(/\d/)![0];
  await page.keyboard.press(place);
  const editor = card.getByRole("textbox", { name: "Ваш ответ" });
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue("Мария, 700 рублей, курьер наберёт +7 912 345-67-89");
  await expect(card.getByText("Здесь остались его данные: Мария, +7 912 345-67-89.")).toBeVisible();
  await expectAccessible(page, "a past reply in the editor");
  // In the field a digit is a digit.
  await editor.fill("Мария, от ");
  await page.keyboard.press(place === "1" ? "2" : "1");
  await expect(editor).toHaveValue(place === "1" ? "Мария, от 2" : "Мария, от 1");
  await expect(card.getByText("Здесь остались его данные: Мария.")).toBeVisible();

  // What was typed there is not lost.
  await past.getByRole("listitem").filter({ hasText: "Светлана" }).getByRole("button").click();
  await expect(editor).toHaveValue("От 700 рублей, считаем по километрам");
  await toast(page).filter({ hasText: "Ответ вставлен" }).getByRole("button", { name: "Вернуть мой текст" }).click();
  await expect(editor).toHaveValue(/^Мария, от/);
  await past.getByRole("listitem").filter({ hasText: "Светлана" }).getByRole("button").click();
  await expect(editor).toHaveValue("От 700 рублей, считаем по километрам");
  await expect(card.getByText("Здесь остались его данные")).toHaveCount(0);
  await editor.press("Control+Enter");
  await expect.poll(async () => (await bot.sent()).join("\n"), { timeout: 20_000 }).toContain("считаем по километрам");

  // In the talk itself they stand beside the draft too; where there are none, nothing stands there.
  await bot.say("А доставка чая в область дорогая?");
  await page.getByRole("tab", { name: "Все" }).click();
  await page.getByRole("button", { name: /^Открыть чат/ }).click();
  const thread = page.getByRole("region", { name: "Диалог: Иван" });
  await expect(thread.getByRole("region", { name: "Как вы отвечали раньше" })).toBeVisible({ timeout: 20_000 });
});

test("without a like reply in the letters nothing stands beside the draft", async ({ page, bot }) => {
  await connectBot(await asOwner(page), bot);
  await bot.say("Сколько стоит доставка?");
  const asked = page.waitForResponse((response) => response.url().includes("/api/past-replies/"), { timeout: 30_000 });
  await page.goto("/conversations?tab=approval");
  expect(await (await asked).json()).toEqual([]);
  await expect(page.getByRole("article", { name: "Иван" })).toContainText("Сколько стоит доставка?");
  await expect(page.getByText("Как вы отвечали раньше")).toHaveCount(0);
});
