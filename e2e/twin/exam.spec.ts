// /twin-exam/{id}: questions from the twin's own documents and letters, marked with yes or no by its owner.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { asOwner, connectBot, uploadTalk } from "../support/owner.ts";

const DELIVERY = "# Доставка\n\nДоставка по городу стоит 300 рублей, привозим в день заказа.";

test("the owner marks the answers by keys, takes one back, and reads what the twin will send, where the level is set too", async ({
  page,
  bot,
}) => {
  const owner = await asOwner(page, { name: "Анна" });
  const { id, get, post, put } = owner;
  await page.goto(`/twin-exam/${id}`);
  await expect(page.getByText("Спрашивать пока не о чем")).toBeVisible();
  await expect(page.getByRole("link", { name: "Добавить документы" })).toBeVisible();

  await post("/api/knowledge/upload", { digitalTwinId: id, name: "Доставка", type: "faq", content: DELIVERY });
  await uploadTalk(owner, "Вера", 5, "Сколько стоит гравировка на термосе?", "гравировка 700, за два дня сделаю");
  const material = async () => (await get(`/api/digital-twins/${id}/exam`)).material;
  await expect.poll(material, { timeout: 20_000 }).toEqual({ documents: 1, letters: 1 });
  const integration = await connectBot(owner, bot);
  await put(`/api/integrations/${integration}`, { autonomy: "confident" });
  await page.goto(`/integrations/${integration}`);
  await expect(page.getByText("Двойник уже отвечает сам, а экзамена ещё не было")).toBeVisible();
  await expect(page.getByRole("link", { name: "Провести экзамен" })).toHaveAttribute("href", `/twin-exam/${id}`);
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Экзамен двойника" }).click();
  await expect(page.getByText("экзамен ничего не стоит")).toBeVisible();
  await expectAccessibleCrosswise(page, "before the exam");
  await page.getByRole("button", { name: "Начать экзамен" }).click();

  const card = page.getByRole("region", { name: "Отправили бы вы этот ответ?" });
  await expect(card).toContainText("Оценено 0 из 8", { timeout: 20_000 });
  // A letter stands beside what the owner has said, and the screen names in whose name it was asked.
  await expect(card).toContainText("Из переписки: Вера. Двойника спросили от имени этого собеседника");
  await expect(card).toContainText("гравировка 700, за два дня сделаю");
  await expectAccessibleCrosswise(page, "an answer to mark");
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("KeyY");
  await expect(card).toContainText("Оценено 1 из 8");
  await page.keyboard.press("KeyN");
  await expect(card).toContainText("Оценено 2 из 8");
  await page.keyboard.press("Backspace");
  await expect(card).toContainText("Оценено 1 из 8");
  // It goes on after a reload.
  await page.reload();
  await expect(card).toContainText("Оценено 1 из 8");
  const early = card.getByRole("button", { name: "Закончить на этом" });
  await expect(early).toHaveAttribute("title", "Сначала оцените хотя бы 5 ответов");
  for (let marked = 1; marked < 8; marked++) {
    await card.getByRole("button", { name: "Да, отправил бы" }).click();
    if (marked < 7) await expect(card).toContainText(`Оценено ${marked + 1} из 8`);
  }
  const result = page.getByRole("region", { name: "Вы приняли все ответы: 8." });
  await expect(result).toContainText(/двойник отправил бы сам \d из 8, все они приняты вами/);
  await result.getByText("Вопросы и ваши оценки").click();
  await expect(result.getByRole("listitem")).toHaveCount(8);
  await expectAccessibleCrosswise(page, "the result");
  await result.getByRole("listitem").first().getByRole("button", { name: "Нет" }).click();
  await expect(page.getByRole("heading", { name: "Из 8 ответов вы приняли 7." })).toBeVisible();
  await page.goto(`/integrations/${integration}`);
  await expect(page.getByText("Экзамен: Из 8 ответов вы приняли 7.")).toBeVisible();
});
