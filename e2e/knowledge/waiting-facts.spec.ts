// The tab «Факты» of /knowledge: what waits for a decision at all twins, against answers of the test's own.
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { anna, answeringKnowledge, oleg } from "./answering-knowledge.ts";
import { deciding, found } from "./waiting-facts-parts.ts";

test("facts of all twins that wait are decided on where the confirmed ones stand, by a key each, and every decision is taken back", async ({
  page,
}) => {
  const server = deciding([
    { ...anna, facts: [found(1, "Сколько стоит торт?", "Торт 6500"), found(2, "Вы до скольки?", "До 20")] },
    { ...oleg, facts: [found(3, "Где вы находитесь?", "На Садовой")] },
  ]);
  await answeringKnowledge(page, server.answers);
  await page.goto("/knowledge");
  await page.getByRole("tab", { name: "Факты" }).click();
  const card = page.getByRole("region", { name: "3 факта из переписки ждут решения" });
  const rows = page.getByRole("list", { name: "Факты, которые ждут решения" }).getByRole("listitem");
  await expect(card).toBeVisible();
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(anna.name);
  await expect(rows.nth(2)).toContainText("Олег");
  await expectAccessibleCrosswise(page, "facts of all twins that wait");
  await expectNoSidewaysScroll(page);

  // The focus is still on the tab, where a key decides too.
  await page.keyboard.press("y");
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("region", { name: /^Подтверждённые/ })).toContainText("Торт 6500");
  await page.keyboard.press("n");
  const last = page.getByRole("region", { name: "1 факт из переписки ждёт решения" });
  await expect(last).toContainText("Отклонено: До 20");
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: "Двойник ответит всем" }).fill("Садовая, у фонтана");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Все факты разобраны")).toBeVisible();
  expect([...server.decided.values()].map(({ decision }) => decision)).toEqual(["confirm", "reject", "confirm"]);

  // Nothing waits any more; the decisions are taken back one after the other, the newest first, each at its own twin.
  // A key pressed while a decision is on its way does nothing.
  const undo = page.getByRole("button", { name: "Отменить последнее" });
  await expect(undo).toBeEnabled();
  await page.keyboard.press("z");
  await expect(rows).toHaveText([/На Садовой/]);
  await expect(undo).toBeEnabled();
  await page.keyboard.press("z");
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Двойник", { exact: true }).selectOption(anna.id);
  await expect(rows).toHaveText([/До 20/]);
  await expect(page).toHaveURL(new RegExp(`twin=${anna.id}`));
});

test("a fact that was answered differently says so, and is not chosen with others", async ({ page }) => {
  const differing = found(2, "Сколько стоит доставка?", "Доставка 300 рублей");
  differing.variants.push({ ...differing.variants[0]!, id: "4", reply: "Доставка 500 рублей" });
  const server = deciding([{ ...anna, facts: [found(1, "Сколько стоит торт?", "Торт 6500"), differing] }]);
  await answeringKnowledge(page, server.answers);
  await page.goto("/knowledge?tab=facts");
  const rows = page.getByRole("list", { name: "Факты, которые ждут решения" }).getByRole("listitem");
  await expect(rows.nth(1).getByText("Отвечали по-разному", { exact: true })).toBeVisible();
  await expect(rows.nth(1).getByRole("checkbox")).toBeDisabled();
  await expect(rows.nth(0).getByRole("checkbox")).toBeEnabled();
  await expectAccessibleCrosswise(page, "a fact that was answered differently");
});
