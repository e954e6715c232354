// /twin-facts/{id}: what only the owner's letters know, gone through with a key for each, and answered with from then on.
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";

// /twin-facts/{id}: what only the owner's letters know, gone through with a key for each, and answered with from then on.

test("facts of the letters are confirmed, put in other words, rejected and taken back by keys, and the twin answers with them", async ({
  page,
}) => {
  const owner = await asOwner(page, {
    name: "Анна",
    description: "Печёт торты на заказ",
    knowledgeArea: "Торты и доставка",
  });
  const { id, get, post } = owner;
  await page.goto(`/twin-settings/${id}`);
  const row = page
    .getByRole("region", { name: "Знания и качество" })
    .getByRole("listitem")
    .filter({ hasText: "Факты" });
  await row.getByRole("link", { name: "Факты из переписки" }).click();
  await expect(page.getByText("Фактов пока нет")).toBeVisible();

  await uploadTalk(owner, "Олег", 1, "Здравствуйте! Сколько стоит торт на 3 кг?", "3 кг — 6500");
  await uploadTalk(owner, "Мария", 2, "почём торт 3 кг", "3 кг — 7500");
  await uploadTalk(owner, "Светлана", 3, "Сколько стоит доставка на ул. Садовая, 12?", "Доставка 300 рублей");
  await uploadTalk(owner, "Олег", 4, "До скольки вы работаете?", "С 10 до 20, без выходных");
  const counts = async () => (await get(`/api/digital-twins/${id}/chat-facts`)).counts;
  await expect.poll(counts, { timeout: 20_000 }).toEqual({ total: 3, left: 3 });

  await page.goto(`/twin-settings/${id}`);
  await expect(row).toContainText("3 ждут");
  await row.getByRole("link").click();
  const facts = page.getByRole("list", { name: "Факты, которые ждут решения" });
  await expect(page.getByRole("region", { name: "Мы нашли 3 факта в переписке" })).toBeVisible();
  await expect(page.getByText("Проверено 0 из 3")).toBeVisible();
  await expect(page.getByRole("button", { name: "Отменить последнее" })).toHaveCount(0);
  const current = facts.locator("> li[aria-current=true]");
  // Two people were told of the price of a cake, and other prices than each other.
  await expect(current).toContainText("Вы отвечали по-разному");
  await expect(current.getByRole("radio").first()).toBeChecked();
  await expectAccessibleCrosswise(page, "facts of the letters");
  await expectNoSidewaysScroll(page);
  // Each of the four answers leads to its message, which is marked there.
  const shows = facts.getByRole("link", { name: /^Показать в\sпереписке/ });
  await expect(shows).toHaveCount(4);
  await shows.first().click();
  await expect(page).toHaveURL(new RegExp(`/knowledge\\?tab=messages&twin=${id}&message=\\d+&before=\\d+_0`));
  const letters = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(letters.locator("[aria-current=true]")).toContainText("3 кг — 7500");
  await page.getByRole("button", { name: "Показать все сообщения" }).click();
  await expect(letters.getByText("С 10 до 20, без выходных")).toBeVisible();
  await expect(letters.locator("[aria-current=true]")).toHaveCount(0);
  await page.goto(`/twin-facts/${id}`);
  await expect(page.getByText("Проверено 0 из 3")).toBeVisible();

  await page.keyboard.press("y");
  await expect(page.getByText("Проверено 1 из 3")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Подтверждено: 3 кг — 7500" })).toBeVisible();
  await page.keyboard.press("z");
  await expect(page.getByText("Проверено 0 из 3")).toBeVisible();
  await expect(current.getByRole("radio")).toHaveCount(2);
  // While a decision is being sent its buttons are disabled, and keys do nothing.
  await expect(current.getByRole("button", { name: /^Отклонить/ })).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Проверено 1 из 3")).toBeVisible();

  // What is masked cannot be confirmed as it is: the editor opens instead.
  await facts.getByText("[адрес]").click();
  await page.keyboard.press("y");
  const question = page.getByRole("textbox", { name: "Когда спросят так" });
  await expect(question).toBeFocused();
  await expect(page.getByText("Замените «[адрес]» своими словами или уберите")).toBeVisible();
  await expectAccessible(page, "a fact that is put in other words");
  await question.fill("Сколько стоит доставка по городу?");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Проверено 2 из 3")).toBeVisible();
  await page.keyboard.press("n");
  await expect(page.getByText("Все факты разобраны")).toBeVisible();
  await expect(page.getByText("Проверено 3 из 3")).toBeVisible();

  const answer = await post("/api/ai-generate", { twinId: id, message: "Сколько стоит торт на 3 кг?" });
  expect(answer.response).toContain("7500");
  expect(answer.sources).toMatchObject([{ name: "Подтверждённые факты" }]);
  await page.goto(`/twin-settings/${id}`);
  await expect(row).toContainText("Разобраны все: 3");
  await expect(row).not.toContainText("ждут");
  await page.goto(`/twin-corrections/${id}`);
  await expect(page.getByText("3 кг — 7500")).toBeVisible();
});

test("facts that cannot be loaded say so, and are asked for again", async ({ page }) => {
  const { id } = await asOwner(page);
  let fails = true;
  await page.route("**/chat-facts", (route) =>
    fails
      ? route.fulfill({ status: 422, json: { message: "Слишком много дел", code: "x", requestId: "1" } })
      : route.fulfill({ json: { counts: { total: 0, left: 0 }, facts: [], looking: true } }),
  );
  await page.goto(`/twin-facts/${id}`);
  await expect(page.getByText("Не удалось загрузить факты")).toBeVisible({ timeout: 15_000 });
  fails = false;
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(page.getByText("Ищем факты в переписке...")).toBeVisible();
});
