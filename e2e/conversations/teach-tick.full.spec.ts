// The owner answers what the twin did not know: the answer goes to the asker, and to every contact only by a button of its own.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { asOwner, connectBot } from "../support/owner.ts";

const SOON = { timeout: 20_000 };
const QUESTION = "Со скольки лет у вас можно водить снегоход?";
const ANSWER = "Снегоход можно водить с 16 лет, права категории А1.";

test("an answer is learnt for its asker, and for the next asker once the owner has pressed the button for all", async ({
  page,
  bot,
}) => {
  const owner = await asOwner(page, {
    description: "Отвечает на вопросы о прокате",
    knowledgeArea: "Прокат снегоходов",
  });
  const { id, get, put } = owner;
  await put(`/api/integrations/${await connectBot(owner, bot)}`, { autonomy: "auto" });
  const heard = async () => (await bot.sent()).join("\n");
  const learnt = async () => (await get(`/api/digital-twins/${id}/corrections`)).corrections;

  await bot.say(QUESTION);
  await page.goto("/conversations?tab=approval");
  const card = page.getByRole("article", { name: "Иван" });
  await expect(card).toContainText(QUESTION, SOON);
  await expect(card).toContainText("Нужен ваш ответ");
  // The tick is the asker's own, and can be left out, by keyboard too.
  const tick = card.getByRole("checkbox", { name: "Научить: двойник ответит так этому собеседнику" });
  await expect(tick).toBeChecked();
  await expect(card.getByRole("checkbox")).toHaveCount(1);
  await expect(card.getByRole("link", { name: "В пробелы" })).toHaveAttribute("href", `/twin-gaps/${id}`);
  await tick.press("Space");
  await expect(tick).not.toBeChecked();
  await tick.press("Space");
  await card.getByRole("textbox", { name: "Ваш ответ" }).fill(ANSWER);
  // Publishing is confirmed with its audience; cancelling loses nothing.
  const forAll = card.getByRole("button", { name: "Научить для всех…" });
  const asked = page.getByRole("alertdialog", { name: "Научить для всех?" });
  await forAll.click();
  await expect(asked).toContainText("Его увидят и все, кто спросит похожее.");
  await expectAccessibleCrosswise(page, "teaching everybody");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Escape");
  await expect(asked).toHaveCount(0);
  await expect(card.getByRole("textbox", { name: "Ваш ответ" })).toHaveValue(ANSWER);
  await card.getByRole("textbox", { name: "Ваш ответ" }).press("Control+Enter");
  await expect(
    page.getByText("Ответ отправляется, двойник запомнит его для этого собеседника", { exact: true }),
  ).toBeVisible();
  await expect.poll(heard, SOON).toContain(ANSWER);
  await expect.poll(learnt, SOON).toMatchObject([{ question: QUESTION, text: ANSWER, scope: "contact", active: true }]);
  const told = (await bot.sent()).length;
  await bot.say(QUESTION);
  await expect.poll(async () => (await bot.sent()).slice(told).join("\n"), SOON).toContain("с 16 лет");

  const before = (await bot.sent()).length;
  await bot.say(QUESTION, 6);
  await expect(card).toContainText(QUESTION, SOON);
  expect((await bot.sent()).slice(before).join("\n")).not.toContain("16");
  // The question is sorted a moment later.
  await expect.poll(async () => (await get("/api/approvals"))[0]?.people, SOON).toBe(2);
  await page.reload();
  await card.getByRole("textbox", { name: "Ваш ответ" }).fill(ANSWER);
  await forAll.click();
  await expect(asked).toContainText("Об этом уже спрашивали: 2 человека.");
  await asked.getByRole("button", { name: "Отправить и научить для всех" }).click();
  await expect(page.getByText("Ответ отправляется, двойник запомнит его для всех", { exact: true })).toBeVisible();
  await expect
    .poll(async () => (await learnt()).map(({ scope }: { scope: string }) => scope), SOON)
    .toContain("everybody");
  const later = (await bot.sent()).length;
  await bot.say("со скольки лет можно водить снегоход у вас?", 8);
  await expect.poll(async () => (await bot.sent()).slice(later).join("\n"), SOON).toContain("с 16 лет");
});
