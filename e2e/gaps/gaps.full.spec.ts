// /twin-gaps/{id}: what the twin could not answer, answered once for everybody who asked, and how ready the twin is.
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { ANSWER, asAskedOwner, SNOWMOBILE } from "./gaps-parts.ts";

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

test("a question of several people is answered once for them, reaches those who wait and nobody else, and can be taken back", async ({
  page,
}) => {
  const { id, ask, open, post } = await asAskedOwner(page, "draft");
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("main").getByRole("link", { name: "Пробелы" }).click();
  await expect(page.getByText("Вопросов без ответа нет")).toBeVisible();
  await expect(page.getByText("Пока мало вопросов")).toBeVisible();
  await expectAccessible(page, "no gaps");

  await ask("Где купить шлем для снегохода?");
  await ask("Подскажите, пожалуйста, во сколько лет можно водить снегоход");
  await ask(SNOWMOBILE);
  await expect.poll(open, { timeout: 20_000 }).toBe(2);
  await page.reload();
  const list = page.getByRole("tabpanel", { name: /Без ответа/ });
  const first = list.getByRole("button", { name: /снегоход.*Спросили/ });
  await expect(first).toHaveAttribute("aria-expanded", "true");
  await expect(first).toContainText("Спросили 2 человека");
  const asked = list.getByRole("list", { name: "Кто спрашивал" }).getByRole("listitem");
  await expect(asked).toHaveCount(2);
  // In the asker's own words, with the way to where it was said.
  await expect(asked.filter({ hasText: SNOWMOBILE }).getByRole("link")).toHaveAttribute(
    "href",
    /dialog=.*&message=\d+$/,
  );
  await expect(list.getByText("Двойник не нашёл на них ответа.")).toBeVisible();
  await expectAccessibleCrosswise(page, "gaps");
  await expectNoSidewaysScroll(page);

  const reply = list.getByRole("textbox", { name: "Двойник ответит" });
  await reply.fill(ANSWER);
  // Words that are the heading's are not said again below it, and what was typed stays while another is looked at.
  await list.getByRole("button", { name: /шлем/ }).click();
  const helmet = list.getByRole("region", { name: "Где купить шлем для снегохода?" });
  await expect(helmet.getByRole("list", { name: "Кто спрашивал" })).not.toContainText("Где купить");
  await first.click();
  await expect(reply).toHaveValue(ANSWER);
  await expectAccessible(page, "an answer to a gap");
  // Everybody is named by a button of its own, which says who that is; the main act tells those who asked.
  const everybody = list.getByRole("region", { name: /снегоход/ }).getByRole("button", { name: "Ответить всем" });
  await expect(everybody).toHaveAccessibleDescription(
    "Ответить всем: ответ увидят все, кто спросит похожее. Об этом уже спрашивали: 2 человека.",
  );
  await reply.focus();
  await page.keyboard.press("Control+Enter");
  const said = page.getByRole("status").filter({ hasText: `Двойник запомнил для тех, кто спросил: «${ANSWER}»` });
  await expect(said).toBeVisible();
  await expect.poll(open).toBe(1);
  // What was pressed has gone: the keyboard goes on from the next question, and what came of the answer stands below.
  await expect(list.getByRole("button", { name: /шлем/ })).toBeFocused();
  const lately = list.getByRole("region", { name: "Недавно отвечены" });
  await expect(lately).toContainText(/Теперь двойник отвечает на все 2\. 2\sждут вашего одобрения/, {
    timeout: 20_000,
  });

  await page.getByRole("tab", { name: /Отвеченные/ }).click();
  await expect(page).toHaveURL(/tab=answered/);
  const answered = page.getByRole("tabpanel", { name: /Отвеченные/ }).getByRole("listitem");
  await expect(answered).toContainText("2 ждут вашего одобрения", { timeout: 20_000 });
  await expect(answered).toContainText("Теперь двойник отвечает на все 2");
  await expect(answered).toContainText("Только тем, кто спросил");
  await expectAccessibleCrosswise(page, "answered gaps");
  const untold = await post("/api/ai-generate", { twinId: id, message: SNOWMOBILE });
  expect(untold.response).not.toContain("16");
  await answered.getByRole("link", { name: "Открыть черновики" }).click();
  await expect(page.getByText("Вы ответили на этот вопрос в «Пробелах»").first()).toBeVisible();

  await page.goto(`/twin-gaps/${id}?tab=answered`);
  await answered.getByRole("button", { name: /Вернуть/ }).click();
  await expect(page.getByText("Отвеченных вопросов пока нет")).toBeVisible();
  await expect.poll(open).toBe(2);
});
