// /twin-quality/{id}, the card «Кто вы»: what letters show of the owner, his correction, and the way back.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";

const TALK = [
  "Здравствуйте! Букет на завтра можно?",
  "Добрый день! Да, я записала вас на десять.\n\nС уважением,\nАнна",
  "А скидка будет?",
  "Цена одна для всех, я уже посмотрела",
  "Тогда ещё открытку",
  "Увы, с открыткой не успею, я бы предложила ленту",
  "Хорошо, спасибо",
  "Спасибо вам, рада помочь!",
];

test("the owner sees what his letters show of him, states it by keys, and takes it back", async ({ page }) => {
  const owner = await asOwner(page, { name: "Анна", description: "Отвечает покупателям. Я — флорист." });
  const { id, get } = owner;
  const address = `/api/digital-twins/${id}/self-presentation`;
  await page.goto(`/twin-quality/${id}`);
  const card = page.getByRole("region", { name: "Кто вы" });
  await expect(card).toContainText("Род пока неизвестен");
  await expect(card).toContainText("флорист");
  for (const [at, name] of ["Олег", "Мария", "Инна"].entries()) await uploadTalk(owner, name, at + 1, ...TALK);
  // Each talk is trained on its own, and a greeting is the owner's once three people have read it: the last training is waited for.
  const greeted = async () => (await get(address)).learnt.greeting?.count ?? 0;
  await expect.poll(greeted, { timeout: 60_000 }).toBe(3);
  await page.reload();
  await expect(card).toContainText("О себев женском роде");
  await expect(card).toContainText(/Незнакомым«Добрый день»по\s3\sвашим\sсообщениям/);
  await expect(card).toContainText("С уважением,\nАнна");
  await expect(card).toContainText("Когда просят скидку");
  await expect(card).toContainText(/Отказываете: «увы» · 3\sраза/);
  await expectAccessibleCrosswise(page, "who the owner is");

  const edit = card.getByRole("button", { name: "Изменить" });
  await edit.press("Enter");
  await expect(card.getByRole("radio", { name: "женский" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(edit).toBeFocused();
  await edit.press("Enter");
  await card.getByRole("textbox", { name: "Роль" }).fill("флорист и декоратор");
  await card.getByRole("textbox", { name: "Подпись" }).fill("");
  await expectAccessibleCrosswise(page, "the form of who the owner is");
  await expectNoSidewaysScroll(page);
  await card.getByRole("textbox", { name: "Роль" }).press("Enter");
  await expect(card).toContainText("флорист и декораторуказали вы");
  await expect(card).toContainText("Без подписи");
  expect((await get(address)).stated).toMatchObject({ gender: "female", signature: "" });
  await page.getByRole("button", { name: "Отменить" }).click();
  await expect(card).toContainText("флористиз описания двойника");
  expect((await get(address)).stated).toEqual({ gender: "learnt" });
});

test("a card that did not load is asked for again", async ({ page }) => {
  const { id } = await asOwner(page);
  let broken = true;
  await page.route(`**/api/digital-twins/${id}/self-presentation`, (route) =>
    broken ? route.fulfill({ status: 404, json: { message: "Двойник не найден" } }) : route.continue(),
  );
  await page.goto(`/twin-quality/${id}`);
  await expect(page.getByText("Не удалось загрузить, кто вы")).toBeVisible({ timeout: 15_000 });
  broken = false;
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(page.getByRole("region", { name: "Кто вы" })).toBeVisible();
});
