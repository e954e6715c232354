// What the palette finds by the words of contacts, messages, documents and facts, against answers of the test's own.
// What palette.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { FOUND, knowledge, open } from "./palette-parts.ts";

test("a document that was found opens in its place, and acts stand before finds", async ({ page }) => {
  await withTwins(page, {
    "GET /api/search": json(FOUND),
    ...knowledge,
  });
  await open(page);
  await page.keyboard.type("Telegram");
  await expect(page.getByRole("option").first()).toHaveText("Подключить Telegram");
  // The letters of «доставк» stand in «Создать двойника Create Twin», far from each other.
  await page.getByRole("combobox").fill("доставк");
  await expect(page.getByRole("option").first()).toHaveText(/Трюфелева Ольга/);
  await expect(page.getByRole("option", { name: "Создать двойника" })).toHaveCount(0);
  await page.getByRole("combobox").fill("трюфель");
  await page.getByRole("option", { name: /Правила/ }).click();
  await expect(page).toHaveURL(`/knowledge?tab=documents&document=${uuid(51)}`);
});

test("a message that was found opens its conversation there, and all others with the words are one step away", async ({
  page,
}) => {
  await withTwins(page, { "GET /api/search": json(FOUND) });
  await open(page);
  await page.keyboard.type("nh.atkm");
  await page.getByRole("option", { name: /на пятницу/ }).click();
  await expect(page).toHaveURL(`/conversations?dialog=${uuid(902)}&message=77`);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("nh.atkm");
  await page.getByRole("option", { name: "Все сообщения с этими словами" }).click();
  await expect(page).toHaveURL(`/conversations?q=${encodeURIComponent("трюфель")}`);
});

test("a word in another form is marked as it stands there", async ({ page }) => {
  const messages = [{ ...FOUND.messages[0], excerpt: "Нет ли трюфелей на пятницу?" }];
  await withTwins(page, { "GET /api/search": json({ ...FOUND, messages }) });
  await open(page);
  await page.keyboard.type("трюфель");
  await expect(page.getByRole("option", { name: /Нет ли/ }).locator("mark")).toHaveText(["трюфелей"]);
});

test("words that are found nowhere can be sought in all messages, or a twin created, by keys alone", async ({
  page,
}) => {
  await withTwins(page, {});
  await open(page);
  await page.keyboard.type("прокат");
  const palette = page.getByRole("dialog");
  await expect(palette.getByText("Ничего не найдено")).toBeVisible();
  await expect(palette.getByRole("option")).toHaveText(["Искать „прокат“ в сообщениях", "Создать двойника"]);
  await expectAccessibleCrosswise(page, "the palette that has found nothing");
  // A section is a hit.
  await page.getByRole("combobox").fill("диалоги");
  await expect(palette.getByRole("option")).toHaveText([
    "Диалоги",
    "Искать „диалоги“ в сообщениях",
    "Создать двойника",
  ]);
  await expect(palette.getByText("Ничего не найдено")).toHaveCount(0);
  await page.getByRole("combobox").fill("прокат");
  await expect(palette.getByRole("option").first()).toHaveText("Искать „прокат“ в сообщениях");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/conversations?q=${encodeURIComponent("прокат")}`);
});
