// /twin-facts/{id}: what only the owner's letters know, gone through with a key for each, and answered with from then on.
// What facts.spec.ts leaves to test:full.
import { expectAccessible, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";

test("several facts are confirmed at once, taken back at once, and what is no clear question is folded away", async ({
  page,
}) => {
  const owner = await asOwner(page, { name: "Анна", knowledgeArea: "Торты и доставка" });
  const { id, get } = owner;
  await uploadTalk(owner, "Олег", 1, "Сколько стоит торт на 3 кг?", "Торт на 3 кг стоит 6500 рублей.");
  await uploadTalk(owner, "Мария", 2, "До скольки вы работаете?", "С 10 до 20, без выходных.");
  await uploadTalk(owner, "Светлана", 3, "А это сколько стоит?", "Доставка 300 рублей.");
  const counts = async () => (await get(`/api/digital-twins/${id}/chat-facts`)).counts;
  await expect.poll(counts, { timeout: 20_000 }).toEqual({ total: 3, left: 3 });
  await page.goto(`/twin-facts/${id}`);
  const facts = page.getByRole("list", { name: "Факты, которые ждут решения" }).getByRole("listitem");
  await expect(facts).toHaveCount(2);
  await page.getByRole("button", { name: "Ещё 1 без ясного вопроса" }).click();
  await expect(page.getByRole("list", { name: "Факты без ясного вопроса" })).toContainText("Доставка 300 рублей.");
  await page.getByRole("button", { name: "Ещё 1 без ясного вопроса" }).click();

  await page.getByLabel("Выбрать показанные").check();
  await expectAccessible(page, "several facts are chosen");
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Подтвердить выбранные (2)" }).click();
  await expect(page.getByText("Проверено 2 из 3")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Подтверждено сразу: 2 факта" })).toBeVisible();
  await page.getByRole("button", { name: "Отменить последнее" }).click();
  await expect(page.getByText("Проверено 0 из 3")).toBeVisible();
  await expect(facts).toHaveCount(2);

  // Where the second fails, the first stands and can be taken back.
  let asked = 0;
  await page.route("**/chat-facts/*", (route) =>
    ++asked === 2
      ? route.fulfill({ status: 422, json: { message: "Слишком много дел", code: "x", requestId: "1" } })
      : route.fallback(),
  );
  await page.getByLabel("Выбрать показанные").check();
  await page.getByRole("button", { name: "Подтвердить выбранные (2)" }).click();
  await expectToast(page, "Не удалось сохранить");
  await expect(page.getByText("Проверено 1 из 3")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Подтверждено сразу: 1 факт" })).toBeVisible();
  await page.getByRole("button", { name: "Отменить последнее" }).click();
  await expect(page.getByText("Проверено 0 из 3")).toBeVisible();
});
