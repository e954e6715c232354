// /twin-manner/{id}: invented messages that the owner answers, and the samples of his manner that strangers' prompts hold.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";

test("the owner answers invented messages by keys, skips one, takes one back, and hides a sample from his letters", async ({
  page,
}) => {
  const owner = await asOwner(page, { name: "Анна" });
  const { id, get } = owner;
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Манера для всех" }).click();
  const card = page.getByRole("region", { name: "Как бы вы ответили?" });
  const list = page.getByRole("region", { name: "По чему двойник пишет незнакомым" });
  await expect(card).toContainText("Отвечено 0 из 12");
  await expect(list).toContainText("Образцов пока нет");
  const answer = card.getByRole("textbox", { name: "Ваш ответ" });
  await expect(card.getByRole("button", { name: "Сохранить" })).toHaveAttribute("title", "Сначала напишите ответ");

  const first = (await card.getByRole("blockquote").textContent())!;
  await card.getByRole("button", { name: "Пропустить" }).click();
  await expect(card.getByRole("blockquote")).not.toHaveText(first);
  const second = (await card.getByRole("blockquote").textContent())!;
  await answer.fill("Здрасте)\nДа, тут я");
  await answer.press("Control+Enter");
  await expect(card).toContainText("Отвечено 1 из 12");
  await expect(answer).toHaveValue("");
  await expect(answer).toBeFocused();
  await expect(list.getByRole("listitem")).toContainText([second]);
  await expect(list.getByRole("listitem")).toContainText(["Здрасте)"]);
  await expectAccessibleCrosswise(page, "the manner for everybody");
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Отменить" }).click();
  await expect(card).toContainText("Отвечено 0 из 12");

  for (const [at, name] of ["Олег", "Мария", "Инна"].entries())
    await uploadTalk(owner, name, at + 1, "Ты где?", "щас подумаю)");
  const samples = async () => (await get(`/api/digital-twins/${id}/style-samples`)).samples.length;
  await expect.poll(samples, { timeout: 20_000 }).toBe(1);
  await page.reload();
  await list.getByRole("button", { name: "Скрыть: щас подумаю)" }).click();
  const hidden = list.getByRole("listitem").getByText("Скрыт", { exact: true });
  await expect(hidden).toBeVisible();
  await list.getByRole("button", { name: "Показывать: щас подумаю)" }).click();
  await expect(hidden).toHaveCount(0);
});

test("he opens one of his past replies by a key, does not want another, and takes the first back", async ({ page }) => {
  const owner = await asOwner(page, { name: "Анна" });
  const { id, get } = owner;
  await uploadTalk(owner, "Ольга", 1, "Какой взять?", "Ольга, бери синий, он живее");
  await uploadTalk(owner, "Олег", 2, "Ну как там?", "да нормально всё, чиним помаленьку");
  const phrases = async () => (await get(`/api/digital-twins/${id}/style-samples`)).phrases.length;
  await expect.poll(phrases, { timeout: 20_000 }).toBe(2);
  await page.goto(`/twin-manner/${id}`);
  const card = page.getByRole("region", { name: "Эти фразы увидят все" });
  const list = page.getByRole("region", { name: "По чему двойник пишет незнакомым" });
  const shown = card.getByRole("blockquote");
  await expect(card).toContainText("2 фразы");
  if ((await shown.textContent())!.includes("чиним")) await card.getByRole("button", { name: "Не показывать" }).click();
  else await page.keyboard.press("KeyY");
  await expect(card).toContainText("1 фраза");
  if ((await shown.textContent())!.includes("чиним")) await page.keyboard.press("KeyN");
  else await page.keyboard.press("KeyY");
  await expect(card).toHaveCount(0);
  await expect(list.getByRole("listitem")).toContainText(["[имя], бери синий, он живее"]);
  await page.getByRole("button", { name: "Отменить" }).click();
  await expect(list).toContainText("Образцов пока нет");
});

test("he opens a phrase as a fact too, and takes back both", async ({ page }) => {
  const owner = await asOwner(page, { name: "Анна" });
  const { id, get } = owner;
  await uploadTalk(owner, "Ольга", 1, "Когда открыт ваш магазин?", "с девяти до шести, без обеда");
  const phrases = async () => (await get(`/api/digital-twins/${id}/style-samples`)).phrases.length;
  await expect.poll(phrases, { timeout: 20_000 }).toBe(1);
  await page.goto(`/twin-manner/${id}`);
  const card = page.getByRole("region", { name: "Эти фразы увидят все" });
  const [manner, fact] = [card.getByRole("checkbox", { name: "Манера" }), card.getByRole("checkbox", { name: "Факт" })];
  await expect(manner).toBeChecked();
  await expect(fact).not.toBeChecked();
  await expect(card).toContainText("может ответить на «Когда открыт ваш магазин?»");
  const show = card.getByRole("button", { name: "Показывать", exact: false }).first();
  await manner.uncheck();
  await expect(show).toHaveAttribute("title", "Сначала отметьте манеру или факт");
  await manner.check();
  await page.keyboard.press("KeyF");
  await expect(fact).toBeChecked();
  await page.keyboard.press("KeyY");
  await expect(card).toHaveCount(0);
  const open = async () => (await get(`/api/digital-twins/${id}/open-replies`)).counts.opened;
  expect(await open()).toBe(1);
  await expect(page.getByRole("region", { name: "По чему двойник пишет незнакомым" })).toContainText("без обеда");
  await page.getByRole("button", { name: "Отменить" }).click();
  await expect(card).toContainText("без обеда");
  expect(await open()).toBe(0);
});
