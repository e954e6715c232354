// What the twin did not know is answered by its owner with the «Научить» tick: it goes out, is learnt, and answers the next who asks.
import { expect, test } from "../servers/bot.ts";
import { asOwner, connectBot } from "../support/owner.ts";

// What the twin did not know is answered by its owner with the «Научить» tick: it goes out, is learnt, and answers the next who asks.

const SOON = { timeout: 20_000 };
const QUESTION = "Со скольки лет у вас можно водить снегоход?";
const ANSWER = "Снегоход можно водить с 16 лет, права категории А1.";

test("an answer with the tick is learnt: the next who asks the like is answered with it, and nothing waits", async ({
  page,
  bot,
}) => {
  const owner = await asOwner(page, {
    description: "Отвечает на вопросы о прокате",
    knowledgeArea: "Прокат снегоходов",
  });
  const { id, get, put } = owner;
  await put(`/api/integrations/${await connectBot(owner, bot)}`, { autonomy: "auto" });

  await bot.say(QUESTION);
  await page.goto("/conversations?tab=approval");
  const card = page.getByRole("article", { name: "Иван" });
  await expect(card).toContainText(QUESTION, SOON);
  await expect(card).toContainText("Нужен ваш ответ");
  const tick = card.getByRole("checkbox", { name: /^Научить/ });
  await expect(tick).toBeChecked();
  await expect(card.getByRole("link", { name: "В пробелы" })).toHaveAttribute("href", `/twin-gaps/${id}`);
  // It can be left out, by keyboard too.
  await tick.press("Space");
  await expect(tick).not.toBeChecked();
  await tick.press("Space");
  await card.getByRole("textbox", { name: "Ваш ответ" }).fill(ANSWER);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Ответ отправляется, двойник его запомнит", { exact: true })).toBeVisible();
  await expect.poll(async () => (await bot.sent()).at(-1), SOON).toContain(ANSWER);

  const learnt = async () => (await get(`/api/digital-twins/${id}/corrections`)).corrections;
  await expect
    .poll(learnt, SOON)
    .toMatchObject([{ question: QUESTION, text: ANSWER, scope: "everybody", active: true }]);
  const before = (await bot.sent()).length;
  await bot.say("со скольки лет можно водить снегоход у вас?", 6);
  await expect.poll(async () => (await bot.sent()).slice(before).join("\n"), SOON).toContain("с 16 лет");
  await page.reload();
  await expect(page.getByRole("tabpanel")).toContainText("Ничто не ждёт одобрения");
});
