// /twin-gaps/{id}: what the twin could not answer, answered once for everybody who asked, and how ready the twin is.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asAskedOwner, SNOWMOBILE } from "./gaps-parts.ts";

test("one answer is ticked for the same question in other words, and holds for both", async ({ page }) => {
  const { id, ask, open, post } = await asAskedOwner(page, "draft");
  const towed = "Снегоход напрокат на выходные даёте?";
  for (const text of ["Вы сдаёте снегоход в аренду?", towed]) await ask(text);
  await expect.poll(open, { timeout: 20_000 }).toBe(2);
  await page.goto(`/twin-gaps/${id}`);
  const list = page.getByRole("tabpanel", { name: /Без ответа/ });
  await list.getByRole("textbox", { name: "Двойник ответит" }).fill("Снегоход сдаём на сутки за 9000 рублей.");
  await list.getByRole("group", { name: "Отметьте, на что этот ответ тоже подходит" }).getByRole("checkbox").check();
  await expectAccessibleCrosswise(page, "an answer that fits another question");
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Ответить всем" }).click();
  await expect.poll(open).toBe(0);
  expect((await post("/api/ai-generate", { twinId: id, message: towed })).response).toContain("9000");
});

test("what needs no answer is put aside and brought back at once, and a question about something else is parted", async ({
  page,
}) => {
  const { id, ask, open } = await asAskedOwner(page, "auto");
  await ask(SNOWMOBILE);
  await ask("Подскажите, пожалуйста, во сколько лет можно водить снегоход");
  await expect.poll(open, { timeout: 20_000 }).toBe(1);
  await page.goto(`/twin-gaps/${id}`);
  await page.getByRole("button", { name: "Не отвечать" }).click();
  await expect(page.getByText("Вопросов без ответа нет")).toBeVisible();
  await page.getByRole("button", { name: "Отменить" }).click();
  await page
    .getByRole("button", { name: /^Отделить/ })
    .first()
    .click();
  await expect.poll(open).toBe(2);
  await page.getByRole("button", { name: "Не вопрос" }).first().click();
  await page.getByRole("tab", { name: /Не нужны/ }).click();
  await expect(page.getByRole("tabpanel", { name: /Не нужны/ }).getByRole("listitem")).toContainText("Не вопрос");
});
